"""Quoting: data stands as one line of JSON between two lines that nobody can guess."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import unicodedata
from typing import TYPE_CHECKING

from lineclear.core.canonical import canonical
from lineclear.core.hidden import is_hidden

if TYPE_CHECKING:
    from lineclear.core.call import SessionKey

_BEYOND_ASCII = re.compile(r"[^\x20-\x7e]")
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""What is spelled out wherever it stands, in a picture too; with it, what `core.hidden` finds where it stands."""


def fence_of(session: SessionKey, key: bytes) -> str:
    """The session's fence: the same for each of its calls, so that the prefix caches; 128 bits, hex."""
    return hmac.new(key, b"classifier fence\0" + canonical(list(session)), hashlib.sha256).hexdigest()[:32]


def quoted(fence: str, title: str, value: object) -> str:
    """A JSON value as data: three lines, of which the middle one holds all of it."""
    return f"BEGIN {fence} {title}\n{as_json(value)}\nEND {fence}\n"


def as_json(value: object) -> str:
    """The value as one line of JSON; what can't be seen or would end a line is spelled out as an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
    return _BEYOND_ASCII.sub(_spelled_out, text)


def _spelled_out(match: re.Match[str]) -> str:
    letter = match[0]
    unseen = unicodedata.category(letter) in _UNSEEN or is_hidden(match.string, match.start())
    return json.dumps(letter)[1:-1] if unseen else letter
