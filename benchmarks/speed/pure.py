"""The pure decision, in processor time: how it grows with the rules, and what the worst text costs."""

from __future__ import annotations

import statistics
import time
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.service import ROOT
from benchmarks.speed import workload

from lineclear.core.call import Key, Principal, Role
from lineclear.core.own import Own
from lineclear.core.shell.analysis import analyse
from lineclear.engine.judge import judge
from lineclear.policyfiles.compiling import Beneath
from lineclear.policyfiles.load import load_text
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from collections.abc import Callable

    from lineclear.core.call import Stated
    from lineclear.core.policy import Policy

FEW, MANY = 100, 10_000
LONGEST = 10_000
"""Characters of the longest command that the analysis reads."""
SHORT = "git status --short"

_KEY = Key("bench", Role.HOST, Principal("bench"))
_TODAY = date(2026, 6, 1)
_OWN = Own()
_HOSTILE = {
    "many commands": "a;",
    "many pipes": "a|",
    "many words": "a ",
    "many options of a known program": "-l ",
    "nested substitutions": "$(",
    "nested arithmetic": "$((",
    "open parentheses": "((",
    "open braces": "{a,",
    "expanding braces": "{a,b}",
    "stars": "*",
    "quotes": "'\"",
    "backslashes": "\\",
    "redirects": ">a ",
    "here-documents": "<<a ",
    "assignments": "a=b ",
    "variables": "$a ",
    "one long word": "a",
    "wrappers": "env ",
    "negations": "! ",
    "paths up": "../",
    "long options": "--a=b ",
    "wide characters": "漢",
    "new lines": "a\n",
    "functions": "f(){",
    "cases": "case a in a) ",
    "removals": "rm -rf a/*;",
    "searches": "find . -exec a {} + ;",
    "shells in shells": "sh -c '",
}
"""Pieces of which each text consists, repeated to the longest that is read; all of our own making."""
_BEFORE = {"many options of a known program": "ls ", "paths up": "cat ", "stars": "ls ", "one long word": "cat "}


def measured(repeats: int) -> dict[str, Any]:
    """Microseconds of ``judge`` for a short command with few and many rules, and milliseconds of the worst text."""
    beneath = Beneath.read(ROOT / "policies" / "builtin")
    few, many = (load_text(workload.organisation(rules), beneath) for rules in (FEW, MANY))
    short = _stated(SHORT)
    with_few, with_many = (_us(partial(_judge, short, policy), repeats) for policy in (few, many))
    worst = {name: _ms(_stated(text), few) for name, text in texts().items()}
    name = max(worst, key=lambda each: worst[each])
    return {
        "judge_us": {str(FEW): with_few, str(MANY): with_many},
        "growth": round(with_many / with_few, 3),
        "analysis_us": _us(lambda: analyse(SHORT, short.environment, few.programs), repeats),
        "worst": {"text": name, "ms": worst[name]},
        "texts_ms": worst,
    }


def texts() -> dict[str, str]:
    """Hostile commands of the longest kind, by name."""
    made = {}
    for name, piece in _HOSTILE.items():
        before = _BEFORE.get(name, "")
        made[name] = (before + piece * (LONGEST // len(piece) + 1))[:LONGEST]
    return made


def _judge(stated: Stated, policy: Policy) -> object:
    return judge(stated, _KEY, policy, _OWN, _TODAY)


def _stated(command: str) -> Stated:
    call = next(workload.calls())
    return from_mapping(call | {"tool_name": "Bash", "tool_input": {"command": command}})


def _us(work: Callable[[], object], repeats: int) -> float:
    """The median time of a piece of work, in microseconds, over runs of a hundred."""
    runs = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(100):
            work()
        runs.append((time.process_time() - begun) * 1e4)
    return round(statistics.median(runs), 1)


def _ms(stated: Stated, policy: Policy) -> float:
    """The best of three, in milliseconds: the text is the same each time, so that more is the machine's doing."""
    runs = []
    for _ in range(3):
        begun = time.process_time()
        _judge(stated, policy)
        runs.append((time.process_time() - begun) * 1000)
    return round(min(runs), 3)
