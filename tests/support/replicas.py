"""Several services on one database, with a model that the test plays."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

import asyncpg
import httpx

from lineclear.core.call import Key, Principal, Role
from lineclear.engine.keys import digest, new_secret
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from support.messages_server import MessagesServer
    from support.serving import Running

SECRET = "the same on all replicas"


@dataclass
class Replicas:
    """Services that share a database, and a key of each role for them."""

    running: list[Running]
    keys: dict[str, str]

    def client(self, role: str = "host", replica: int = 0) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {self.keys[role]}"}
        return httpx.AsyncClient(base_url=self.running[replica].url, headers=headers, timeout=60)

    async def metric(self, sample: str, replica: int = 0) -> float:
        """The sum of the samples that begin with this."""
        async with self.client("metrics", replica) as client:
            lines = (await client.get("/metrics")).text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(sample))


async def replicas(
    count: int, start: Callable, folder: Path, url: str, model: MessagesServer | None, **more: str
) -> Replicas:
    """Start services; the model's server must run in this event loop, since they ask it at their start."""
    settings = {"database_url": url, "secret": SECRET} | more
    if model is not None:
        settings |= {"classifier__api_key": "any", "classifier__base_url": model.base_url}
    keys = await a_key_of_each_role(url)
    running = await asyncio.gather(*(asyncio.to_thread(start, data=folder, **settings) for _ in range(count)))
    for one in running:
        assert one.process.poll() is None, one.logged()
    return Replicas(list(running), keys)


@asynccontextmanager
async def a_database(postgres: str, template: str) -> AsyncIterator[str]:
    """URL of a migrated database for several tests."""
    name = f"t{uuid4().hex}"
    server = await asyncpg.connect(postgres)
    try:
        await server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield postgres.replace("/postgres?", f"/{name}?")
        await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await server.close()


async def a_key_of_each_role(url: str) -> dict[str, str]:
    """A key of each role in a database; host and agent are of one principal."""
    database = Database(url)
    secrets = {}
    for role in (Role.HOST, Role.AGENT, Role.OPERATOR, Role.METRICS):
        principal = Principal("laptop" if role in {Role.HOST, Role.AGENT} else str(role))
        secrets[str(role)] = new_secret()
        await PostgresKeys(database).add(Key(f"k-{role}", role, principal), digest(secrets[str(role)]))
    await database.close()
    return secrets


async def host_keys(url: str, count: int) -> list[str]:
    """A host's key of each of so many principals: what one's sessions did is nothing to another's."""
    secrets = [new_secret() for _ in range(count)]
    rows = [(f"k-host-{n}", digest(secret), "host", f"laptop-{n}", []) for n, secret in enumerate(secrets)]
    connection = await asyncpg.connect(url)
    insert = "INSERT INTO api_keys (id, digest, role, principal, groups) VALUES ($1, $2, $3, $4, $5)"
    await connection.executemany(insert, rows)
    await connection.close()
    return secrets
