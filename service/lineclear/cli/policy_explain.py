"""``lineclear policy explain``: one call, with every check, what was seen of it, and why rules did or didn't match."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from lineclear.bootstrap.itself import itself
from lineclear.cli.counted import counted
from lineclear.cli.failure import Failure
from lineclear.cli.oneword import TAKES_ALL, only
from lineclear.cli.output import Output, as_json
from lineclear.cli.policy_folder import loaded
from lineclear.cli.quoted import visible
from lineclear.cli.settled import settled
from lineclear.core.modes import Mode  # noqa: TC001 - the framework reads the annotations
from lineclear.core.shell.examples import WORKSPACE
from lineclear.engine.explain import explain
from lineclear.wire.errors import Malformed
from lineclear.wire.explaining import caller, encoded
from lineclear.wire.request import decode

if TYPE_CHECKING:
    from collections.abc import Iterator


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain", context_settings=TAKES_ALL)(explain_call)


def explain_call(
    context: typer.Context,
    command: Annotated[
        str | None, typer.Argument(help="A shell command; `-` or nothing reads a decision request from standard input.")
    ] = None,
    mode: Annotated[Mode | None, typer.Option(help="The permission mode.")] = None,
    cwd: Annotated[str, typer.Option(help="The directory of a shell command.")] = WORKSPACE.cwd or "/",
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
    output: Annotated[Output, typer.Option(help="How to print the explanation.")] = Output.TEXT,
) -> None:
    """Decide one call without a record, as by a host's key, and print how it came about."""
    only("policy explain", command, context.args)
    policy, now = loaded(policies).policy, datetime.now(UTC)
    body = _given() if command is None or command == "-" else _request(command, mode, cwd)
    try:
        stated, key = decode(body), caller(body)
    except Malformed as error:
        raise Failure(str(error)) from None
    told = encoded(explain(stated, key, policy, itself(settled()), now), key, policy, now)
    if output is Output.JSON:
        as_json(told)
    else:
        print("\n".join(map(visible, _lines(cast("dict[str, Any]", told)))))


def _given() -> bytes:
    """The request on standard input. Raises ``Failure`` where none can come."""
    body = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    if not body.strip():
        raise Failure("nothing to explain; name a shell command, or give a decision request on standard input")
    return body


def _request(command: str, mode: Mode | None, cwd: str) -> bytes:
    request = {
        "session_id": "explain",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "cwd": cwd,
        "environment": {
            "workspace_roots": [cwd],
            "home": WORKSPACE.home,
            "platform": "linux",
            "shell": "bash",
            "repository_trusted": True,
        },
    }
    return json.dumps(request if mode is None else request | {"permission_mode": mode}).encode()


def _lines(told: dict[str, Any]) -> Iterator[str]:
    trace = told["trace"]
    yield f"{told['verdict']}  {told['code']}  (mode {told['mode']})"
    yield f"  {told['reason']}"
    yield from ("", "parts")
    yield from _parts(trace["parts"])
    yield from ("", "checks")
    for check in trace["checks"]:
        yield f"  {check['number']:>3}  {check['state'].replace('_', ' '):<11}  {check['title']}"
        for finding in check["findings"]:
            words = (finding["rule"], finding["source"], finding["part"] and f"`{finding['part']}`", finding["reason"])
            yield f"       {'':<11}  - " + "  ".join(str(word) for word in words if word)
    yield from ("", "rules about this tool")
    for rule in trace["rules"]:
        parts = "".join(f" `{part}`" for part in rule["parts"])
        yield f"  {rule['reach']:<8}  {rule['rule']}  ({rule['source']}): {rule['why']}{':' * bool(parts)}{parts}"
    yield f"  {counted(trace['rules_left_out'], 'more is', 'more are')} about other tools, callers or times"


def _parts(parts: dict[str, Any]) -> Iterator[str]:
    if parts["doubt"] is not None:
        yield f"  what the text would do can't be told: {parts['doubt']}"
    if parts["covered_by"] is not None:
        yield f"  the call as such: covered by {parts['covered_by']}"
    for command in parts["commands"]:
        yield f"  command  `{command['text']}`: {_standing(command, _proof(command['proof']))}"
        if command["why"]:
            yield f"           {command['why']}"
    for path in parts["paths"]:
        where = "inside the workspace" if path["inside_workspace"] else "not known to be inside the workspace"
        yield f"  path     `{path['text']}` ({path['path'] or 'unknown'}): {_standing(path, path['deed'])}, {where}"
    for host in parts["hosts"]:
        yield f"  host     `{host}`"


def _proof(proof: str) -> str:
    return "not proven" if proof == "none" else proof.replace("_", " ")


def _standing(part: dict[str, Any], what: str) -> str:
    return what if part["covered_by"] is None else f"{what}, covered by {part['covered_by']}"
