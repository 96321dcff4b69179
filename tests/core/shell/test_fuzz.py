"""A bounded fuzzer: real commands, cut, doubled, spliced and spoiled; the same texts each time."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from benchmarks.truth.shfmt import MISSING, PROGRAM, differences

from core.shell.conftest import shipped
from core.shell.test_against_shfmt import WRITTEN
from lineclear.core.call import Dialect, Environment
from lineclear.core.effects import Proof
from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.examples import WORKSPACE
from lineclear.core.shell.programs import Programs
from support.given import corpora

PROGRAMS = Programs.of(shipped())
ENVIRONMENTS = [Environment(), *(replace(WORKSPACE, dialect=dialect) for dialect in Dialect)]
SPOILS = [
    *(
        "'",
        '"',
        "\\",
        "`",
        "$",
        "$(",
        ")",
        "${",
        "}",
        "(",
        "{",
        "|",
        "||",
        "&",
        "&&",
        ";",
        ";;",
        "\n",
        "\\\n",
        "#",
        " ",
    ),
    *(
        "<",
        ">",
        ">&",
        "<<E\n",
        "\nE\n",
        "<<<",
        "<(",
        "*",
        "?",
        "[",
        "]",
        "[[",
        "]]",
        "!",
        "~",
        "=",
        "-",
        "--",
        "@",
        "%",
    ),
    *("\0", "\t", "\r", "\x1b", "\ufdd0", "\ufeff", "\u00a0", "\u200b", "\u202e", "é", "e\u0301", "漢", "😀", "\ud800"),
    *(" if ", " then ", " fi ", " do ", " done ", " in ", " time ", "rm -rf x", "${IFS}", "$'\\x72m'", "{a,b}", "$x"),
]


def seeds():
    """Each twentieth command of the corpora."""
    found = list(WRITTEN)
    for name in ("shell_real.jsonl", "shell_verdicts.jsonl"):
        lines = (corpora() / name).read_text(encoding="utf-8").splitlines()
        found += [json.loads(line)["command"] for line in lines[::20]]
    return found


def spoiled(seed, others):
    """A text made from another by a few changes."""
    chance = random.Random(seed)
    text = chance.choice(others)
    for _ in range(chance.randint(1, 4)):
        start, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        end = min(end, start + 12)
        match chance.randrange(5):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:end] + text[start:end] + text[end:]
            case 2:
                text = text[:start] + chance.choice(SPOILS) + text[start:]
            case 3:
                text = text[:start] + chance.choice(SPOILS) + text[end:]
            case _:
                other = chance.choice(others)
                text = text[:start] + other[chance.randint(0, len(other)) :]
    return text


@pytest.fixture(scope="module")
def texts():
    others = seeds()
    return [spoiled(seed, others) for seed in range(4_000)]


def test_it_never_raises_and_what_it_says_holds_together(texts):
    for at, text in enumerate(texts):
        effects = analyse(text, ENVIRONMENTS[at % len(ENVIRONMENTS)], PROGRAMS)
        assert effects.doubt is None or effects.raw is not None, text
        assert effects.commands or effects.touches or effects.hosts or effects.doubt is not None, text
        for command in effects.commands:
            assert (command.proof is Proof.NONE) == bool(command.why), text
            assert command.wrapper is None or command.wrapper < command.index, text
        assert all(touch.by is None or touch.by < len(effects.commands) for touch in effects.touches), text


def test_a_stricter_environment_proves_no_more(texts):
    strict = replace(WORKSPACE, dialect=Dialect.UNKNOWN, repository_trusted=False)
    for text in texts[::4]:
        if analyse(text, strict, PROGRAMS).read_only:
            assert analyse(text, WORKSPACE, PROGRAMS).read_only, text


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_what_is_still_proven_has_the_words_that_another_parser_sees(texts):
    wrong = {}
    for text in texts[::3]:
        effects = analyse(text, WORKSPACE, PROGRAMS)
        if effects.read_only and (found := differences(text, effects)):
            wrong[text] = found
    assert wrong == {}
