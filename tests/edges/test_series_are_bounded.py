"""Ten thousand calls that differ in all that a caller may choose make no series; Prometheus reads what there is."""

from __future__ import annotations

import asyncio
import random
import re
import string
from itertools import cycle
from urllib.parse import quote

import httpx
import pytest
from benchmarks.service import serving
from prometheus_client.parser import text_string_to_metric_families

from lineclear.api.problems import ProblemCode
from lineclear.bootstrap.first_keys import key_id
from lineclear.core.call import Key, Principal, Role
from lineclear.core.modes import Mode
from lineclear.core.reasons import Code
from lineclear.engine.keys import digest, new_secret
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys
from lineclear.telemetry.metrics import HOSTS

CALLS, EACH, PRINCIPALS, SIDE_BY_SIDE = 10_000, 64, 20, 16
COMMANDS = ("ls", "rm -rf /", "git push", "make {}", "cat .env", "curl https://{}.example", "echo '", "x\u200b{}", "")
CLOSED = {
    "verdict": {"allow", "ask", "deny"},
    "code": {*Code, *ProblemCode},
    "mode": set(Mode),
    "host": HOSTS | {"other"},
    "enforced": {"true", "false"},
    "path": {"deterministic", "model"},
    "stage": {"analysis", "rules", "classifier", "commit", "fast", "thinking"},
    "state": {"not_configured", "ok", "degraded"},
    "kind": {"read", "write", "refused", "input", "output", "cache_read", "cache_write"},
    "cause": {"missing", "unknown", "role", "consecutive", "total", "late", *ProblemCode},
    "outcome": {"allow", "block", "unsure", "refused", "cut_off", "unparsable", "timed_out", "failed", "cancelled"}
    | {"approved", "rejected", "expired"},
    "by": {"operator", "host"},
    "effect": {"allow", "ask", "deny"},
}
"""Every label's values; ``version`` (one at a time) and ``le`` (buckets) are looked at by themselves."""


@pytest.fixture(scope="module")
def service():
    with serving() as running:
        yield running


@pytest.fixture
async def keys(service):
    """A key of each of many principals, agents among them, and one that may scrape."""
    place = quote(str(service.data / "postgres"), safe="")
    database = Database(f"postgresql://lineclear@/postgres?host={place}")
    roles = [Role.AGENT if number % 4 == 0 else Role.HOST for number in range(PRINCIPALS)]
    secrets = {new_secret(): (f"p{number}", role) for number, role in enumerate(roles)}
    scraper = new_secret()
    store = PostgresKeys(database)
    for secret, (principal, role) in {**secrets, scraper: ("prometheus", Role.METRICS)}.items():
        await store.add(Key(key_id(secret), role, Principal(principal)), digest(secret))
    await database.close()
    return list(secrets), scraper


def word(chance):
    return "".join(chance.choices(string.printable + "äλ漢\u200b", k=chance.randint(1, 40)))


def call(chance, number):
    tool, given = chance.choice(
        [
            ("Bash", {"command": chance.choice(COMMANDS).format(word(chance))}),
            ("Read", {"file_path": word(chance)}),
            ("Edit", {"file_path": f"/work/repo/{word(chance)}"}),
            ("WebFetch", {"url": f"https://{word(chance)}"}),
            (f"mcp__{number}__{number}", {word(chance): word(chance)}),
            (word(chance), {word(chance): number}),
            ("Bash", number),
        ]
    )
    return {
        "session_id": f"s{number}",
        "tool_use_id": word(chance),
        "tool_name": tool,
        "tool_input": given,
        "permission_mode": chance.choice((*Mode, None, "yolo")),
        "cwd": chance.choice((None, "/work/repo", word(chance))),
        "agent": {"host": chance.choice(("codex", word(chance))), "type": word(chance)},
        "context": {word(chance): word(chance)},
    }


async def posted(client, lots, secrets):
    """The results of all lots that are left, one lot after the other, each as another principal."""
    results = []
    for secret, lot in zip(cycle(secrets), lots, strict=False):
        headers = {"authorization": f"Bearer {secret}"}
        answer = await client.post("/v1/decisions/batch", json={"decisions": lot}, headers=headers)
        assert answer.status_code == 200
        results += answer.json()["results"]
    return results


async def scraped(client, secret):
    answer = await client.get("/metrics", headers={"authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    families = list(text_string_to_metric_families(answer.text))
    assert all(family.documentation for family in families)
    return [sample for family in families for sample in family.samples]


def total(samples, name):
    return sum(sample.value for sample in samples if sample.name == name)


async def test_ten_thousand_calls_make_no_series_of_their_own(service, keys):
    secrets, scraper = keys
    chance = random.Random(20_26)
    calls = [call(chance, number) for number in range(CALLS)]
    lots = iter([calls[start : start + EACH] for start in range(0, CALLS, EACH)])
    async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
        answered = await asyncio.gather(*(posted(client, lots, secrets) for _ in range(SIDE_BY_SIDE)))
        samples = await scraped(client, scraper)
    results = [result for some in answered for result in some]
    verdicts = sum("verdict" in result for result in results)
    assert len(results) == CALLS
    assert verdicts > CALLS / 2
    assert total(samples, "lineclear_decisions_total") == verdicts
    assert total(samples, "lineclear_http_problems_total") == CALLS - verdicts
    for sample in samples:
        for label, value in sample.labels.items():
            if label == "le":
                assert re.fullmatch(r"[\d.e+-]+|\+Inf", value)
            elif label != "version":
                assert value in CLOSED[label], sample
    assert len([sample for sample in samples if sample.name == "lineclear_policy_info"]) == 1
