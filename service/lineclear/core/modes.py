"""The six permission modes, and which one holds when the wished one isn't allowed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """A session's permission mode, from the most permissive to the strictest."""

    BYPASS = "bypassPermissions"
    AUTO = "auto"
    ACCEPT_EDITS = "acceptEdits"
    DEFAULT = "default"
    PLAN = "plan"
    DONT_ASK = "dontAsk"


STRICTNESS = {mode: rank for rank, mode in enumerate(Mode)}
"""How strict a mode is, 0 to 5, in the order in which they fall back."""


@dataclass(frozen=True, slots=True)
class ModePolicy:
    """Which modes the policy allows, and which one holds where a call names none."""

    default: Mode = Mode.DEFAULT
    allowed: frozenset[Mode] = frozenset(Mode) - {Mode.BYPASS}

    def effective(self, wish: Mode | None, *, may_loosen: bool) -> Mode:
        """The mode in which a call is decided.

        A wish that isn't allowed falls to the nearest stricter allowed mode, and where there is none to
        ``DONT_ASK``. A caller that may not loosen is only heard if it wishes for something stricter than the default.
        """
        base = self._nearest(self.default)
        if wish is None:
            return base
        wished = self._nearest(wish)
        if not may_loosen and STRICTNESS[wished] <= STRICTNESS[base]:
            return base
        return wished

    def _nearest(self, mode: Mode) -> Mode:
        if mode in self.allowed:
            return mode
        stricter = [other for other in Mode if STRICTNESS[other] > STRICTNESS[mode] and other in self.allowed]
        return stricter[0] if stricter else Mode.DONT_ASK
