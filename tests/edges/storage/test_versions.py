"""Versions of the policy are kept once, with the commit of the files by which each came into force first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from lineclear.storage.versions import PolicyVersions, Version

DAY = datetime(2026, 6, 1, tzinfo=UTC)


async def test_the_first_time_and_its_commit_stay(database):
    versions = PolicyVersions(database)
    first = Version("sha256:1", DAY, "a" * 40, modified=False)
    await versions.note(first)
    await versions.note(Version("sha256:1", DAY + timedelta(hours=1), "b" * 40, modified=True))
    assert list(await versions.latest(10)) == [first]


async def test_the_newest_come_first_and_not_all_of_them(database):
    versions = PolicyVersions(database)
    for day in range(4):
        await versions.note(Version(f"sha256:{day}", DAY + timedelta(days=day)))
    assert [one.version for one in await versions.latest(2)] == ["sha256:3", "sha256:2"]
