"""With the embedded database the first start makes a host's and an operator's key; there is no keyless mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.secret import kept
from lineclear.core.call import Key, Principal, Role
from lineclear.engine.keys import TooManyKeys, digest, new_secret

if TYPE_CHECKING:
    from pathlib import Path

    from lineclear.engine.keys import KeyStore

_MADE = ((Role.HOST, "local-agent"), (Role.OPERATOR, "local-operator"))
"""Two principals: who asks never grants."""


@dataclass(frozen=True, slots=True)
class FirstKey:
    """One of the first keys: the file that holds it, and whether it still opens anything."""

    role: Role
    file: Path
    valid: bool


def key_id(secret: str) -> str:
    """The id of a key: it names the key in lists and records, and tells nothing of the secret."""
    return f"k-{digest(secret).hex()[:16]}"


async def first_keys(keys: KeyStore, folder: Path) -> tuple[FirstKey, ...]:
    """Make the files that are missing, and have the store know what is in them; one that was revoked stays so.

    Raises ``CannotStart`` and ``StorageUnavailable``.
    """
    known = {row.key.id: row for row in await keys.all()}
    found: list[FirstKey] = []
    for role, principal in _MADE:
        file = folder / f"{role}.key"
        secret = kept(file, new_secret)
        row = known.get(key_id(secret))
        if row is None:
            try:
                await keys.add(Key(key_id(secret), role, Principal(principal)), digest(secret))
            except TooManyKeys as error:
                raise CannotStart(f"the key in `{file}` can't be added: {error}; see `lineclear keys list`") from None
        found.append(FirstKey(role, file, valid=row is None or row.revoked_at is None))
    return tuple(found)
