"""The service knows its own addresses, folders and sockets, whatever the settings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineclear.bootstrap.itself import itself
from lineclear.settings import Settings


def own(listening=None, **settings):
    return itself(Settings(data_dir=Path("/srv/lc"), **settings), listening)


@pytest.mark.parametrize(
    ("settings", "port", "ports"),
    [
        ({}, None, {8642}),
        ({"port": 0}, 40001, {8642, 40001}),
        ({"port": 9000, "metrics_listen": "[::1]:9001"}, 9000, {8642, 9000, 9001}),
        ({"database_url": "postgresql://u@localhost/d"}, None, {8642, 5432}),
        ({"database_url": "postgresql://u@127.0.0.1:6000/d"}, None, {8642, 6000}),
        ({"database_url": "postgresql://u@db.internal:5432/d"}, None, {8642}),
        ({"database_url": "postgresql:///d"}, None, {8642, 5432}),
        ({"database_url": "postgresql://u@/d?host=db.internal"}, None, {8642}),
        ({"database_url": "postgresql://u@/d?host=127.0.0.1&port=6000"}, None, {8642, 6000}),
        ({"database_url": "postgresql://u@/d?host=db.internal,localhost&port=6000,6001"}, None, {8642, 6001}),
        ({"database_url": "postgresql://u@/d?host=/run/postgresql"}, None, {8642, 5432}),
        ({"database_url": "postgresql://u@/d?host=/run/postgresql&port=5433"}, None, {8642, 5433}),
    ],
)
def test_its_ports(settings, port, ports):
    assert own(port, **settings).ports == ports


def test_its_names_are_those_that_it_is_served_under():
    assert {"lineclear.internal", "10.0.0.7"} <= own(allowed_hosts="lineclear.internal", host="10.0.0.7").hosts


def test_its_folder_and_sockets():
    found = own(uds=Path("/run/lc.sock"), database_url="postgresql:///d?host=/run/postgresql")
    assert found.folders == ("/srv/lc",)
    assert own(checkpoints=Path("/var/lc/checkpoints.jsonl")).folders == ("/srv/lc", "/var/lc/checkpoints.jsonl")
    assert set(found.sockets) == {"/run/lc.sock", "/run/postgresql"}


@pytest.mark.parametrize("url", ["postgresql:///d?host={}", "postgresql://u:p@{}/d", "postgresql://u@{}:5432/d"])
def test_a_socket_in_its_database_s_own_folder_makes_no_port_ours(tmp_path, url):
    """An embedded database of another service listens on no port: what is on 5432 is somebody else's."""
    (tmp_path / "PG_VERSION").write_text("18\n")
    found = own(database_url=url.format(str(tmp_path).replace("/", "%2F")))
    assert (found.ports, found.sockets) == ({8642}, (str(tmp_path),))
