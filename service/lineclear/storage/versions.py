"""Which versions of the policy there have been: since when, and out of which commit of the team's repository."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from lineclear.storage.tables import policy_versions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lineclear.storage.database import Database


@dataclass(frozen=True, slots=True)
class Version:
    """A version as it came into force for the first time, on any replica.

    ``commit`` is that of the folder then, None where it was in no checkout; ``modified`` tells whether its files
    differed from it.
    """

    version: str
    first_seen_at: datetime
    commit: str | None = None
    modified: bool | None = None


class PolicyVersions:
    """The versions in the database. Methods raise ``StorageUnavailable``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, version: Version) -> None:
        """Keep a version, unless it was kept before: the same content may come into force again and again."""
        row = insert(policy_versions).values(
            version=version.version,
            first_seen_at=version.first_seen_at,
            git_commit=version.commit,
            modified=version.modified,
        )
        async with self._database.begin("keeping a policy version") as connection:
            await connection.execute(row.on_conflict_do_nothing())

    async def latest(self, most: int) -> Sequence[Version]:
        """The latest ones, newest first."""
        newest = select(policy_versions).order_by(policy_versions.c.first_seen_at.desc(), policy_versions.c.version)
        async with self._database.begin("listing policy versions") as connection:
            rows = (await connection.execute(newest.limit(most))).mappings()
            return [Version(row["version"], row["first_seen_at"], row["git_commit"], row["modified"]) for row in rows]
