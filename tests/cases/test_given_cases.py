"""The given decision cases, file by file: by `policy test`'s own bench, and the same verdicts over HTTP."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import httpx
import pytest

from lineclear.api.app import Needs, create
from lineclear.bootstrap.offline import offline
from lineclear.core.call import Key, Role
from lineclear.engine.keys import digest, new_secret
from lineclear.policyfiles.cases import read
from lineclear.policyfiles.trying import Bench
from lineclear.settings import load
from lineclear.storage.memory import MemoryKeys, MemoryLog
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


@pytest.fixture(scope="module")
def engine():
    return offline(load(policies=ROOT / "policies")).engine


@pytest.mark.parametrize("name", MAIN_JOB)
async def test_the_same_verdicts_come_back_over_http(bench, engine, name):
    for case in read(FOLDER / f"{name}.yaml"):
        deciding = replace(engine, policies=SimpleNamespace(current=bench.policy_of(case)), log=MemoryLog())
        async with await client_of(deciding, case.principal) as client:
            answer = (await client.post("/v1/decisions", json=dict(case.request))).json()
        assert answer["verdict"] in case.expected.verdicts, case.id
        assert not case.expected.codes or answer["code"] in case.expected.codes, case.id


async def client_of(engine, principal):
    """A client of an application around an engine, with a host's key."""
    keys, secret = MemoryKeys(), new_secret()
    await keys.add(Key("case", Role.HOST, principal), digest(secret))
    needs = Needs(
        engine=engine,
        keys=keys,
        policy=None,
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
