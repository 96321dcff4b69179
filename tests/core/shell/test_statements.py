"""Which commands a text holds, whatever stands around them; and where that can't be told."""

from __future__ import annotations

import pytest

from lineclear.core.call import Dialect
from lineclear.core.effects import Doubt

FOUND = {
    "list": ("aa && bb || cc; dd", ["aa", "bb", "cc", "dd"]),
    "lines": ("aa\n\n# note\nbb", ["aa", "bb"]),
    "pipeline": ("aa | bb |& cc", ["aa", "bb", "cc"]),
    "background": ("aa & bb", ["aa", "bb"]),
    "subshell and group": ("(aa; bb) && { cc; }", ["aa", "bb", "cc"]),
    "negation": ("! aa", ["aa"]),
    "if": ("if aa; then bb; elif cc; then dd; else ee; fi", ["aa", "bb", "cc", "dd", "ee"]),
    "while": ("while aa; do bb; done", ["aa", "bb"]),
    "for, literal words": ("for f in 1 2; do aa $f; done", ["aa", "aa"]),
    "for, unknown words": ("for f in $x; do aa $f; done", ["aa"]),
    "case": ("case $x in a) aa;; *) bb;; esac", ["aa", "bb"]),
    "substitution": ('aa "$(bb)" `cc`', ["bb", "cc", "aa"]),
    "nested substitution": ('aa "$(bb "$(cc)")"', ["cc", "bb", "aa"]),
    "process substitution": ("aa <(bb) >(cc)", ["bb", "cc", "aa"]),
    "in an assignment": ("x=$(aa)", ["aa"]),
    "in a redirect": ("aa > $(bb)", ["bb", "aa"]),
    "in a heredoc": ("aa <<E\n$(bb)\nE\ncc", ["bb", "aa", "cc"]),
    "not in a quoted heredoc": ("aa <<'E'\n$(bb)\nE\ncc", ["aa", "cc"]),
    "behind a heredoc": ("aa <<E && bb | cc\ntext\nE\ndd", ["aa", "bb", "cc", "dd"]),
    "in a here-string": ("aa <<<$(bb)", ["bb", "aa"]),
    "words behind a redirect": ("aa >x bb", ["aa"]),
    "comment behind a continued word": ("aa \\\n# note", ["aa"]),
}


@pytest.mark.parametrize(("text", "names"), FOUND.values(), ids=FOUND)
def test_found(words, analysed, text, names):
    assert [found[0] for found in words(text)] == names
    assert analysed(text).doubt is None


def test_what_stands_behind_a_closed_descriptor_is_the_commands_own(words):
    assert words("find . 2>&- -delete") == [["find", ".", "-delete"]]
    assert words("rm a >&- && ls 2>&-") == [["rm", "a"], ["ls"]]


