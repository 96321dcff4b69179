"""Policies out of a few lines, on the shipped layer, and what their rules make of a call."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from lineclear.core.call import Agent, Call, Principal
from lineclear.core.modes import Mode
from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.core.shell.examples import WORKSPACE
from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, compiled
from lineclear.policyfiles.node import Node
from lineclear.policyfiles.problems import Fault, PolicyError

BUILTIN = Path(__file__).parents[2] / "policies" / "builtin"
TODAY = date(2026, 11, 29)


@cache
def shipped() -> Beneath:
    """The shipped layer, read once."""
    return Beneath.read(BUILTIN)


@cache
def beneath() -> Beneath:
    """The same without its own rules and sections: a test sees only what it wrote."""
    return replace(shipped(), sources=())


def node(value: Any, line: int = 1) -> Node:
    """A value as a node of a file."""
    if isinstance(value, dict):
        return Node({key: node(one, line) for key, one in value.items()}, line, 1, dict.fromkeys(value, (line, 1)))
    if isinstance(value, list | tuple):
        return Node(tuple(node(one, line) for one in value), line, 1)
    return Node(value, line, 1)


def policy(**sections: Any):
    """The policy of some sections, as the organisation's only file."""
    try:
        source = sources.of_node(node({"version": 1, **sections}))
    except Fault as fault:
        raise PolicyError([fault.of("organisation/policy.yaml")]) from fault
    return compiled(beneath(), (source,))


def permissions(**lists: Any):
    return policy(permissions=lists)


def call(tool: str, tool_input: Any, *, mode: Mode = Mode.DEFAULT, agent: Agent | None = None, **environment: Any):
    return Call(
        session_id="s",
        principal=Principal("test"),
        tool_name=tool,
        tool_input=tool_input,
        tool_use_id=None,
        mode=mode,
        environment=replace(WORKSPACE, **environment),
        agent=agent or Agent(host="claude-code", type="main", is_async=False),
        allowed_tools=None,
        interactive=True,
        context={},
    )


def facts(policy, tool: str, tool_input: Any, **more: Any):
    return observe(call(tool, tool_input, **more), policy, Own(), TODAY)


def shell(policy, command: str, **more: Any):
    return facts(policy, "Bash", {"command": command}, **more)


def denied(pattern: str, command: str, **more: Any) -> bool:
    """Whether a deny rule of this command pattern matches."""
    book = permissions(deny=[f"Bash({pattern})"])
    return bool(book.rules.denials(shell(book, command, **more)))


def possibly_denied(pattern: str, command: str) -> bool:
    book = permissions(deny=[f"Bash({pattern})"])
    return bool(book.rules.possible_denials(shell(book, command)))


def covered(pattern: str, command: str, *, suspended: bool = False, **more: Any) -> bool:
    """Whether an allow rule of this command pattern covers the command that is named first."""
    book = permissions(allow=[f"Bash({pattern})"])
    return 0 in book.rules.coverage(shell(book, command, **more), suspended=suspended).commands
