"""A span of time as it is typed: ``90m``, ``24h``, ``7d``, ``4w`` before now."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from lineclear.cli.failure import Failure

FORMS = "`90m`, `24h`, `7d` or `4w`"
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def before_now(span: str) -> datetime:
    """The moment so long ago. Raises ``Failure``."""
    form = re.fullmatch(r"([1-9][0-9]{0,5})([mhdw])", span)
    if form is None:
        raise Failure(f"`{span}` is no time span; write {FORMS}")
    try:
        return datetime.now(UTC) - timedelta(**{_UNITS[form[2]]: int(form[1])})
    except OverflowError:
        raise Failure(f"`{span}` is before all time; write a shorter one") from None
