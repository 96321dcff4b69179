"""Arguments that a host sends as JSON within a text; what can't be read so is judged as the text that it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lineclear.hosts.payload import arguments

if TYPE_CHECKING:
    from lineclear.core.call import JSON


def arguments_in_text(payload: Mapping[str, JSON], key: str = "tool_input") -> dict[str, JSON]:
    """The object under a key, or the one that is written in the text there. Raises ``Unreadable`` if there is none."""
    given = arguments(payload, key)
    written = given.get("input") if payload.get(key) == given.get("input") else None
    if isinstance(written, str):
        try:
            found = json.loads(written)
        except (ValueError, RecursionError):
            return dict(given)
        if isinstance(found, Mapping):
            return dict(found)
    return dict(given)
