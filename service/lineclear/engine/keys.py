"""API keys: random, kept as hashes, revocable."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lineclear.core.call import Key

PREFIX = "lck_"
"""What every key begins with, so that secret scanners and our own redaction know one."""


def new_secret() -> str:
    """A fresh key: 32 random bytes, URL-safe, behind ``lck_``."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(secret: str) -> bytes:
    """What is kept of a key: SHA-256, enough for 256 random bits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as an operator sees it."""

    key: Key
    created_at: datetime
    revoked_at: datetime | None


class KeyStore(Protocol):
    """The port. Methods raise ``StorageUnavailable``."""

    async def find(self, key_digest: bytes) -> Key | None:
        """The valid key of a digest; a revoked one is not found, at the latest 5 seconds after."""

    async def add(self, key: Key, key_digest: bytes) -> None:
        """Keep a new key. At most two valid keys of one principal and role, for rotation: ``TooManyKeys``."""

    async def all(self) -> Sequence[KeyRow]:
        """Every key, newest first."""

    async def revoke(self, key_id: str) -> bool:
        """Revoke one; false if there is none of that id."""


class TooManyKeys(Exception):
    """A principal holds two valid keys of this role already; one must be revoked first."""
