"""The small languages that readers take: what only prints passes, and nothing else."""

from __future__ import annotations

import pytest

from lineclear.core.shell.languages.awk import awk_only_prints
from lineclear.core.shell.languages.condition import read_condition
from lineclear.core.shell.languages.formats import format_fits
from lineclear.core.shell.languages.jq import jq_only_prints
from lineclear.core.shell.languages.sed import sed_only_prints
from lineclear.core.shell.words import HOLE, Word

SED = [
    *(
        "p",
        "1,5p",
        "$d",
        "/a/,/b/p",
        "s/a/b/g",
        "s|a|b|",
        "s/[/]/x/",
        "s/[^/]*$//",
        "/write/!d",
        "1~2p",
        "5q",
        "y/a/b/",
    ),
    *(
        "s/a/b/;s/c/d/",
        "/x/{s/a/b/;p}",
        ":a;N;$!ba;s/\\n/ /g",
        "# note\np",
        "\\,x,p",
        "s/a/b/2I",
        "1i text",
        "=",
        "/a/I,+3p",
    ),
    *(
        "s/[^-][^\\/]*\\//  |/g",
        "s|[\\|]|x|",
        "/[^\\/]x/p",
        "s/[^/]*$/x/",
        "s/[/]//",
        "s/[/]/g/",
        "/[^/]x/d",
        "s/[a/b]*/_/;p",
    ),
]
SED_REFUSED = [
    *(
        "w x",
        "r x",
        "R x",
        "W x",
        "e",
        "1e id",
        "e id",
        "s/a/b/e",
        "s/a/b/w x",
        "s/a/b/gw x",
        "p;w x",
        "p\nw x",
        "{w x}",
    ),
    # Where a bracket hides a delimiter from some editors only.
    *(
        "s/[/]/w x/;p",
        "s/[/]/g;w x/",
        "s/[/]/e/",
        "s/[/]/pw x/",
        "/[/w x]/p",
        "y/[/]/;w x/",
        "/[/;w x]/p",
        "\\,[,w x],p",
        "s/[/]/;w x/",
    ),
    *(
        "s/[/x/w x]/a/",
        "s/[\\]/]/w x/",
        "s/[^\\]\\/]/w x/",
        "s/[/]/}w x/",
        "s/[/]/ w x/",
        "s/[/]/#/;s/a/b/",
        "s/[\\/]/b/w x",
    ),
    *("s/a/b", "/a", "s/[\\]/w x/", "1,2w x", "/x/w x", "y/a/b/w x", "z\\", "s/a/b/}w x", "1!w x", "a\\\n\\\nx", "F;e"),
]
AWK = [
    *(
        "{print $1}",
        "NR==1",
        "/^M/ {print $2}",
        "{s+=$1} END {print s/NR}",
        "$1 > 5",
        "{if ($1 > 5) print}",
        "!seen[$0]++",
    ),
    *(
        'BEGIN{FS=","} {print $1, $NF}',
        "{print ($1+$2)/2}",
        '{gsub(/a/,"b"); print}',
        "/[^\\/]*$/ {print}",
        "/[[:alpha:]_]+/",
        "function half(x) { return x/2 } { print half($1) }",
        "/\\[[^]]*\\]/",
        "/[]a]/",
        "length($0) > 80",
        '{printf "%s\\n", $1}',
    ),
    *(
        '{print > "/dev/null"}',
        '{printf "%s\\n", $1 >> "/dev/null"; print}',
        'END {print NR > "/dev/null"\n}',
        "{SUM += $1} END {print SUM, MAX}",
        "NR>2{Sfields=7-NF; if (Sfields == 0) print HTMLname}",
    ),
]
AWK_REFUSED = [
    *(
        'BEGIN{system("x")}',
        '{print > "x"}',
        '{print >> "x"}',
        '{print | "x"}',
        '{"x" | getline}',
        "{getline < f}",
        '@load "x"',
    ),
    *(
        '{print ENVIRON["A"]}',
        'BEGIN{ARGV[1]="x"}',
        '{ if (1) /"/; system("x") #"/ }',
        '{print $1 |& "x"}',
        "PROCINFO[1]",
    ),
    *(
        '{close("x")}',
        'function f(x){system(x)} {f("id")}',
        "function system(x){} {system(1)}",
        "function f(){return ENVIRON[1]}",
        "{f(1)}",
        '{print "a" > $1}',
        '{printf "x" > "f"}',
        '{x = length /"/; system("x") #"/ }',
        # In a set of characters a slash ends the pattern for some interpreters, and for others it doesn't.
        '/[[:alpha:]/"]/ {system("x")} #"',
        '/[/"]/ {system("x")} #"',
        '/[]/"]/ {system("x")} #"',
        '/[[:]/"]/ {system("x")} #"',
        '/[\\]/"]/ {system("x")} #"',
        '/[[.x.]/"]/ {system("x")} #"',
        # What a loop begins with may be any statement, and what it prints a redirection.
        'BEGIN{for (print "x" > "f"; 0; ) {}}',
        'BEGIN{for (; 0; printf "x" > "f") {}}',
        # Its own streams are opened anew by some interpreters, and so emptied where they are files.
        '{print > "/dev/stderr"}',
        '{print > "/dev/stdout"}',
        # What stands behind the name goes on with it.
        '{print > "/dev/null" "x"}',
        '{print > "/dev/null" $1}',
        '{print > "/dev/null"x}',
        '{print > "/dev/nullx"}',
        '{print > "/dev/null/../x"}',
        '{print > "/dev/null", "x"}',
        '{print > "/dev/null" > "x"}',
        '{print > "/dev/null"; print > "x"}',
        '{print > ("/dev/null" "x")}',
        '{print > "/dev/tcp/h/80"}',
        '{print > "/dev/null" /"/; system("x") #"/ }',
        'BEGIN{for (print "x" > "/dev/null"; 0; ) {}}',
        *("{print ERRNO}", "{FIELDWIDTHS=1}", "{print SYMTAB[1]}", "BEGIN{TEXTDOMAIN=1}", "{LINT=1}", "{FUNCTAB[1]}"),
    ),
]


