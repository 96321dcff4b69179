"""Ids of decisions and sessions: UUIDv7, so that they sort by time and new ones lie together in an index."""

from __future__ import annotations

import os
import time
from uuid import UUID

_VERSION = 7 << 76
_VARIANT = 0b10 << 62


def uuid7() -> UUID:
    """A fresh id: 48 bits of Unix milliseconds, 74 random bits (RFC 9562, section 5.7)."""
    return uuid7_of(time.time_ns() // 1_000_000, int.from_bytes(os.urandom(10), "big") >> 6)


def uuid7_of(unix_ms: int, random_bits: int) -> UUID:
    """The id of a time and 74 bits."""
    high, low = random_bits >> 62, random_bits & (1 << 62) - 1
    return UUID(int=(unix_ms & (1 << 48) - 1) << 80 | _VERSION | high << 64 | _VARIANT | low)
