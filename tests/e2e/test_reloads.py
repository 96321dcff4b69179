"""Reloads under load: no call fails, and each is decided wholly by one of the versions that were put in force."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from typing import TYPE_CHECKING

import httpx
import pytest

from lineclear import resources
from lineclear.classifier.prompts import DIGEST
from lineclear.policyfiles.load import load

if TYPE_CHECKING:
    from pathlib import Path

    from support.serving import Running

CALLERS = 6
FILES = ("a", "b", "c")
EFFECTS = ("deny", "ask")
RULE = "version: 1\nrules: [{{id: {file}-{number}, effect: {effect}, command: [wc *]}}]\n"
AT_MOST_S = 20.0


class Mount:
    """A folder of policies as Kubernetes mounts a ConfigMap: its files are links through one link, which is turned."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._layer = folder / "organisation"
        self._layer.mkdir(parents=True)
        for file in FILES:
            (self._layer / f"{file}.yaml").symlink_to(f"..data/{file}.yaml")

    def publish(self, number: int) -> str:
        """Put a policy into force whose rules all name its number; its version."""
        made = self._layer / f"..{number}"
        made.mkdir()
        for file in FILES:
            text = RULE.format(file=file, number=number, effect=EFFECTS[number % 2])
            (made / f"{file}.yaml").write_text(text)
        turned = self._layer / "..data_tmp"
        turned.symlink_to(made.name)
        turned.replace(self._layer / "..data")
        return load(self.folder, resources.builtin(), DIGEST).version


async def call_on(client: httpx.AsyncClient, name: str, answers: list[dict], until: asyncio.Event) -> None:
    for number in count():
        if until.is_set():
            return
        request = {"session_id": f"{name}-{number}", "tool_name": "Bash", "tool_input": {"command": "wc -l x; wc y"}}
        answer = await client.post("/v1/decisions", json=request)
        answers.append({"status": answer.status_code, **answer.json()})


async def reloaded(running: Running, mount: Mount, published: dict[str, int], times: int) -> list[dict]:
    """Publish so many policies one after the other, each once the last one is in force; all answers meanwhile."""
    answers: list[dict] = []
    until = asyncio.Event()
    keyed = {role: {"authorization": f"Bearer {running.key(role)}"} for role in ("host", "operator")}
    async with (
        httpx.AsyncClient(base_url=running.url, headers=keyed["host"], timeout=20) as caller,
        httpx.AsyncClient(base_url=running.url, headers=keyed["operator"], timeout=20) as operator,
        asyncio.TaskGroup() as group,
    ):
        for name in range(CALLERS):
            group.create_task(call_on(caller, str(name), answers, until))
        try:
            for number in range(1, times + 1):
                version = await asyncio.to_thread(mount.publish, number)
                published[version] = number
                begun = time.monotonic()
                while (await operator.get("/v1/policy")).json()["version"] != version:
                    assert time.monotonic() - begun < AT_MOST_S, f"policy {number} didn't come into force"
                    await asyncio.sleep(0.05)
        finally:
            until.set()
    return answers


@pytest.mark.parametrize("times", [5, pytest.param(200, marks=pytest.mark.slow)])
async def test_each_call_is_decided_by_one_published_version(start, tmp_path, times):
    mount = Mount(tmp_path / "policies")
    published = {mount.publish(0): 0}
    running = start("--port", "0", "--policies", str(mount.folder))
    answers = await reloaded(running, mount, published, times)
    assert {answer["status"] for answer in answers} == {200}
    for answer in answers:
        number = published[answer["policy_version"]]
        assert answer["verdict"] == EFFECTS[number % 2]
        assert {finding["rule"] for finding in answer["findings"]} == {f"organisation:{f}-{number}" for f in FILES}
    seen = {published[answer["policy_version"]] for answer in answers}
    assert len(published) == times + 1
    assert seen >= set(range(1, times))
    assert '"event":"policy_refused"' not in running.logged()
    assert running.end() == 0
    print(f"{times} reloads, {len(answers)} calls, {len(seen)} versions decided")  # noqa: T201 - the measured number
