"""Decisions as a service would have recorded them, and a file of them as an export writes it."""

from __future__ import annotations

import asyncio
import time

from lineclear.bootstrap.offline import CALLER, offline
from lineclear.settings import Settings
from lineclear.wire.exported import as_line
from lineclear.wire.request import from_mapping


def decided(folder, requests):
    """The records of some calls, each in a session of its own."""
    desk = offline(Settings(policies=folder))

    async def all_of_them():
        stated = [from_mapping({**one, "session_id": f"s{at}"}) for at, one in enumerate(requests)]
        return [(await desk.engine.decide(one, CALLER, arrived=time.perf_counter())).record for one in stated]

    return asyncio.run(all_of_them())


def exported(tmp_path, records):
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(b"".join(as_line(record) + b"\n" for record in records))
    return path
