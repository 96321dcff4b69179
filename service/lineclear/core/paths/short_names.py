"""Windows' short names (``PROGRA~1``): they stand for long ones that can't be known, and so prove nothing."""

from __future__ import annotations

import re

from lineclear.core.paths.steps import Glob

_SHORT = re.compile(r"(?P<stem>[^/.~]{1,7})~[0-9]{1,6}(?:\.(?P<extension>[^/.]{0,3}))?")
_HASHED = re.compile(r"(?P<stem>.{2})[0-9a-f]{4}", re.IGNORECASE)
"""What the system makes of the fifth and later names with one stem: two letters and four digits of a hash."""


def is_short(name: str) -> bool:
    """Whether a name may be a short one."""
    return "~" in name and _SHORT.fullmatch(name) is not None


def long_names(name: str) -> tuple[Glob, ...]:
    """The globs of names that a short one may stand for, none if it is no short one; blanks and dots were dropped."""
    match = _SHORT.fullmatch(name)
    if match is None:
        return ()
    stem = match["stem"]
    hashed = _HASHED.fullmatch(stem)
    if hashed is not None:
        stem = hashed["stem"]
    text = f"{stem}*.{match['extension']}*" if match["extension"] else f"{stem}*"
    return Glob(text, dotted=False, short=True), Glob(f".{text}", dotted=True, short=True)


_NO_NAME = re.compile(r"\.{3,}|[. ]* [. ]*")


def doubtful(name: str) -> bool:
    """Whether it can't be said where a name leads on Windows: a short one, or one of dots and blanks only."""
    return is_short(name) or _NO_NAME.fullmatch(name) is not None
