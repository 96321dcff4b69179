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
    from collections.abc import Callable, Sequence

    from lineclear.core.call import Stated
    from lineclear.core.policy import Policy

FEW, MANY = 100, 10_000
LONGEST = 10_000
"""Characters of the longest command that the analysis reads."""
LENGTHS = (20, 100, 500, 2_500, LONGEST)
CONDITIONS = 10
SHORT = "git status --short"
EVERYDAY = (
    SHORT,
    "ls -la src",
    "cat README.md",
    "npm test",
    "git diff --stat HEAD~1",
    "grep -rn TODO src | head -20",
    "cd src && ls",
    "python3 -m pytest -q tests",
    "rm -rf build",
    "find . -name '*.py' -print",
)
LONG = (
    "cd src && for f in *.py; do grep -n 'import os' \"$f\" | head -3; done && git log --oneline -5 2>/dev/null",
    "docker run --rm -v \"$PWD\":/src -w /src node:22 sh -c 'npm ci && npm run build && npm test' | tee out.log",
    "find . -type f -name '*.log' -mtime +7 -exec ls -la {} + | sort -k5 -n | tail -20 | awk '{print $9}' > old.txt",
    "cat > notes.md <<'END'\n# Notes\n- a line, (brackets) and $dollars\nEND\nwc -l notes.md && git add notes.md",
    "export NODE_ENV=test; (cd web && npm run lint -- --fix); (cd api && python3 -m pytest -x -q tests) || echo failed",
)

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


def measured(repeats: int, rules: Sequence[int] = (FEW, MANY)) -> dict[str, Any]:
    """Microseconds of ``judge`` and of the analysis, and milliseconds of the worst texts."""
    beneath = Beneath.read(ROOT / "policies" / "builtin")
    policies = {number: load_text(workload.organisation(number), beneath) for number in rules}
    few = policies[rules[0]]
    conditions = load_text(workload.conditions(CONDITIONS), beneath)
    short = _stated(SHORT)
    # In turns, so that a machine that gets slower meanwhile doesn't look like growth.
    judged: dict[int, list[float]] = {number: [] for number in policies}
    for _ in range(repeats):
        for number, policy in policies.items():
            judged[number].append(_us(partial(_judge_anew, short, policy)))
    grown = {number: round(statistics.median(found), 1) for number, found in judged.items()}
    worst = {name: _ms(_stated(text), few) for name, text in texts().items()}
    name = max(worst, key=lambda each: worst[each])
    return {
        "judge_us": {str(number): found for number, found in grown.items()},
        "growth": round(grown[rules[-1]] / grown[rules[0]], 3),
        "with_conditions_us": _median(partial(_judge_anew, short, conditions), repeats),
        "analysis_us": _analysis(EVERYDAY, few, repeats),
        "analysis_long_us": _analysis(LONG, few, repeats),
        "by_length_us": {str(length): _by_length(length, few) for length in LENGTHS},
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


def _judge_anew(stated: Stated, policy: Policy) -> object:
    """Judge a call as if nothing like it had been seen before."""
    return judge(stated, _KEY, policy, _OWN, _TODAY)


def _analysis(commands: Sequence[str], policy: Policy, repeats: int) -> float:
    """The median over the commands."""
    environment = _stated(SHORT).environment
    return round(
        statistics.median(
            _median(partial(analyse, command, environment, policy.programs), repeats) for command in commands
        ),
        1,
    )


def _by_length(length: int, policy: Policy) -> float:
    """A script of this many characters, of everyday commands in turns."""
    text = ("\n".join(EVERYDAY) + "\n") * (length // 50 + 1)
    environment = _stated(SHORT).environment
    return round(min(_us(partial(analyse, text[:length], environment, policy.programs), 5) for _ in range(3)), 1)


def _stated(command: str) -> Stated:
    call = next(workload.calls())
    return from_mapping(call | {"tool_name": "Bash", "tool_input": {"command": command}})


def _median(work: Callable[[], object], repeats: int) -> float:
    return round(statistics.median(_us(work) for _ in range(repeats)), 1)


def _us(work: Callable[[], object], times: int = 100) -> float:
    """The mean time of a piece of work, in microseconds."""
    begun = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begun) / times * 1e6


def _ms(stated: Stated, policy: Policy) -> float:
    """The best of three, in milliseconds: the text is the same each time, so that more is the machine's doing."""
    runs = []
    for _ in range(3):
        begun = time.process_time()
        _judge_anew(stated, policy)
        runs.append((time.process_time() - begun) * 1000)
    return round(min(runs), 3)
