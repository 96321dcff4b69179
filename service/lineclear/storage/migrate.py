"""Migrations: one runner at a time, all or nothing, and a way to tell that they are behind."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import text

from lineclear import resources
from lineclear.storage.database import Database

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

_LOCK = 7_812_454_979
"""Our number among advisory locks, the same for every version of the service."""

_PATIENCE_S = 300.0
"""A migration may take its time, and so may whoever waits for another's."""


async def upgrade(url: str) -> None:
    """Bring the schema to this version's; does nothing where it is there already, or further.

    Safe from several replicas at once: the others wait, then find the work done. Raises ``StorageUnavailable``.
    """
    database = Database(url, statement_s=_PATIENCE_S, lock_s=_PATIENCE_S)
    try:
        async with database.begin("migrating") as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            await connection.run_sync(_upgrade)
    finally:
        await database.close()


async def behind(url: str) -> bool:
    """Whether the schema is older than this version needs. A newer one isn't: replicas are replaced one by one."""
    database = Database(url)
    try:
        async with database.begin("comparing migrations") as connection:
            return await connection.run_sync(_behind)
    finally:
        await database.close()


def config() -> Config:
    """Alembic's settings: where our migrations lie."""
    from alembic.config import Config  # noqa: PLC0415 - a tenth of the start, which most starts don't need

    config = Config()
    # A per cent sign would begin an interpolation.
    config.set_main_option("script_location", str(resources.migrations()).replace("%", "%%"))
    return config


def _upgrade(connection: Connection) -> None:
    if _behind(connection):
        from alembic import command  # noqa: PLC0415

        ours = config()
        ours.attributes["connection"] = connection
        command.upgrade(ours, "head")


def _behind(connection: Connection) -> bool:
    theirs = _theirs(connection)
    return theirs is None or (theirs in revisions() and theirs != max(revisions()))


def _theirs(connection: Connection) -> str | None:
    """The revision of a database, None where nothing was ever migrated."""
    if connection.scalar(text("SELECT to_regclass('alembic_version')")) is None:
        return None
    theirs: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return theirs


@cache
def revisions() -> frozenset[str]:
    """The revisions that this version brings, which grow from one to the next.

    The name of a migration's file begins with its own.
    """
    return frozenset(path.name.partition("_")[0] for path in (resources.migrations() / "versions").glob("[0-9]*.py"))
