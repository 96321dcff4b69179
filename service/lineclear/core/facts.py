"""Everything that a decision depends on, gathered beforehand into one frozen value."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from lineclear.core.standing import Standing

if TYPE_CHECKING:
    from datetime import date, datetime

    from lineclear.core.call import Call
    from lineclear.core.effects import Effects
    from lineclear.core.own import Own
    from lineclear.core.tools import Tool


class Facts(Struct, frozen=True):
    """What was observed of one call.

    ``fault`` says in words why the input doesn't fit the tool, None if it does. ``today`` is the day by the engine's
    clock in UTC, on which rules expire; ``own`` is what of this machine is Lineclear itself; ``standing`` is what was
    said in its session. ``now`` is the moment itself, None where only the day matters, and ``age`` that of the session:
    only conditions ask for them.
    """

    call: Call
    tool: Tool
    effects: Effects
    today: date
    own: Own
    fault: str | None = None
    standing: Standing = Standing()
    now: datetime | None = None
    age: timedelta = timedelta(0)

    def in_session(self, standing: Standing, now: datetime | None, age: timedelta) -> Facts:
        """The same as it stands in a session."""
        return Facts(self.call, self.tool, self.effects, self.today, self.own, self.fault, standing, now, age)
