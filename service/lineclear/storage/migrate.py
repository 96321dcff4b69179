"""Migrations: one runner at a time, all or nothing, and a way to tell that they are behind."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from lineclear import resources
from lineclear.storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LOCK = 7_812_454_979
"""Our number among advisory locks, the same for every version of the service."""

_PATIENCE_S = 300.0
"""A migration may take its time, and so may whoever waits for another's."""


async def upgrade(url: str) -> None:
    """Bring the schema to this version's; does nothing where it is there already, or further.

    Safe from several replicas at once: the others wait, then find the work done. Raises ``StorageUnavailable``.
    """
    database = Database(url, statement_s=_PATIENCE_S)
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


def _config() -> Config:
    config = Config()
    # A per cent sign would begin an interpolation.
    config.set_main_option("script_location", str(resources.migrations()).replace("%", "%%"))
    return config


def _upgrade(connection: Connection) -> None:
    if _behind(connection):
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _behind(connection: Connection) -> bool:
    ours, newest = _ours()
    theirs = MigrationContext.configure(connection).get_current_revision()
    newer = theirs is not None and theirs not in ours
    return not newer and theirs != newest


@cache
def _ours() -> tuple[frozenset[str], str | None]:
    """The revisions that this version brings, and the newest; read once, since readiness asks often."""
    scripts = ScriptDirectory.from_config(_config())
    return frozenset(script.revision for script in scripts.walk_revisions()), scripts.get_current_head()
