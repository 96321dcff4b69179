"""Reading a payload: what must be there is, and has its type; the rest is left to the one who knows the host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lineclear.hosts.events import Unreadable
from lineclear.hosts.repositories import executes_nothing

if TYPE_CHECKING:
    from lineclear.core.call import JSON

SHIM = "lineclear"
"""The key under which the shim adds what it found out: no host has it, and no model can write beside its own input."""


def text(payload: Mapping[str, JSON], *keys: str) -> str:
    """The text under the first of the keys that is there. Raises ``Unreadable``."""
    found = maybe(payload, *keys)
    if found is None:
        raise Unreadable(f"the payload has no `{keys[0]}`")
    return found


def maybe(payload: Mapping[str, JSON], *keys: str) -> str | None:
    """The same, None where it is absent, null or empty. Raises ``Unreadable`` where it is no text."""
    for key in keys:
        value = payload.get(key)
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            raise Unreadable(f"`{key}` is no text")
        return value
    return None


def mapping(payload: Mapping[str, JSON], key: str) -> Mapping[str, JSON]:
    """The object under a key. Raises ``Unreadable``."""
    value = payload.get(key)
    if not isinstance(value, Mapping):
        raise Unreadable(f"`{key}` is no object" if key in payload else f"the payload has no `{key}`")
    return value


def arguments(payload: Mapping[str, JSON], key: str, *, absent_is_empty: bool = False) -> Mapping[str, JSON]:
    """A tool's input. What is no object becomes the only argument of one, so that it is judged all the same."""
    value = payload.get(key)
    if isinstance(value, Mapping):
        return value
    if value is None and not absent_is_empty:
        raise Unreadable(f"the payload has no `{key}`")
    return {} if value is None else {"input": value}


def named(given: Mapping[str, JSON], name: str, *others: str) -> dict[str, JSON]:
    """A tool's input with an argument under the name by which it is known here, whichever of the names it came under.

    Raises ``Unreadable`` where two of them say different things: a model wrote both, and one of them is what counts.
    """
    said = [given[one] for one in (name, *others) if one in given]
    if any(value != said[0] for value in said):
        raise Unreadable(f"`{name}` is said twice, in different words")
    made = {key: value for key, value in given.items() if key not in others}
    return made | {name: said[0]} if said else made


def request(
    payload: Mapping[str, JSON],
    host: str,
    *,
    session_id: str,
    tool_name: str,
    tool_input: Mapping[str, JSON],
    tool_use_id: str | None = None,
    mode: str | None = None,
    cwd: str | None = None,
    agent: Mapping[str, JSON] | None = None,
    roots: JSON = None,
) -> dict[str, JSON]:
    """A decision request, with what the shim found out where it was there."""
    made: dict[str, JSON] = {
        "session_id": session_id,
        "tool_name": tool_name,
        "tool_input": tool_input,
        "tool_use_id": tool_use_id,
        "permission_mode": mode,
        "cwd": cwd,
        "agent": {"host": host, **(agent or {})},
        "environment": _environment(payload, roots),
    }
    return {key: value for key, value in made.items() if value is not None}


def _environment(payload: Mapping[str, JSON], roots: JSON) -> dict[str, JSON]:
    shim = payload.get(SHIM)
    found = shim if isinstance(shim, Mapping) else {}
    made = {
        "workspace_roots": roots if roots is not None else found.get("roots") or None,
        "home": found.get("home"),
        "platform": found.get("platform"),
        "shell": found.get("shell"),
        "resolved_paths": found.get("resolved_paths"),
        "repository_trusted": executes_nothing(found["git_config"]) if "git_config" in found else None,
    }
    return {key: value for key, value in made.items() if value is not None}


def sub_agent(type_name: str | None, agent_id: str | None) -> dict[str, JSON]:
    """The agent of a call: the main one where no id says otherwise; a sub-agent can't be named ``main``."""
    if agent_id is None:
        return {}
    return {"id": agent_id, "type": "sub-agent" if type_name in {None, "main"} else type_name}
