"""Plain words: read without the grammar they are what it reads, in every dialect; all else is left to it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.core.call import Dialect
from lineclear.core.shell.plainwords import MAX_PLAIN, plain_words
from lineclear.core.shell.scope import Scope
from lineclear.core.shell.walk import Walker
from support.given import corpora

SHELLS = [dialect for dialect in Dialect if dialect not in {Dialect.POWERSHELL, Dialect.CMD}]
SIGNS = "abzAZ019_./:,+@%=-"
WORDS = [
    *("if", "then", "do", "done", "in", "case", "esac", "for", "time", "coproc", "export", "declare", "unset", "end"),
    *("select", "function", "test", "let", "eval", "-", "--", "-n", "1", "22", ".", "..", "a=b", "a+=b", "--x=y", "-="),
    *("@", "%1", ":", "//", "+", "''", '""', "'a b'", '"x y"', "'$x'", "'*'", "'a\"b'", '"it\'s"', "'#'", "'a;b|c'"),
    *("'> x'", "'<<E'", '";"', "'&&'", "'(a)'", "'}'", '"}"', "'a{b,c}'", "'a=~x'", '":~"', "'\\\\n'", "'é'", "é"),
]
WORD = st.one_of(st.sampled_from(WORDS), st.text(SIGNS, min_size=1, max_size=6))
TEXTS = st.builds(
    lambda program, words: " ".join([program, *words]),
    st.one_of(st.sampled_from(["ls", "git", "./a", "A1", "test", ".", "_", "/bin/x", "time", "export"]), WORD),
    st.lists(WORD, max_size=5),
)
OTHERS = {
    "nothing": "",
    "a blank before": " ls",
    "a blank behind": "ls ",
    "two blanks": "ls  a",
    "a tab": "ls\ta",
    "lines": "ls\na",
    "an assignment": "a=b",
    "an assignment before": "a=b ls",
    "an element": "a[1]=b ls",
    "a word of the grammar": "if a",
    "a declaration": "export a",
    "a test": "[ -f a ]",
    "a variable": "ls $a",
    "a variable in quotes": 'ls "$a"',
    "a substitution": "ls `a`",
    "a pattern": "ls *.py",
    "braces": "ls {a,b}",
    "a home": "ls ~/a",
    "a home in quotes": "ls '~/a'",
    "a program in zsh": "ls =ls",
    "a program in zsh, in quotes": "ls '=ls'",
    "history": "ls !!",
    "history in quotes": 'ls "!!"',
    "an escape": "ls a\\ b",
    "an escape in quotes": 'ls "a\\$b"',
    "quotes within a word": "ls a'b'",
    "quotes side by side": "ls 'a''b'",
    "open quotes": "ls 'a",
    "a comment": "ls # a",
    "a pipe": "ls | a",
    "a list": "ls; a",
    "in the background": "ls &",
    "a redirect": "ls > a",
    "a descriptor": "ls 2>&1",
    "a here-document": "ls <<E",
    "a control character": "ls 'a\x1bb'",
    "a name in quotes": "'ls' a",
    "a line's end in quotes": "ls 'a\nb'",
    "long": "ls " + "a" * MAX_PLAIN,
}


class Taken:
    """A sink that keeps what a walker finds."""

    def __init__(self):
        self.commands, self.others = [], []

    def simple(self, command):
        self.commands.append(command)

    def redirects(self, redirects, scope):
        self.others.append((redirects, scope))
        return True

    def doubt(self, doubt):
        self.others.append(doubt)

    def moves(self, _):
        return False

    def tells_folder(self, _):
        return False

    def full(self):
        return False


def by_grammar(text, dialect):
    """The words of a text of one command with nothing else about it, None of any other."""
    sink = Taken()
    Walker(text, dialect, sink).run(Scope("/work", "/home/dev"))
    if sink.others or len(sink.commands) != 1:
        return None
    command = sink.commands[0]
    else_ = (command.assigned, command.redirects, command.names, command.stdin, command.fed, command.known)
    return None if any(else_) or command.text != text else command.words


@settings(max_examples=1_500, deadline=None)
@given(text=TEXTS)
def test_the_grammar_reads_the_same(text):
    words = plain_words(text)
    if words is not None:
        assert [by_grammar(text, dialect) for dialect in SHELLS] == [words] * len(SHELLS)


def test_so_it_does_with_commands_that_were_really_typed():
    texts = set()
    for name in ("shell_real.jsonl", "shell_verdicts.jsonl"):
        lines = (corpora() / name).read_text(encoding="utf-8").splitlines()
        texts |= {json.loads(line)["command"] for line in lines}
    plain = {text: words for text in sorted(texts) if (words := plain_words(text)) is not None}
    assert len(plain) > 1_000
    assert {text for text, words in plain.items() if by_grammar(text, Dialect.UNKNOWN) != words} == set()


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_what_is_not_plain_is_left_to_the_grammar(text):
    assert plain_words(text) is None
