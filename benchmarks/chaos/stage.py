"""What faults are made on: a Postgres, services on it, each by a line of its own, and a model that answers by rule."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import httpx
from benchmarks.chaos.line import Line

from lineclear.storage import embedded
from lineclear.storage.binaries import EmbeddedError
from lineclear.storage.migrate import upgrade
from support.messages_server import MessagesServer
from support.plays import ALLOW, block
from support.replicas import SECRET, a_key_of_each_role, host_keys
from support.serving import Running, environment, launched, listen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from lineclear.storage.embedded import Embedded
    from support.messages_server import Received
    from support.plays import Play

RULE = "builtin.exfiltration"
DENIED = "denied"
"""What a command has in it that the model blocks; it allows the others."""
_UP_S = 45.0
_PRINCIPALS = 500


class NotUp(Exception):
    """Something didn't come up again by itself, or not in time."""


@dataclass
class Replica:
    """A service on a port of its own, which stays the same however often it is started."""

    folder: Path
    port: int
    line: Line
    settings: dict[str, str]
    running: Running | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.running is not None
        return self.running.process.pid

    @property
    def descriptors(self) -> int:
        """How many files and sockets its process holds open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    async def start(self) -> None:
        """Start it, and return when it takes calls. Raises ``NotUp``."""
        self.running = launched(self.folder, ("--port", str(self.port)), self.settings)
        await asyncio.to_thread(listen, self.running)
        if self.running.process.poll() is not None:
            raise NotUp(f"a service doesn't start:\n{self.running.said}{self.running.logged()[-2000:]}")

    async def end(self, number: int) -> int:
        """End it by a signal; its status."""
        assert self.running is not None
        status = await asyncio.to_thread(self.running.end, number)
        self.running.process.stdout.close()
        self.running = None
        return status


@dataclass
class Stage:
    """Everything that runs."""

    folder: Path
    postgres: Embedded
    replicas: list[Replica]
    model: MessagesServer
    keys: dict[str, str] = field(default_factory=dict)
    hosts: list[str] = field(default_factory=list)
    """Keys of many principals: one whose young sessions opened three breakers has no model asked in its others."""

    @property
    def postmaster(self) -> int:
        """The process id of the server."""
        return int((self.folder / "db" / "postmaster.pid").read_text().splitlines()[0])

    def headers(self, role: str = "host") -> dict[str, str]:
        return {"authorization": f"Bearer {self.keys[role]}"}

    async def restarted(self) -> None:
        """Start Postgres again, as whatever watches over a server does. Raises ``NotUp``."""
        until, said = time.monotonic() + _UP_S, ""
        while time.monotonic() < until:
            try:
                await asyncio.to_thread(self.postgres.ensure)
            except EmbeddedError as error:  # what is left of the killed one hasn't noticed yet
                said = str(error)
                await asyncio.sleep(0.1)
            else:
                return
        raise NotUp(said)

    async def backends(self) -> list[int]:
        """The processes of Postgres that serve the services."""
        connection = await asyncpg.connect(self.postgres.url, timeout=5)
        try:
            found = await connection.fetch("SELECT pid FROM pg_stat_activity WHERE application_name = 'lineclear'")
        finally:
            await connection.close()
        return [row["pid"] for row in found]

    async def verb(self, *words: str, **more: str) -> tuple[bool, str]:
        """Run a verb of the command line on the database: whether it went well, and what it said."""
        settings = {"database_url": self.postgres.url, "secret": SECRET} | more
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lineclear", *words),
            env=environment(self.folder, settings),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        return process.returncode == 0, said.decode().strip()

    async def recovered(self) -> float:
        """Seconds until every service is ready and decides; raises ``NotUp`` where one doesn't by itself."""
        begun = time.monotonic()
        async with httpx.AsyncClient(headers=self.headers(), timeout=20) as client:
            for replica in self.replicas:
                while why := await undecided(client, replica):
                    if time.monotonic() - begun > _UP_S:
                        raise NotUp(f"the service on port {replica.port} doesn't recover: {why}")
                    await asyncio.sleep(0.05)
        return time.monotonic() - begun


async def undecided(client: httpx.AsyncClient, replica: Replica) -> str | None:
    """What keeps a service from deciding, None where it says that it is ready, and is."""
    call = {"session_id": "probe", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    try:
        for answer in (
            await client.get(f"{replica.url}/readyz?verbose"),
            await client.post(f"{replica.url}/v1/decisions", json=call),
        ):
            if answer.status_code != httpx.codes.OK:
                return answer.text
    except httpx.TransportError as error:
        return repr(error)
    return None


def by_rule(request: Received) -> Play:
    """The model's word: certain, at once, and the same for the same call."""
    return block(RULE) if DENIED in str(request.data("call")) else ALLOW


@asynccontextmanager
async def staged(count: int = 2, **settings: str) -> AsyncIterator[Stage]:
    """So many services on a Postgres of their own; all is ended and removed at the end."""
    # Not in /tmp: calls that name it would touch the service's own folder.
    folder = Path(tempfile.mkdtemp(prefix="lc-", dir="/var/tmp"))
    postgres = await asyncio.to_thread(embedded.start, folder / "db", production=False)
    stage = Stage(folder, postgres, [], MessagesServer(judge=by_rule))
    try:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(stage.model)
            await upgrade(postgres.url)
            stage.keys = await a_key_of_each_role(postgres.url)
            stage.hosts = await host_keys(postgres.url, _PRINCIPALS)
            for number in range(count):
                line = await stack.enter_async_context(Line(folder / "db" / ".s.PGSQL.5432"))
                stage.replicas.append(_replica(folder / f"r{number}", line, stage.model, settings))
            try:
                await asyncio.gather(*(replica.start() for replica in stage.replicas))
                yield stage
            finally:
                for replica in stage.replicas:
                    if replica.running is not None:
                        await replica.end(signal.SIGKILL)
    finally:
        await asyncio.to_thread(postgres.close)
        shutil.rmtree(folder, ignore_errors=True)


def _replica(folder: Path, line: Line, model: MessagesServer, settings: dict[str, str]) -> Replica:
    folder.mkdir()
    ours = {
        "database_url": f"postgresql://lineclear@127.0.0.1:{line.port}/postgres?sslmode=disable",
        "secret": SECRET,
        "classifier__api_key": "any",
        "classifier__base_url": model.base_url,
    }
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return Replica(folder, port, line, ours | settings)
