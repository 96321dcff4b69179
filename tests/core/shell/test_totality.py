"""The analysis never raises, and is never less strict for how a text is written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.shell.conftest import shipped
from lineclear.core.call import Dialect, Environment
from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.examples import WORKSPACE
from lineclear.core.shell.programs import Programs

PROGRAMS = Programs.of(shipped())
ENVIRONMENTS = [Environment(), *(replace(WORKSPACE, dialect=dialect) for dialect in Dialect)]
PIECES = [
    *("ls", "cat", "rm", "-rf", '"', "'", "$", "$(", "`", "{", "}", "(", ")", "<<E", "E", "a", "b,c", "..", "x="),
    *("&&", "||", ";", "|", "&", ">", "<", ">>", "2>&1", "<<<", "\\", "$x", "${x", "${x:-", "$((", "))", "[["),
    *("]]", "[", "]", "if", "then", "fi", "for", "in", "do", "done", "case", "esac", ";;", "while", "#", "~"),
    *("*", "?", "!", "find", "-exec", "{}", "\\;", "xargs", "bash", "-c", "sudo", "env", "A=1", "sed", "s/a/b/"),
    *("awk", "{print}", "git", "log", "-C", "=cmd", "@", "+", "f()", "time", "--", "-", "cp", "tar", "cf"),
    *("printf", "%s", "test", "-f", "cd", "export", "<(", "$'", "\\x41", "tee", "rsync", "a:b", "http://x/"),
    *("dd", "of=x", "kill", "\ufdd0", "é", "\u200b"),
]
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*PIECES, "\n", "\t", "\\\n", "\0", "\r"]), max_size=14).flatmap(
        lambda pieces: st.sampled_from(["", " "]).map(lambda blank: blank.join(pieces))
    ),
)


@settings(max_examples=600, deadline=None)
@given(text=TEXTS, environment=st.sampled_from(ENVIRONMENTS))
@example(text="cp -t", environment=WORKSPACE)
@example(text="find . -exec", environment=WORKSPACE)
def test_it_never_raises(text, environment):
    effects = analyse(text, environment, PROGRAMS)
    assert effects.doubt is None or (effects.raw == text and not effects.read_only)
    assert all(command.index == at for at, command in enumerate(effects.commands))


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.text(max_size=12), max_size=8), environment=st.sampled_from(ENVIRONMENTS))
def test_nor_for_a_list_of_words(words, environment):
    analyse(words, environment, PROGRAMS)


COMMANDS = st.sampled_from(
    [
        "ls -la src",
        "rm -rf build",
        "git log",
        "cat a",
        "npm test",
        "echo x",
        "sed -i s/a/b/ c",
        "grep -rn a .",
        "git push",
    ]
)
JOINS = st.sampled_from([" && ", "; ", "\n", " | ", " || ", " & "])


@settings(max_examples=150, deadline=None)
@given(first=COMMANDS, join=JOINS, second=COMMANDS)
def test_the_whole_is_as_strict_as_its_parts(first, join, second):
    whole = analyse(first + join + second, WORKSPACE, PROGRAMS)
    parts = [analyse(part, WORKSPACE, PROGRAMS) for part in (first, second)]
    assert whole.read_only == all(part.read_only for part in parts)
    assert {touch.spelled for part in parts for touch in part.touches} <= {touch.spelled for touch in whole.touches}


QUOTES = st.sampled_from(
    [lambda w: w, lambda w: f"'{w}'", lambda w: f'"{w}"', lambda w: w[0] + "''" + w[1:], lambda w: "\\" + w]
)


@settings(max_examples=150, deadline=None)
@given(command=COMMANDS, data=st.data())
def test_quoting_changes_nothing(command, data):
    written = " ".join(data.draw(QUOTES)(word) for word in command.split())
    plain, quoted = analyse(command, WORKSPACE, PROGRAMS), analyse(written, WORKSPACE, PROGRAMS)
    assert plain.read_only == quoted.read_only
    assert [[w.shape for w in c.words] for c in plain.commands] == [[w.shape for w in c.words] for c in quoted.commands]
    assert plain.touches == quoted.touches


@pytest.mark.parametrize(
    "wrap", ["( {} )", "{{ {}; }}", "! {}", "if {}; then :; fi", "bash -c '{}'", 'echo "$({})"', "timeout 5 {}"]
)
@pytest.mark.parametrize("command", ["rm -rf build", "ls", "git push"])
def test_nothing_around_it_makes_a_command_harmless(wrap, command):
    inner, whole = (analyse(text, WORKSPACE, PROGRAMS) for text in (command, wrap.format(command)))
    assert whole.read_only == inner.read_only
    assert {(t.spelled, t.deed) for t in inner.touches} <= {(t.spelled, t.deed) for t in whole.touches}