@pytest.mark.parametrize("script", SED)
def test_sed(script):
    assert sed_only_prints(script)


@pytest.mark.parametrize("script", SED_REFUSED)
def test_sed_refused(script):
    assert not sed_only_prints(script)


@pytest.mark.parametrize("script", AWK)
def test_awk(script):
    assert awk_only_prints(script)


@pytest.mark.parametrize("script", AWK_REFUSED)
def test_awk_refused(script):
    assert not awk_only_prints(script)


@pytest.mark.parametrize("script", [".", ".a[] | select(.b)", ".env", ".a.env.b", '"x\\(.a)"', "keys", ".environment"])
def test_jq(script):
    assert jq_only_prints(script)


@pytest.mark.parametrize(
    "script", ["env", "$ENV", ".a|env", "env.PATH", '"\\(env)"', 'import "a" as a; .', 'include "a";.']
)
def test_jq_refused(script):
    assert not jq_only_prints(script)


def given(*texts):
    return [Word(text.replace("?", HOLE), text, quoted="?" in text) for text in texts]


FORMATS = [
    *(("%s\n", "a"), ("%-10s|%%", "?"), ("%s %q %b %c", "?", "?"), ("x",), ("%d",), ("%5.1f%%", "12.3"), ("%x", "255")),
    *(
        ("%d %s\n", "1", "a", "-2", "b"),
        ("%+d % d %05d", "3", "0x1f", "1e3"),
        ("%(%F)T", "-1"),
        ("%d", "'A"),
        ("%.sX", "a"),
        ("%.f", "1"),
    ),
]
NO_FORMATS = [
    *(
        ("%*s", "3", "a"),
        ("%",),
        ("%n", "x"),
        ("%ld", "1"),
        ("%d", "a"),
        ("%d", "a[$(touch p)]"),
        ("%s %d", "1", "a[0]"),
    ),
    *(
        ("%d %s", "1", "a", "b", "2"),
        ("%(%F)T", "x"),
        ("%(a", "1"),
        ("%d", "1+1"),
        ("%d", ""),
        ("%1$s", "a"),
        ("%d", "1 "),
    ),
]


@pytest.mark.parametrize("texts", FORMATS, ids=" ".join)
def test_formats(texts):
    assert format_fits(texts[0], given(*texts[1:]), evaluates=True)


@pytest.mark.parametrize("texts", NO_FORMATS, ids=" ".join)
@pytest.mark.parametrize("evaluates", [False, True])
def test_formats_refused(texts, evaluates):
    assert not format_fits(texts[0], given(*texts[1:]), evaluates=evaluates)


@pytest.mark.parametrize("texts", [("%d", "?"), ("%s %d", "a", "x?"), ("%d %s", "1", "?")], ids=" ".join)
def test_what_is_not_known_is_no_number_where_a_shell_may_take_it_for_a_sum(texts):
    assert not format_fits(texts[0], given(*texts[1:]), evaluates=True)
    assert format_fits(texts[0], given(*texts[1:]), evaluates=False)


def condition(text):
    return [Word(word.replace("?", HOLE), word, quoted="?" in word) for word in text.split()]


LOOKS = [
    "-f a",
    "! -d a",
    "? = b",
    "a != ?",
    "-n ?",
    "-z ?",
    "a -nt b",
    "1 -lt 2",
    "-t 1",
    "-f a -a -d b",
    "( -f a )",
    "?",
    "",
]
EVALUATES = [
    "-v a",
    "-R a",
    "? ?",
    "? -eq 1",
    "a[0] -eq 1",
    "-t ?",
    "-t a[0]",
    "-f a -a ? = b",
    "-o",
    "a b",
    "-f a b",
    "( -f a",
]


@pytest.mark.parametrize("text", LOOKS)
def test_conditions(text):
    assert read_condition(condition(text), doubled=False) is not None


@pytest.mark.parametrize("text", EVALUATES)
@pytest.mark.parametrize("doubled", [False, True])
def test_conditions_refused(text, doubled):
    if doubled and text == "-f a -a ? = b":
        text = "-v ? && -f a"
    assert read_condition(condition(text), doubled=doubled) is None


@pytest.mark.parametrize(
    ("text", "fine"), [("? -eq 1", True), ("1 -lt x?", True), ("a[0] -eq 1", False), ("? -eq 1 -a b", False)]
)
def test_what_is_not_known_is_at_worst_no_number_where_nothing_is_evaluated(text, fine):
    assert (read_condition(condition(text), doubled=False, evaluates=False) is not None) is fine
    assert read_condition(condition(text), doubled=True, evaluates=False) is None


def test_paths_of_a_condition():
    assert [word.shape for word in read_condition(condition("-f a && ! -d b"), doubled=True)] == ["a", "b"]
