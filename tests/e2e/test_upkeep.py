"""The log's days are made ahead: by the service for its own database, by a verb for any."""

from __future__ import annotations

import httpx

from lineclear.storage.partitions import AHEAD
from support.serving import eventually


def test_the_service_keeps_its_own_database_up(start, folders, lineclear):
    data = folders()
    running = start("--port", "0", data=data, metrics_listen="127.0.0.1:18643")
    ready = f"lineclear_partition_days_ahead {AHEAD}.0"
    assert eventually(lambda: ready in httpx.get("http://127.0.0.1:18643/metrics").text)
    done = lineclear("db", "maintain", data=data)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"0 days made, 0 dropped, {AHEAD} ready ahead"
    days = {"keep_days": "1"}
    assert lineclear("db", "maintain", data=data, **days).returncode == 0
    said = lineclear("audit", "verify", data=data).stdout
    assert "dropped for its age: all before" in said
    assert said.splitlines()[-1] == "intact"
    assert running.end() == 0
