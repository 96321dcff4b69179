"""API keys in Postgres, answered from memory that is never older than what a revocation may take."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, NoReturn

from sqlalchemy import func, insert, select, update

from lineclear.core.call import Key, Principal, Role
from lineclear.engine.keys import KeyRow, TooManyKeys
from lineclear.engine.log import StorageUnavailable
from lineclear.storage.memory import VALID_KEYS, too_many
from lineclear.storage.tables import api_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import RowMapping

    from lineclear.storage.database import Database

_POLL_S = 2.0
_OLDEST_S = 4.0
"""A revoked key stops within 5 seconds on every replica: what is older isn't believed."""

_MISS_S = 0.25
"""How old the cache must be for an unknown key to have it read again: a new key works at once, a flood reads little."""

_ADDING = 1_819_043_700
"""Our number among advisory locks of two parts; the other part says whose key is added."""

_OURS = api_keys.c.role.in_([role.value for role in Role])
"""A newer version may know roles that this one doesn't: their keys aren't valid here."""


class PostgresKeys:
    """The keys in one database. ``poll`` keeps the cache fresh; without it, ``find`` does, and fails where it can't."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = monotonic) -> None:
        self._database = database
        self._clock = clock
        self._valid: Mapping[bytes, Key] = {}
        self._as_of = float("-inf")
        self._reading: asyncio.Task[None] | None = None

    async def find(self, key_digest: bytes) -> Key | None:
        """The valid key of a digest, as of at most 4 seconds ago."""
        if self._age() > _OLDEST_S or (key_digest not in self._valid and self._age() > _MISS_S):
            await self._refresh(_MISS_S)
        return self._valid.get(key_digest)

    async def add(self, key: Key, key_digest: bytes) -> None:
        """Keep a new key; the count and the insert are one, whoever else adds at the same time."""
        row = {
            "id": key.id,
            "digest": key_digest,
            "role": key.role.value,
            "principal": key.principal.id,
            "groups": sorted(key.principal.groups),
        }
        alike = select(func.count()).where(
            api_keys.c.principal == key.principal.id,
            api_keys.c.role == key.role.value,
            api_keys.c.revoked_at.is_(None),
        )
        async with self._database.begin("adding a key") as connection:
            whose = func.hashtext(f"{key.role}:{key.principal.id}")
            await connection.execute(select(func.pg_advisory_xact_lock(_ADDING, whose)))
            if (await connection.execute(alike)).scalar_one() >= VALID_KEYS:
                raise TooManyKeys(too_many(key))
            await connection.execute(insert(api_keys).values(row))

    async def all(self) -> Sequence[KeyRow]:
        """Every key, newest first."""
        async with self._database.begin("listing keys") as connection:
            rows = await connection.execute(
                select(api_keys).where(_OURS).order_by(api_keys.c.created_at.desc(), api_keys.c.id)
            )
            return [KeyRow(_key(row), row["created_at"], row["revoked_at"]) for row in rows.mappings()]

    async def revoke(self, key_id: str) -> bool:
        """Revoke one; one that is revoked already keeps its time."""
        statement = (
            update(api_keys)
            .where(api_keys.c.id == key_id)
            .values(revoked_at=func.coalesce(api_keys.c.revoked_at, func.now()))
        )
        async with self._database.begin("revoking a key") as connection:
            found = (await connection.execute(statement)).rowcount > 0
        self._as_of = float("-inf")
        return found

    async def poll(self) -> NoReturn:
        """Keep the cache fresh, for as long as the task runs."""
        while True:
            await asyncio.sleep(_POLL_S)
            try:
                await self._refresh(0)
            except StorageUnavailable:
                continue  # the cache grows old, and ``find`` says so

    def _age(self) -> float:
        return self._clock() - self._as_of

    async def _refresh(self, fresh_enough_s: float) -> None:
        """Read what is older; who comes while it is read waits for the same, and fails with it.

        One deadline is as long as anybody waits: a queue in which each tries for itself would never end.
        """
        wanted = self._clock() - fresh_enough_s
        while self._as_of < wanted:
            if self._reading is None:
                self._reading = asyncio.create_task(self._read(), name="reading the keys")
                self._reading.add_done_callback(_seen)
            await asyncio.shield(self._reading)

    async def _read(self) -> None:
        as_of = self._clock()
        try:
            async with self._database.begin("reading the keys") as connection:
                rows = await connection.execute(select(api_keys).where(_OURS, api_keys.c.revoked_at.is_(None)))
                self._valid = {bytes(row["digest"]): _key(row) for row in rows.mappings()}
            self._as_of = as_of
        finally:
            self._reading = None


def _seen(read: asyncio.Task[None]) -> None:
    """Take note of a failure whose callers have all left."""
    if not read.cancelled():
        read.exception()


def _key(row: RowMapping) -> Key:
    return Key(row["id"], Role(row["role"]), Principal(row["principal"], frozenset(row["groups"])))
