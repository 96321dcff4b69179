"""A reply as HTTP: always 200, since hosts take an error for a go-ahead; two headers tell the shim what it is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import msgspec

from lineclear.hosts.events import Unreadable
from lineclear.hosts.registry import HOSTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Scope

    from lineclear.core.call import JSON
    from lineclear.hosts.host import Host, Reply

PREFIX = "/v1/hooks/"
HOST_HEADER = "lineclear-hook"
"""Names the host whose answer this is: whatever else listens on our port doesn't send it."""
EXIT_HEADER = "lineclear-exit"
"""The exit status with which a command hook ends; with one other than 0 the body is for standard error."""

_CALLED = frozenset(
    {
        "tool_name",
        "toolName",
        "tool",
        "tool_input",
        "toolArgs",
        "args",
        "tool_info",
        "preToolUse",
        "command",
        "file_path",
    }
)
"""With one of these a payload is about a call, whatever its event is named."""


def host_of(path: str) -> Host | None:
    """The host of a hook's address, None where there is none."""
    return HOSTS.get(path.removeprefix(PREFIX)) if path.startswith(PREFIX) else None


def event_name(host: Host, scope: Scope, payload: Mapping[str, JSON] | None) -> str:
    """What event a request is about: as the payload says, else as the address does, else the one that gates calls.

    So that even what can't be read gets an answer that its sender understands. The address is what a person set up: at
    that of an event that gates calls, a payload whose event is another, or has been renamed since, is judged as a call.
    """
    events = host.abilities.events
    said: str | None = None
    asked: str = parse_qs(scope["query_string"].decode("latin-1")).get("event", [""])[0]
    with suppress(Unreadable):
        said = host.event_of(payload or {})
    if said is not None and said in events and (events[said].gates or asked not in events or not events[asked].gates):
        return said
    if asked in events:
        return asked
    return host.abilities.gate if said is None or _CALLED & (payload or {}).keys() else said


def rendered(host: Host, reply: Reply) -> tuple[bytes, dict[str, str]]:
    """Body and headers."""
    headers = {HOST_HEADER: host.abilities.name, EXIT_HEADER: str(reply.exit_status), "cache-control": "no-store"}
    if reply.text:
        return reply.text.encode("utf-8", "replace"), headers | {"content-type": "text/plain; charset=utf-8"}
    return msgspec.json.encode(reply.document), headers | {"content-type": "application/json"}
