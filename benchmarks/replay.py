"""``python -m benchmarks.replay``: how long a change of one rule takes to be previewed on 100,000 recorded decisions.

No two calls are alike, so that nothing is gained by remembering one. They are decided first by a policy of a hundred
rules, then replayed as a person would: out of an exported file, out of Postgres, and with the policies before unknown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.distribution import realinput
from benchmarks.service import ROOT
from benchmarks.speed import machine, workload

from lineclear.bootstrap.offline import CALLER, offline
from lineclear.engine.log import Entry, Outcome, Session
from lineclear.settings import Settings
from lineclear.storage import embedded, migrate
from lineclear.storage.database import Database
from lineclear.storage.log import PostgresLog
from lineclear.wire.exported import as_line, of_line
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.engine.log import Record

DECISIONS = 100_000
BATCH = 1000
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": "cd src && grep -rn 'TODO {0}' . | head -20"}),
    ("Bash", {"command": "git log --oneline -n {0} -- src/part{0}"}),
    ("Read", {"file_path": "/work/repo/src/part{0}/app.py"}),
    ("Bash", {"command": "bench-tool-7 build --release part{0} 2>&1 | tee build-{0}.log"}),
    ("Edit", {"file_path": "/work/repo/src/part{0}.py", "old_string": "a = {0}", "new_string": "a = 2"}),
    ("Bash", {"command": "npm test -- part{0} && git add src/part{0}"}),
    ("Grep", {"pattern": "def main{0}", "path": "/work/repo/src"}),
    ("Bash", {"command": "find src/part{0} -name '*.py' -newer a -exec wc -l {{}} +"}),
    ("WebFetch", {"url": "https://docs.example.com/part{0}", "prompt": "what changed"}),
    ("Bash", {"command": "rm -rf build-{0}; for x in a b; do python3 -m x$x {0}; done"}),
)
CHANGED = 'version: 1\npermissions: {ask: ["Bash(git log *)"]}\n'
"""The rule that the candidate has more."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__)
    parser.add_argument("--decisions", type=int, default=DECISIONS, help="how many; 100,000 if not given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lc-", dir="/var/tmp") as place:
        found = measured(Path(place), options.decisions)
    result = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine.described()} | found
    print(json.dumps(result, indent=1))
    return 0


def measured(place: Path, decisions: int) -> dict[str, Any]:
    """Seconds of each way to preview the change."""
    before, candidate = workload.policies(place / "before"), workload.policies(place / "candidate")
    (candidate / "organisation" / "changed.yaml").write_text(CHANGED)
    file = place / "decisions.jsonl"
    firsts = range(0, decisions, BATCH)
    with ProcessPoolExecutor() as pool, file.open("wb") as lines:
        for written in pool.map(decided, [before] * len(firsts), firsts, [decisions] * len(firsts)):
            lines.write(written)
    asyncio.run(kept(place / "data" / "postgres", file))
    known = ("--before", str(before))
    return {
        "decisions": decisions,
        "bytes": file.stat().st_size,
        "file": previewed(place, candidate, "--file", str(file), *known),
        "database": previewed(place, candidate, "--since", "1h", *known),
        "file_decided_anew": previewed(place, candidate, "--file", str(file), "--before", str(ROOT / "policies")),
    }


def decided(policies: Path, first: int, end: int) -> bytes:
    """The lines of some decisions, each of a call that no other is like."""
    desk = offline(Settings(policies=policies))

    async def all_of_them() -> list[Record]:
        stated = [from_mapping(call(number)) for number in range(first, min(first + BATCH, end))]
        return [(await desk.engine.decide(one, CALLER, arrived=time.perf_counter())).record for one in stated]

    return b"".join(as_line(record) + b"\n" for record in asyncio.run(all_of_them()))


def call(number: int) -> dict[str, Any]:
    """The call of a number."""
    tool, arguments = TOOLS[number % len(TOOLS)]
    given = {name: value.format(number) for name, value in arguments.items()}
    return {
        "session_id": f"s-{number}",
        "tool_use_id": f"toolu-{number}",
        "tool_name": tool,
        "tool_input": given,
        "cwd": "/work/repo",
        "environment": realinput.ENVIRONMENT,
        "agent": {"host": "claude-code", "type": "main"},
    }


async def kept(folder: Path, file: Path) -> None:
    """Put the decisions of a file into a Postgres of this folder, as a service would have."""
    server = embedded.start(folder, production=False)
    try:
        await migrate.upgrade(server.url)
        database = Database(server.url)
        log = PostgresLog(database, b"a key of the chain, for a benchmark")
        for some in batches(file):
            outcomes = await log.commit([entry(of_line(line)) for line in some])
            if set(outcomes) != {Outcome.WRITTEN}:
                raise RuntimeError(f"not all was written: {outcomes}")
        await database.close()
    finally:
        server.close()


def entry(record: Record) -> Entry:
    """A record as it is committed, the first of its session."""
    session = Session(record.session, record.id, None, 0, record.decided_at)
    return Entry(record=record, session=session, seen=None)


def batches(file: Path) -> Iterator[list[bytes]]:
    """The lines of a file, so many at once."""
    with file.open("rb") as lines:
        some: list[bytes] = []
        for line in lines:
            some.append(line)
            if len(some) == BATCH:
                yield some
                some = []
        if some:
            yield some


def previewed(place: Path, candidate: Path, *arguments: str) -> dict[str, Any]:
    """How long one replay took, from the command to its end, on processors of its own or not; and what it came to."""
    ours = {"LINECLEAR_DATA_DIR": str(place / "data"), "XDG_CONFIG_HOME": str(place)}
    environment = os.environ | ours | {"PYTHONPATH": str(ROOT / "service")}
    command = [sys.executable, "-m", "lineclear", "policy", "replay", "--policies", str(candidate), "--output", "json"]
    begun, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [*command, *arguments], capture_output=True, check=False, text=True, env=environment, cwd=place
    )
    took, now = time.perf_counter() - begun, os.times()
    if done.returncode:
        raise RuntimeError(done.stderr)
    processor = now.children_user + now.children_system - before.children_user - before.children_system
    told = json.loads(done.stdout)
    counts = {name: told[name] for name in ("replayed", "flips", "inexact")}
    return {"seconds": round(took, 1), "processor_seconds": round(processor, 1)} | counts


if __name__ == "__main__":
    sys.exit(main())