DOUBTS = {
    "nothing": ("", Doubt.EMPTY),
    "blanks": (" \n\t", Doubt.EMPTY),
    "a comment": ("# rm -rf build", Doubt.EMPTY),
    "an assignment": ("FOO=bar", Doubt.EMPTY),
    "open quote": ("echo 'a", Doubt.PARSE_ERROR),
    "open substitution": ("echo $(ls", Doubt.PARSE_ERROR),
    "operators in a row": ("git log &&& git push", Doubt.PARSE_ERROR),
    "nothing behind an operator": ("ls &&", Doubt.PARSE_ERROR),
    "function": ("f() { ls; }; f", Doubt.CONSTRUCT),
    "select": ("select x in a; do ls; done", Doubt.CONSTRUCT),
    "loop of C": ("for ((i=0;i<n;i++)); do ls; done", Doubt.CONSTRUCT),
    "end of a case outside one": ("ls;; rm x", Doubt.CONSTRUCT),
    "heredoc that never ends": ("cat <<E\nls", Doubt.PARSE_ERROR),
    "heredoc with another delimiter": ("cat <<É\nx\nÉ\nls", Doubt.CONSTRUCT),
    "two heredocs": ("cat <<A <<B\na\nA\nb\nB", Doubt.PARSE_ERROR),
    "keyword that touches a word": ("{a,b}\nls; }", Doubt.CONSTRUCT),
    "reserved word as a program": ("time { ls; }", Doubt.CONSTRUCT),
    "reserved word of zsh": ("repeat 3 ls", Doubt.CONSTRUCT),
    "name that bash expands twice": ("ls >&'$(rm a)'", Doubt.CONSTRUCT),
    "name that bash expands twice, in double quotes": ('ls 2>&"\\$(rm a)"', Doubt.CONSTRUCT),
    "name that bash expands twice, in a variable": ("x='$(rm a)'; ls >&\"$x\"", Doubt.CONSTRUCT),
    "quotes in a name that bash expands twice": ("ls >&'.en\\v'", Doubt.CONSTRUCT),
    "the same for reading": ("cat <&'$(rm a)'", Doubt.CONSTRUCT),
    "assignment to zsh alone": ("é=1 rm a", Doubt.CONSTRUCT),
    "word that touches a closed descriptor": ("rm >&-x", Doubt.CONSTRUCT),
    "word that touches a closed descriptor, before a here-document": ("rm >&-x <<E\nE", Doubt.CONSTRUCT),
    "comment that is none behind an escaped letter": ("find . \\;\\\n#x -delete", Doubt.CONSTRUCT),
    "comment that is none behind a substitution": ("find .$((1+1))\\\n#x -delete", Doubt.CONSTRUCT),
    "here-string that goes on": ("sed <<<a>(ls) 'w b'", Doubt.CONSTRUCT),
    "value that goes on": ("x=1<(ls) rm a", Doubt.CONSTRUCT),
    "descriptor to zsh, word to bash": ("sed 2&>/dev/null 'w a'", Doubt.CONSTRUCT),
    "descriptor to bash, word to zsh": ("uniq a 11<b", Doubt.CONSTRUCT),
    "descriptor to bash, word to zsh, for writing": ("uniq a 11>&2", Doubt.CONSTRUCT),
    "variable for a descriptor": ("ls {PATH}<a; ls", Doubt.CONSTRUCT),
    "variable for a descriptor of a here-document": ("cat {x}<<E\nE", Doubt.CONSTRUCT),
    "descriptor that is continued": ("sed 2\\\n2<a 'w b'", Doubt.CONSTRUCT),
    "descriptor before a continued line": ("sed 2\\\n<a 'w b'", Doubt.CONSTRUCT),
    "unknown descriptor": ("ls >&$x", Doubt.CONSTRUCT),
    "stand-in for what isn't known": ("ls \ufdd0", Doubt.CONSTRUCT),
    "null": ("ls \0", Doubt.CONSTRUCT),
    "too long": ("ls " + "a" * 10_000, Doubt.TOO_LONG),
    "too many": ("true;" * 500, Doubt.TOO_MANY_PARTS),
    "too deep": ("( " * 40 + "ls" + ") " * 40, Doubt.TOO_DEEP),
    "wrapped too deep": ("timeout 1 " * 20 + "ls", Doubt.TOO_DEEP),
}


@pytest.mark.parametrize(("text", "doubt"), DOUBTS.values(), ids=DOUBTS)
def test_doubt(analysed, text, doubt):
    effects = analysed(text)
    assert effects.doubt is doubt
    assert effects.raw == text
    assert not effects.read_only


@pytest.mark.parametrize("dialect", [Dialect.POWERSHELL, Dialect.CMD])
def test_no_grammar_no_proof(analysed, dialect):
    assert analysed("ls", dialect=dialect).doubt is Doubt.DIALECT


@pytest.mark.parametrize("text", ["ls &> f", "ls <<< a", "[[ a ]]", "diff <(ls) a", "ls |& cat"])
def test_forms_that_another_sh_reads_otherwise(analysed, text):
    assert analysed(text, dialect=Dialect.SH).doubt is Doubt.CONSTRUCT


def test_what_was_found_beside_a_doubt_is_kept(words, analysed):
    assert ["rm", "-rf", "build"] in words("if rm -rf build; then")
    assert analysed("f() { rm -rf build; }").touches[0].recursive


def test_a_hundred_parts_are_not_too_many(analysed):
    assert analysed(" && ".join(["true"] * 100)).read_only
