"""Without a database there is no verdict; with one again, there is."""

from __future__ import annotations

import os
import signal

import pytest

from lineclear.storage import embedded
from support.serving import eventually

OK = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}
SECRET = "x" * 32


@pytest.fixture
def server(folders):
    """A Postgres that isn't the service's own."""
    running = embedded.start(folders() / "db", production=False)
    yield running
    if running.running():
        running.close()


def answer(client):
    got = client.post("/v1/decisions", json=OK)
    assert "verdict" not in got.json() or got.status_code == 200
    return got.status_code


def test_a_server_is_never_migrated_silently(server, start, lineclear, folders):
    data = folders()
    settings = {"database_url": server.url, "secret": SECRET}
    running = start(data=data, **settings)
    with running.client(None) as client:
        assert client.get("/readyz").status_code == 503
        assert "lineclear db upgrade" in client.get("/readyz?verbose").text
        assert client.post("/v1/decisions", json=OK, headers={"authorization": "Bearer lck_x"}).status_code == 503
        assert lineclear("db", "upgrade", data=data, **settings).returncode == 0
        assert eventually(lambda: client.get("/readyz").status_code == 200)
        made = lineclear("keys", "create", "--role", "host", "--principal", "p", data=data, **settings)
        client.headers["authorization"] = f"Bearer {made.stdout.strip()}"
        assert answer(client) == 200
        listed = lineclear("keys", "list", data=data, **settings).stdout
        assert made.stdout.strip() not in listed
        key_id = listed.splitlines()[1].split()[0]
        assert lineclear("keys", "revoke", key_id, data=data, **settings).returncode == 0
        assert eventually(lambda: answer(client) == 401, within_s=6)
    assert running.end() == 0


def test_a_database_that_cannot_be_reached_at_start(start, folders):
    running = start(data=folders(), database_url="postgresql://u:hunter2@127.0.0.1:1/x", secret=SECRET)
    assert running.process.poll() is None
    assert "NOT READY" in running.said
    assert "hunter2" not in running.said + running.logged()
    with running.client(None) as client:
        assert client.get("/livez").status_code == 200
        assert client.get("/readyz").status_code == 503
        got = client.post("/v1/decisions", json=OK, headers={"authorization": "Bearer lck_x"})
    assert (got.status_code, got.json()["code"], got.headers["retry-after"]) == (503, "storage_unavailable", "1")
    assert running.end() == 0


def test_an_outage_midway_heals_by_itself(start):
    running = start()
    pid = int((running.data / "postgres" / "postmaster.pid").read_text().splitlines()[0])
    with running.client() as client:
        assert answer(client) == 200
        os.kill(pid, signal.SIGKILL)
        seen = set()

        def recovered():
            status = answer(client)
            seen.add(status)
            return status == 200

        assert eventually(recovered, within_s=30)
        assert seen <= {200, 503}
    assert running.end() == 0


def test_a_server_that_goes_away_and_comes_back(server, start, lineclear, folders):
    data = folders()
    settings = {"database_url": server.url, "secret": SECRET}
    assert lineclear("db", "upgrade", data=data, **settings).returncode == 0
    key = lineclear("keys", "create", "--role", "agent", "--principal", "p", data=data, **settings).stdout.strip()
    running = start(data=data, **settings)
    with running.client(None) as client:
        client.headers["authorization"] = f"Bearer {key}"
        assert answer(client) == 200
        server.close()
        assert eventually(lambda: answer(client) == 503)
        assert eventually(lambda: client.get("/readyz").status_code == 503)
        again = embedded.start(server._folder, production=False)
        try:
            assert eventually(lambda: answer(client) == 200)
            assert eventually(lambda: client.get("/readyz").status_code == 200)
        finally:
            running.end()
            again.close()


def test_a_server_needs_a_secret(lineclear, folders):
    done = lineclear("serve", "--port", "0", data=folders(), database_url="postgresql://u@127.0.0.1/x")
    assert done.returncode == 2
    assert "LINECLEAR_SECRET" in done.stderr


def test_a_url_that_is_none_is_refused_without_being_shown(lineclear, folders):
    done = lineclear("serve", "--port", "0", data=folders(), database_url="mysql://u:hunter2@h/x", secret=SECRET)
    assert done.returncode == 2
    assert "postgresql://" in done.stderr
    assert "hunter2" not in done.stderr
    assert "Traceback" not in done.stderr


def test_an_errand_works_after_all_was_killed(start, lineclear):
    """What is left behind says that a database runs; nobody answers, so it is started for the errand."""
    running = start()
    postmaster = int((running.data / "postgres" / "postmaster.pid").read_text().splitlines()[0])
    running.end(signal.SIGKILL)
    os.kill(postmaster, signal.SIGKILL)
    socket = running.data / "postgres"
    assert eventually(lambda: not embedded.answers(socket))
    assert (socket / "postmaster.pid").exists()
    done = lineclear("keys", "list", data=running.data)
    assert (done.returncode, done.stderr) == (0, "")
    assert "local-operator" in done.stdout
