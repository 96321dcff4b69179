"""How much work it would be to read a text, told before it is read; a text is refused rather than read slowly."""

from __future__ import annotations

import re

MAX_OPERATORS = 800
"""How many operators and brackets a text may have: out of place, the grammar's time grows with their square."""

MAX_CONDITIONS = 3_000
"""How many characters may stand from the first condition on, here-documents aside: the grammar reads those slowly."""

_OPERATOR = re.compile(r"[|&;()<>]|\[\[?")
_MOST = {"$": 500, "`": 200, "<<": 20, "case": 100, "\n": 1500}
_LITTLE = 200
"""Of so few characters only here-documents can be too much."""
_CONDITION = re.compile(r"(?:^|(?<=[\s;&|(!{]))\[\[?(?=\s)|\(\(|\$\[|\$\{(?![^}]{0,200}\})")
_PLAIN = r"[^'\"`\\#$(){}\[\]<"
_HEREDOC = re.compile(
    rf"{_PLAIN}]*<<(?P<tabs>-?)[ \t]*(?P<quote>['\"]?)(?P<end>[A-Za-z0-9_]+)(?P=quote){_PLAIN}\n]*\n",
)


def too_much(text: str) -> bool:
    """Whether a text would take too long to read."""
    if len(text) < _LITTLE:
        return text.count("<<") > _MOST["<<"]
    if any(text.count(mark) > most for mark, most in _MOST.items()):
        return True
    if len(text) > MAX_OPERATORS and len(_OPERATOR.findall(text)) > MAX_OPERATORS:
        return True
    return len(text) > MAX_CONDITIONS and _conditions(text) > MAX_CONDITIONS


def _conditions(text: str) -> int:
    start = _behind_heredocs(text)
    found = _CONDITION.search(text, start)
    return len(text) - found.start() if found else 0


def _behind_heredocs(text: str) -> int:
    """Where the here-documents end with which a text begins; what stands in them is data, whose length is no work."""
    at = 0
    while opened := _HEREDOC.match(text, at):
        closed = f"\n{opened['end']}\n"
        end = text.find(closed, opened.end() - 1)
        if end < 0:
            return len(text) if text.endswith(closed[:-1]) and not opened["tabs"] else at
        at = end + len(closed) - 1
    return at
