"""No figure without everything on: what skips keys, redaction, rules, chain or disk isn't what is measured."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import UUID

import asyncpg
import httpx
from benchmarks.speed import workload

if TYPE_CHECKING:
    from benchmarks.service import Service

_SECRET = "AKIA" + "Q3EGRIYNVBZ2XW7D"
"""Looks like a cloud's access key, and is none."""


class NotAllOn(Exception):
    """Something that production has on is off; the message says what."""


def all_on(service: Service) -> dict[str, Any]:
    """What the service was seen to do, for the report. Raises ``NotAllOn``."""
    with httpx.Client(base_url=service.url, timeout=30) as client:
        return {
            "keys": _keys(client),
            "redaction": _redaction(client, service),
            **_policy(client, service),
            **asyncio.run(_stored(service, _ask(client, service.key(), "ls").json()["decision_id"])),
        }


def _ask(client: httpx.Client, key: str | None, command: str) -> httpx.Response:
    body = next(workload.calls()) | {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": None}
    return client.post("/v1/decisions", json=body, headers={} if key is None else {"authorization": f"Bearer {key}"})


def _keys(client: httpx.Client) -> bool:
    for key in (None, "lck_none"):
        if _ask(client, key, "ls").status_code != httpx.codes.UNAUTHORIZED:
            raise NotAllOn("a call without a valid key is answered: keys are off")
    return True


def _redaction(client: httpx.Client, service: Service) -> bool:
    answer = _ask(client, service.key(), f"{workload.DENIED} {_SECRET}").json()
    stored = client.get(
        f"/v1/decisions/{answer['decision_id']}", headers={"authorization": f"Bearer {service.key('operator')}"}
    )
    for text in (str(answer), stored.text):
        if _SECRET in text:
            raise NotAllOn("a secret in a command comes back: redaction is off")
    if stored.json()["findings"][0]["part"] is None:
        raise NotAllOn("no part of a denied command comes back, so that redaction can't be seen")
    return True


def _policy(client: httpx.Client, service: Service) -> dict[str, Any]:
    for command, code, rule in (
        (workload.DENIED, "deny_rule", "organisation:deny:Bash(bench-tool-0 destroy *)"),
        ("git push origin main", "ask_rule", "builtin.ask-git-push"),
        ("cat .env", "protected_path", "builtin.env"),
    ):
        answer = _ask(client, service.key(), command).json()
        if answer["code"] != code or rule not in {finding["rule"] for finding in answer["findings"]}:
            raise NotAllOn(f"`{command}` is {answer['code']}, not {code} by `{rule}`: not all rules are on")
    told = client.get("/v1/policy", headers={"authorization": f"Bearer {service.key('operator')}"}).json()
    if told["enforcement"] != "enforce":
        raise NotAllOn("the policy only observes")
    return {"policy_version": told["version"], "added_rules": workload.RULES}


async def _stored(service: Service, decision_id: str) -> dict[str, Any]:
    address = f"postgresql://lineclear@/postgres?host={quote(str(service.data / 'postgres'), safe='')}"
    connection = await asyncpg.connect(address)
    try:
        return {"hash_chain": await _chain(connection, decision_id), "postgres": await _disk(connection)}
    finally:
        await connection.close()


async def _chain(connection: asyncpg.Connection[asyncpg.Record], decision_id: str) -> bool:
    links = await connection.fetchval("SELECT count(*) FROM audit_links WHERE $1 = ANY(ids)", UUID(decision_id))
    if links != 1:
        raise NotAllOn(f"decision {decision_id} is in {links} links of the hash chain, not in one")
    return True


async def _disk(connection: asyncpg.Connection[asyncpg.Record]) -> dict[str, str]:
    names = ("server_version", "fsync", "synchronous_commit", "full_page_writes")
    found = {name: str(await connection.fetchval(f"SHOW {name}")) for name in names}
    if {name: found[name] for name in names[1:]} != dict.fromkeys(names[1:], "on"):
        raise NotAllOn(f"commits don't wait for the disk: {found}")
    return found
