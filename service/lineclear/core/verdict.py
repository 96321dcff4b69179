"""The answer to a call: an ordered enum without a truth value, so that no ``if verdict:`` can go wrong."""

from __future__ import annotations

from enum import Enum
from functools import total_ordering
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable


@total_ordering
class Verdict(Enum):
    """What the caller may do: ``ALLOW`` < ``ASK`` < ``DENY``, the strictest being the greatest."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def severity(self) -> int:
        """How strict the verdict is, 0 to 2; given by hand, since the values would compare by letters."""
        return _SEVERITY[self]

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        return self.severity < other.severity

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; compare it with `is`")


_SEVERITY = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """The strictest of several verdicts; of none, ``ASK``: no evidence is never a reason to allow."""
    return max(verdicts, default=Verdict.ASK)
