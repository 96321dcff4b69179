"""``make demo``: a coding agent's session through a service of its own, over HTTP, with a model or a stand-in."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from calls import SESSION, Step
from rich.console import Console
from rich.table import Table

from support.messages_server import MessagesServer
from support.stand_in import RULES, stand_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}
KEYS = ("LINECLEAR_CLASSIFIER__API_KEY", "ANTHROPIC_API_KEY")
START_S = 60
ENVIRONMENT = {
    "workspace_roots": ["/work/repo"],
    "home": "/home/dev",
    "platform": "linux",
    "shell": "bash",
    "repository_trusted": True,
}
PLACE = {"cwd": "/work/repo", "environment": ENVIRONMENT, "permission_mode": "auto"}


async def main() -> int:
    """Play the session; 0 if every answer came, whatever it was."""
    console = Console(width=max(120, Console().width))
    async with AsyncExitStack() as stack:
        settings = await model(console, stack)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lc-")))
        url = await service(folder, settings, stack)
        host, operator = (client(url, folder, role) for role in ("host", "operator"))
        async with host, operator:
            return await play(console, host, operator)


async def model(console: Console, stack: AsyncExitStack) -> dict[str, str]:
    """The settings of the classifier: the key that is set, or a local stand-in, announced as one."""
    if any(os.environ.get(name) for name in KEYS):
        console.print("a key for a model is set: [b]the session is judged by the real classifier[/b]\n")
        return {}
    server = await stack.enter_async_context(MessagesServer(judge=stand_in))
    console.print("no key for a model is set: [b]a stand-in judges, and says nothing of the prompts' quality[/b]")
    console.print(
        f"it blocks what would {', '.join(what for what, _, _ in RULES)}, by a pattern, and allows the rest\n"
    )
    return {"LINECLEAR_CLASSIFIER__BASE_URL": server.base_url, "LINECLEAR_CLASSIFIER__API_KEY": "any"}


async def service(folder: Path, settings: dict[str, str], stack: AsyncExitStack) -> str:
    """Start the service on a free port with a folder of its own; its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lineclear", "serve", "--port", "0",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env=os.environ | settings | {"LINECLEAR_DATA_DIR": str(folder)},
    )  # fmt: skip
    stack.push_async_callback(process.wait)
    stack.callback(process.terminate)
    said = ""
    async with asyncio.timeout(START_S):
        async for line in lines(process):
            said += line
            if line.startswith("plug in"):
                stack.callback(asyncio.create_task(drain(process)).cancel)
                return re.findall(r"listens on (\S+)", said)[0]
    raise SystemExit(f"the service didn't start:\n{said}")


async def lines(process: asyncio.subprocess.Process) -> AsyncIterator[str]:
    """What a process says, line by line."""
    assert process.stdout is not None
    while raw := await process.stdout.readline():
        yield raw.decode()


async def drain(process: asyncio.subprocess.Process) -> None:
    """Read on, so that it never waits for a reader."""
    async for _ in lines(process):
        pass


def client(url: str, folder: Path, role: str) -> httpx.AsyncClient:
    """A client with a key of the service's first start."""
    secret = (folder / "keys" / f"{role}.key").read_text().strip()
    return httpx.AsyncClient(base_url=url, headers={"authorization": f"Bearer {secret}"}, timeout=60)


async def play(console: Console, host: httpx.AsyncClient, operator: httpx.AsyncClient) -> int:
    """Every step in order, a row each."""
    table = Table("", "call", "verdict", "code", "reason", "ms", title="one session, mode auto", title_justify="left")
    last: dict[str, Any] = {}
    number = 0
    for step in SESSION:
        if step.user:
            said = {"messages": [{"role": "user", "content": step.user, "message_id": "m-1"}]}
            (await host.post("/v1/sessions/demo/messages", json=said)).raise_for_status()
            table.add_row("", f"[b]user:[/b] {step.user}")
        elif step.approves:
            outcome = {"outcome": "approved", "scope": "once"}
            answer = await operator.post(f"/v1/decisions/{last['decision_id']}/outcome", json=outcome)
            answer.raise_for_status()
            table.add_row("", f"[b]{step.note}[/b]")
        else:
            number += 1
            answer, ms = await asked(host, step, number)
            last = answer if answer["verdict"] == "ask" else last
            table.add_row(*row(step, number, answer, ms))
    console.print(table)
    console.print(f"{number} calls decided")
    return 0


async def asked(host: httpx.AsyncClient, step: Step, number: int) -> tuple[dict[str, Any], float]:
    """The decision on a step's call, and how long it took in milliseconds."""
    call = {"session_id": "demo", "tool_use_id": f"toolu_{number}", "tool_name": step.tool, "tool_input": step.input}
    agent = {"agent": {"host": "claude-code", "type": "main"}}
    begun = time.perf_counter()
    answer = await host.post("/v1/decisions", json=PLACE | agent | call | (step.more or {}))
    answer.raise_for_status()
    return answer.json(), (time.perf_counter() - begun) * 1000


def row(step: Step, number: int, answer: dict[str, Any], ms: float) -> tuple[str, ...]:
    """A call as a row of the table."""
    shown = next((str(value) for value in (step.input or {}).values()), "").splitlines()[0]
    note = f"\n[dim]{step.note}[/dim]" if step.note else ""
    colour = COLOURS[answer["verdict"]]
    verdict = f"[{colour}]{answer['verdict']}[/{colour}]"
    call = f"{step.tool} {shown[:52]}".replace("[", "\\[")
    return str(number), call + note, verdict, answer["code"], answer["reason"].replace("[", "\\["), f"{ms:.1f}"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
