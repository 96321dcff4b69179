"""What the first start makes: a secret and two keys, each its owner's alone, and the same ever after."""

from __future__ import annotations

import stat

import pytest

from lineclear.bootstrap.first_keys import first_keys, key_id
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.secret import INPUTS, derived, secret
from lineclear.core.call import Key, Principal, Role
from lineclear.engine.keys import digest
from lineclear.settings import Settings
from lineclear.storage.memory import MemoryKeys


def settings(tmp_path, **more):
    return Settings(data_dir=tmp_path / "data", **more)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_secret_is_made_once_and_kept(tmp_path):
    first = secret(settings(tmp_path))
    assert secret(settings(tmp_path)) == first
    assert len(first) >= 32
    assert mode(tmp_path / "data" / "secret") == 0o600
    assert mode(tmp_path / "data") == 0o700


def test_one_that_is_set_wins_and_leaves_no_file(tmp_path):
    assert secret(settings(tmp_path, secret="x" * 32)) == b"x" * 32
    assert not (tmp_path / "data").exists()


def test_with_a_server_none_is_made_up(tmp_path):
    with pytest.raises(CannotStart, match="LINECLEAR_SECRET"):
        secret(settings(tmp_path, database_url="postgresql://h/d"))


@pytest.mark.parametrize(
    ("text", "permissions", "says"),
    [
        ("x" * 40, 0o644, "chmod 600"),
        ("x" * 40, 0o640, "chmod 600"),
        ("", 0o600, "remove it"),
        ("short", 0o600, "remove it"),
        ("\u00e9" * 40, 0o600, "remove it"),
    ],
)
def test_a_file_that_is_no_secret_stops_the_start(tmp_path, text, permissions, says):
    file = tmp_path / "data" / "secret"
    file.parent.mkdir()
    file.write_text(text)
    file.chmod(permissions)
    with pytest.raises(CannotStart, match=says) as caught:
        secret(settings(tmp_path))
    assert "xxxx" not in str(caught.value)


def test_derived_keys_are_apart():
    keys = {derived(b"a" * 32, INPUTS), derived(b"a" * 32, "other"), derived(b"b" * 32, INPUTS)}
    assert len(keys) == 3
    assert all(len(key) == 32 for key in keys)


async def test_the_first_keys_open_their_roles(tmp_path):
    store = MemoryKeys()
    made = await first_keys(store, tmp_path / "keys")
    for one in made:
        assert mode(one.file) == 0o600
        found = await store.find(digest(one.file.read_text().strip()))
        assert found is not None
        assert found.role is one.role
    principals = {row.key.principal.id for row in await store.all()}
    assert len(principals) == 2, "who asks never grants"


async def test_a_second_start_makes_nothing(tmp_path):
    store = MemoryKeys()
    first = await first_keys(store, tmp_path)
    texts = [one.file.read_text() for one in first]
    again = await first_keys(store, tmp_path)
    assert [one.file.read_text() for one in again] == texts
    assert len(await store.all()) == 2


async def test_a_revoked_key_stays_revoked(tmp_path):
    store = MemoryKeys()
    (host, _) = await first_keys(store, tmp_path)
    secret_ = host.file.read_text().strip()
    await store.revoke(key_id(secret_))
    (host, operator) = await first_keys(store, tmp_path)
    assert (host.valid, operator.valid) == (False, True)
    assert await store.find(digest(secret_)) is None


async def test_a_removed_file_gets_a_new_key(tmp_path):
    store = MemoryKeys()
    (host, _) = await first_keys(store, tmp_path)
    old = host.file.read_text()
    host.file.unlink()
    (host, _) = await first_keys(store, tmp_path)
    assert host.file.read_text() != old
    assert host.valid


async def test_a_new_database_learns_the_keys_that_clients_have(tmp_path):
    (host, _) = await first_keys(MemoryKeys(), tmp_path)
    store = MemoryKeys()
    await first_keys(store, tmp_path)
    assert await store.find(digest(host.file.read_text().strip()))


async def test_too_many_keys_are_said_to_be(tmp_path):
    store = MemoryKeys()
    for number in range(2):
        await store.add(Key(f"k{number}", Role.HOST, Principal("local-agent")), bytes([number]))
    with pytest.raises(CannotStart, match="revoke one first"):
        await first_keys(store, tmp_path)


def test_an_id_tells_nothing_of_the_key():
    assert key_id("lck_secret") == key_id("lck_secret")
    assert "secret" not in key_id("lck_secret")
