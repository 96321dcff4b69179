"""Words are what the shell makes of them: quotes, escapes, braces, tildes, variables."""

from __future__ import annotations

import pytest

from lineclear.core.call import Dialect
from lineclear.core.effects import Doubt
from lineclear.core.shell.words import HOLE

RESOLVED = {
    "quotes in a word": ("""r"m" x""", ["rm", "x"]),
    "single quotes": ("echo 'a $b `c` \"d\"'", ["echo", 'a $b `c` "d"']),
    "backslash": (r"r\m a\ b", ["rm", "a b"]),
    "continued line joins a word": ("r\\\nm x", ["rm", "x"]),
    "continued line between words": ("rm \\\n  x", ["rm", "x"]),
    "ansi-c": (r"$'\x72\x6d' $'a\tb'", ["rm", "a\tb"]),
    "ansi-c octal and unicode": (r"echo $'\162\u006d'", ["echo", "rm"]),
    "empty quotes": ("echo '' \"\"", ["echo", "", ""]),
    "empty quotes in a word": ("r''m", ["rm"]),
    "brace list": ("wc part{1,2,3}.diff", ["wc", "part1.diff", "part2.diff", "part3.diff"]),
    "brace sequence": ("echo {01..3} {c..a}", ["echo", "01", "02", "03", "c", "b", "a"]),
    "nested braces": ("echo a{b,c{1,2}}d", ["echo", "abd", "ac1d", "ac2d"]),
    "quoted braces": ("echo '{a,b}' \"{a,b}\" \\{a,b}", ["echo", "{a,b}", "{a,b}", "{a,b}"]),
    "braces that are no list": ("echo {} {a} {a..} +", ["echo", "{}", "{a}", "{a..}", "+"]),
    "tilde": ("ls ~ ~/x", ["ls", "/home/dev", "/home/dev/x"]),
    "quoted tilde": ("ls '~/x' \\~/x a~", ["ls", "~/x", "~/x", "a~"]),
    "tilde behind an equals sign": ("dd of=~/x", ["dd", "of=/home/dev/x"]),
    "home": ('ls $HOME/x "${HOME}"', ["ls", "/home/dev/x", "/home/dev"]),
    "unknown variables": ('echo "$x" ${y}z', ["echo", HOLE, HOLE + "z"]),
    "assigned before": ('f=a.txt; cat $f "$f"', ["cat", "a.txt", "a.txt"]),
    "blanks between unknown ones": (
        'echo "$x $y  ${z}\n`date`" "$(ls) $x"',
        ["echo", f"{HOLE} {HOLE}  {HOLE}\n{HOLE}", f"{HOLE} {HOLE}"],
    ),
    "dollar alone": ("grep \"foo$\" '$x' a$", ["grep", "foo$", "$x", "a$"]),
    "hash in a word": ("echo a#b", ["echo", "a#b"]),
    "carriage return is no blank": ("ls\r -l", ["ls\r", "-l"]),
    "no-break space is no blank": ("ls\u00a0-l", ["ls\u00a0-l"]),
    "operators in quotes": ("echo 'a; b && c | d' \"> (\"", ["echo", "a; b && c | d", "> ("]),
}


@pytest.mark.parametrize(("text", "expected"), RESOLVED.values(), ids=RESOLVED)
def test_resolved(words, text, expected):
    assert words(text)[-1] == expected


UNKNOWN = {
    "zsh: named directory": ("ls ~x/y", Dialect.ZSH),
    "zsh: path of a command": ("ls =x", Dialect.ZSH),
    "the same, dialect not known": ("ls =x", Dialect.UNKNOWN),
    "the directory stack": ("ls ~+ ~-", Dialect.BASH),
    "sh may not know brace lists": ("ls {a,b}", Dialect.SH),
    "sh may not know ansi-c quotes": ("ls $'a'", Dialect.SH),
    "a name that ends in a list": ("ls $HOM{E,X}", Dialect.BASH),
    "home was set": ("HOME=/x$y; ls $HOME", Dialect.BASH),
    "set by what is not known": ("f=a; unknown; ls $f", Dialect.BASH),
    "set in a loop": ("f=a; for x in 1 2 $y; do ls $f; f=b; done", Dialect.BASH),
}


@pytest.mark.parametrize(("text", "dialect"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_may_differ_is_a_hole(analysed, text, dialect):
    effects = analysed(text, dialect=dialect)
    command = next(command for command in effects.commands if command.words[0].shape == "ls")
    assert all(HOLE in word.shape for word in command.words[1:])
    assert not effects.read_only


UNREADABLE = {
    "prompt operator": "echo ${x@P}",
    "indirection": "echo ${!x}",
    "subscript": "echo ${x[y]}",
    "arithmetic with a name": "echo $((x))",
    "old arithmetic": "echo $[x]",
    "arithmetic command": "(( x = y ))",
    "locale quotes": 'echo $"a"',
    "subscript for a program": "ls[ x ]=1",
    "too many words": "echo " + "{a,b}" * 12,
    "backslash in backticks": "echo `echo \\`ls\\``",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_not_understood_is_a_doubt(analysed, text):
    effects = analysed(text)
    assert effects.doubt in {Doubt.CONSTRUCT, Doubt.PARSE_ERROR}
    assert effects.raw == text


def test_a_pattern_is_told_apart(analysed):
    command = analysed("cat *.py '*.py' a\\*").commands[0]
    assert [word.glob for word in command.words] == [False, True, False, False]


def test_words_of_a_list_are_literal(analysed):
    effects = analysed(["echo", "$(rm x)", "a;b", "~"])
    assert [word.shape for word in effects.commands[0].words] == ["echo", "$(rm x)", "a;b", "~"]
    assert len(effects.commands) == 1
    assert effects.read_only
