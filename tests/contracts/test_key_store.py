from __future__ import annotations

import asyncio

import pytest

from lineclear.core.call import Key, Principal, Role
from lineclear.engine.keys import TooManyKeys, digest, new_secret
from lineclear.storage.keys import PostgresKeys
from lineclear.storage.memory import MemoryKeys


@pytest.fixture(params=["memory", "postgres", "pgbouncer"])
def store(request):
    if request.param == "memory":
        return MemoryKeys()
    return PostgresKeys(request.getfixturevalue("pooled_database" if request.param == "pgbouncer" else "database"))


def a_key(name, principal="installation-1", role=Role.HOST, groups=frozenset({"web", "ops"})):
    return Key(name, role, Principal(principal, groups))


async def test_a_key_is_found_by_the_digest_of_its_secret_and_by_nothing_else(store):
    secret = new_secret()
    await store.add(a_key("k-1"), digest(secret))
    assert await store.find(digest(secret)) == a_key("k-1")
    assert await store.find(digest(secret + "x")) is None
    assert await store.find(secret.encode()) is None
    assert await store.find(b"") is None


async def test_a_revoked_key_is_not_found_and_stays_listed(store):
    await store.add(a_key("k-1"), b"one")
    await store.add(a_key("k-2"), b"two")
    assert await store.revoke("k-1")
    assert await store.find(b"one") is None
    assert await store.find(b"two") == a_key("k-2")
    rows = await store.all()
    assert {row.key.id: row.revoked_at is not None for row in rows} == {"k-1": True, "k-2": False}
    assert [row.key for row in rows] == [a_key("k-2"), a_key("k-1")], "newest first"


async def test_revoking_twice_keeps_the_time_and_an_unknown_id_is_told(store):
    await store.add(a_key("k-1"), b"one")
    assert await store.revoke("k-1")
    [row] = await store.all()
    assert await store.revoke("k-1")
    assert [row] == list(await store.all())
    assert not await store.revoke("k-9")


async def test_two_keys_are_valid_at_a_time_for_one_principal_and_role(store):
    await store.add(a_key("k-1"), b"one")
    await store.add(a_key("k-2"), b"two")
    with pytest.raises(TooManyKeys, match="`installation-1` has 2 valid keys of role `host`; revoke one first"):
        await store.add(a_key("k-3"), b"three")
    assert await store.find(b"three") is None
    await store.add(a_key("k-4", role=Role.AGENT), b"four")
    await store.add(a_key("k-5", principal="installation-2"), b"five")
    await store.revoke("k-1")
    await store.add(a_key("k-6"), b"six")
    assert await store.find(b"six") == a_key("k-6")


async def test_a_third_key_does_not_slip_in_between_two_that_are_added_at_once(store):
    outcomes = await asyncio.gather(*(store.add(a_key(f"k-{n}"), bytes([n])) for n in range(4)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes].count(TooManyKeys) == 2
    assert len(await store.all()) == 2
