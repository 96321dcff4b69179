"""Names under which secrets stand: of variables, options, headers and keys of objects."""

from __future__ import annotations

from functools import lru_cache

import re2

_WORDS = (
    r"pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|cookie"
    r"|(?:api|access|private|secret|auth|account|encryption|signing|master|shared|license)[_.-]?key|apikey"
    r"|connection[_.-]?string"
)

NAME = (
    rf"(?:[A-Za-z0-9_.-]*(?:{_WORDS})|(?:[A-Za-z0-9_.-]*[_.-])?(?:pass|pat)|[A-Za-z0-9_.-]*_auth)"
    r"(?:[_.-][A-Za-z0-9]+|[0-9]+)*"
)
"""A pattern of a name that may stand for a secret; ``is_secret`` has the last word."""

_NAME = re2.compile(rf"(?i)\A(?:{NAME}|(?:proxy-)?authorization)\z")
"""The same, and the headers whose value is one, which in a text says so by itself."""
_HARMLESS_END = re2.compile(
    r"(?i)[_.-](?:at|by|count|date|expires|expiry|file|format|header|in|length|limit|max|min|name|path|prefix|status"
    r"|ttl|type|uri|url|version)[0-9]*\z"
)
"""What a name ends with that says where, when or how much a secret is."""


def is_secret(name: str) -> bool:
    """Whether a secret stands under a name: ``DB_PASSWORD``, ``x-api-key``, ``clientSecret``, but not ``token_url``."""
    return _judged(name) if len(name) <= _LONGEST_KEPT else _judged.__wrapped__(name)


_LONGEST_KEPT = 64


@lru_cache(maxsize=1024)
def _judged(name: str) -> bool:
    return _NAME.match(name) is not None and _HARMLESS_END.search(name) is None
