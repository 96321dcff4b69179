"""The given decision cases, file by file: by `policy test`'s own bench, and the same verdicts over HTTP."""

from __future__ import annotations

from types import SimpleNamespace

import httpx
import pytest

from contracts.records import CHAIN
from lineclear.api.app import Needs, create
from lineclear.bootstrap.desks import desks
from lineclear.core.call import Key, Role
from lineclear.core.own import Own
from lineclear.engine.keys import digest, new_secret
from lineclear.engine.observer import Silent
from lineclear.policyfiles.cases import read
from lineclear.policyfiles.trying import Bench
from lineclear.storage.log import PostgresLog
from lineclear.storage.memory import MemoryKeys
from lineclear.storage.writer import GroupWriter
from lineclear.telemetry.metrics import Metrics
from support.given import cases as given
from support.judging import ROOT

FOLDER = given()
FILES = sorted(FOLDER.glob("*.yaml"))
MAIN_JOB = ["modes", "modes_more", "order", "rules_matching", "imitated_names", "format_input_domains"]
WAITING: frozenset[str] = frozenset()
"""Cases that wait for something that isn't built, by id."""


@pytest.fixture(scope="module")
def bench():
    return Bench(ROOT / "policies", ROOT / "policies" / "builtin")


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_file(bench, file):
    failed = [f"{one.case.id}: {one.expected} but {one.got}" for one in bench.run(read(file)).failed]
    assert [line for line in failed if line.partition(":")[0] not in WAITING] == []


@pytest.mark.parametrize("name", MAIN_JOB)
async def test_the_same_verdicts_come_back_over_http(bench, database, name):
    writer = GroupWriter(PostgresLog(database, CHAIN))
    for number, case in enumerate(read(FOLDER / f"{name}.yaml")):
        policies = SimpleNamespace(current=bench.policy_of(case))
        served = desks(database, writer, policies, Silent(), Own(), b"s" * 32, None, lambda: False)
        async with await client_of(served, case.principal) as client:
            request = dict(case.request) | {"session_id": f"{name}-{number}"}
            answer = (await client.post("/v1/decisions", json=request)).json()
        assert answer["verdict"] in case.expected.verdicts, case.id
        assert not case.expected.codes or answer["code"] in case.expected.codes, case.id
    await writer.close()


async def client_of(served, principal):
    """A client of the application around some desks, with a host's key."""
    keys, secret = MemoryKeys(), new_secret()
    await keys.add(Key("case", Role.HOST, principal), digest(secret))
    needs = Needs(
        engine=served.engine,
        answers=served.answers,
        conversation=served.conversation,
        sessions=served.sessions,
        listing=served.listing,
        keys=keys,
        policy=None,
        checks=None,
        health=None,
        metrics=Metrics("0"),
        allowed_hosts=frozenset({"localhost"}),
        max_body_bytes=1_000_000,
        max_in_flight=4,
    )
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(create(needs)),
        base_url="http://localhost:8642",
        headers={"authorization": f"Bearer {secret}"},
    )
