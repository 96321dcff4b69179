"""A text that leaves a mark where a real shell runs it isn't proven, wherever in it the mark is made."""

from __future__ import annotations

import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

from core.shell.conftest import shipped
from lineclear.core.call import Dialect
from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.examples import WORKSPACE
from lineclear.core.shell.programs import Programs

PROGRAMS = Programs.of(shipped())
SEED = int(os.environ.get("LINECLEAR_FUZZ_SEED", "5"))
TEXTS = 2_000
SHELLS = {Dialect.BASH: ("bash", "-c"), Dialect.SH: ("dash", "-c"), Dialect.ZSH: ("zsh", "-fc")}
PATIENCE = 5
"""Seconds that a text may run: one that waits for its input leaves no mark any more."""

HARMLESS = [
    *("echo a", 'echo "a b"', "echo 'a b'", "echo a | cat", "cat <<< a", "echo a # b", "x=a; echo $x", "echo ${x:-a}"),
    *("for i in a b; do echo $i; done", "if true; then echo a; fi", "case a in a) echo x;; *) echo y;; esac"),
    *(
        "{ echo a; }",
        "(echo a)",
        "! echo a",
        "time echo a",
        "[ -n a ]",
        "[[ -n a && b ]]",
        "[[ a == b ]]",
        "[[ a < b ]]",
    ),
    *("cat <<E\na\nE\n", "cat <<'E'\na\nE\n", "cat <<E | cat\na\nE\n", "cat <<-E\n\ta\n\tE\n", "cat <<E; echo\na\nE\n"),
    *("echo a 2>/dev/null", "cat < /dev/null", "{ echo a; } 2>/dev/null", "while read f; do echo a; done < /dev/null"),
    *('while read f; do echo "$f"; done <<< a', "if true; then cat; fi <<< a", "if cat; then echo; fi <<< a"),
    *("echo {a,b}", "echo $'a'", "echo a\\\nb", 'echo "$(echo a)"', "echo `echo a`", "cat <(echo a)", "echo $((1+2))"),
    *(
        "sh -c 'echo a'",
        'bash -c "echo a"',
        "eval echo a",
        "timeout 5 echo a",
        "echo a && echo b || echo c",
        "echo a & echo",
    ),
    *(
        "sort <<< a | uniq",
        "printf '%s\\n' a",
        "echo *",
        "echo ~/a",
        "cd . && echo a",
        "LC_ALL=C echo a",
        "until true; do :; done",
    ),
]
PAYLOADS = [
    *("$(>mark)", "`>mark`", '"$(>mark)"', ">mark", " >mark ", "2>mark", "&>mark ", ">(>mark)", "<(>mark)", "(>mark)"),
    *(
        ";>mark;",
        "\n>mark\n",
        " && >mark",
        "|tee mark",
        "{ >mark; }",
        "x=$(>mark) ",
        "${x:-$(>mark)}",
        "$(( $(>mark) ))",
    ),
    *(
        " <<< $(>mark) ",
        " <<E\n$(>mark)\nE\n",
        "x[$(>mark)]",
        "$((x[$(>mark)]))",
        "$(( $(>mark) ))",
        "'$(>mark)",
        '"$(>mark)',
    ),
]
SPOILS = list("'\"\\`$(){}[]<>|&;#!~=*?-@%: \t\n")
JOINS = ["; ", " && ", " | ", "\n", " || ", " & "]


def texts():
    """Harmless texts, some of them joined, some spoiled, each with something in it that leaves a mark if it runs."""
    made = random.Random(SEED)
    for _ in range(TEXTS):
        text = made.choice(HARMLESS)
        if made.random() < 0.4:
            text += made.choice(JOINS) + made.choice(HARMLESS)
        for spoil in (*made.choices(SPOILS, k=made.choice((0, 0, 1))), made.choice(PAYLOADS)):
            at = made.randrange(len(text) + 1)
            text = text[:at] + spoil + text[at:]
        yield text


def marked(shell, text):
    """Whether a shell leaves a mark, or any other file, when it runs a text."""
    with TemporaryDirectory() as folder:
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [*shell, text],
                cwd=folder,
                env={"PATH": os.defpath, "HOME": folder},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )
        return bool(list(Path(folder).iterdir()))


@pytest.mark.parametrize("dialect", SHELLS)
def test_what_leaves_a_mark_is_not_proven(dialect):
    shell = SHELLS[dialect]
    if which(shell[0]) is None:
        pytest.skip(f"there is no {shell[0]} here")
    environment = replace(WORKSPACE, dialect=dialect)
    proven = [text for text in texts() if analyse(text, environment, PROGRAMS).read_only]
    assert len(proven) > 25, "the texts are too far from what is proven to tell anything"
    with ThreadPoolExecutor(2) as pool:
        left = pool.map(lambda text: marked(shell, text), proven)
    assert [text for text, mark in zip(proven, left, strict=True) if mark] == []


def test_a_mark_is_seen():
    assert marked(("sh", "-c"), "echo $(>mark)")
