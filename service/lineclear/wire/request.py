"""A decision request: JSON in, a stated call out. Whatever doesn't fit is named by its JSON pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from lineclear.core.call import Agent, Dialect, Environment, Platform, Stated
from lineclear.core.modes import Mode  # noqa: TC001 - msgspec reads the annotation
from lineclear.wire.errors import Malformed, Problem
from lineclear.wire.names import MAX_NAME, refuse_secrets
from lineclear.wire.reading import read, refuse_depth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_TOOLS_CHARS = 65_536
"""Most characters of ``allowed_tools`` together: each is read as a rule, and a call's list may be another each time."""
MAX_PATH = 4096
"""Longest path, in characters (PATH_MAX on Linux)."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]
Path = Annotated[str, msgspec.Meta(max_length=MAX_PATH)]


class EnvironmentWire(msgspec.Struct):
    """``environment`` as sent."""

    workspace_roots: Annotated[list[Path], msgspec.Meta(max_length=64)] | None = None
    home: Path | None = None
    platform: str | None = None
    shell: str | None = None
    resolved_paths: Annotated[dict[str, Path], msgspec.Meta(max_length=10_000)] | None = None
    repository_trusted: bool | None = None


class AgentWire(msgspec.Struct):
    """``agent`` as sent."""

    host: Name | None = None
    id: Name | None = None
    type: Name | None = None
    is_async: bool | None = None


class MessageWire(msgspec.Struct):
    """One of ``messages``, in the shape of the Messages API.

    ``host_answer`` says that it is what the user answered to a question that the host's own tool showed.
    """

    role: Name
    content: str | list[Any]
    message_id: Name | None = None
    host_answer: bool = False


class RequestWire(msgspec.Struct):
    """A decision request as sent; unknown fields are ignored."""

    session_id: Name
    tool_name: Name
    tool_input: dict[str, Any]
    tool_use_id: Name | None = None
    permission_mode: Mode | None = None
    messages: list[MessageWire] | None = None
    cwd: Path | None = None
    environment: EnvironmentWire | None = None
    agent: AgentWire | None = None
    allowed_tools: Annotated[list[Name], msgspec.Meta(max_length=1000)] | None = None
    interactive: bool | None = None
    timeout_ms: Annotated[int, msgspec.Meta(ge=1, le=600_000)] = 30_000
    context: dict[str, Any] | None = None


_DECODER = msgspec.json.Decoder(RequestWire)
_DIALECTS = {dialect.value: dialect for dialect in Dialect} | {"pwsh": Dialect.POWERSHELL}
_PLATFORMS = {
    "linux": Platform.LINUX,
    "macos": Platform.MACOS,
    "darwin": Platform.MACOS,
    "windows": Platform.WINDOWS,
    "win32": Platform.WINDOWS,
}


def decode(body: bytes) -> Stated:
    """The stated call of a request body; raises ``Malformed``."""
    request = read(_DECODER, body)
    refuse_depth(request.tool_input, request.context, request.messages and [one.content for one in request.messages])
    if sum(map(len, request.allowed_tools or ())) > MAX_TOOLS_CHARS:
        too_long = f"the list has more than {MAX_TOOLS_CHARS} characters; leave it out, or name fewer tools"
        raise Malformed([Problem("/allowed_tools", "invalid", too_long)])
    refuse_secrets(_names(request))
    return _stated(request)


def from_mapping(request: Mapping[str, Any]) -> Stated:
    """The stated call of a request that is a mapping already (a case, a line of ``check``); raises ``Malformed``."""
    try:
        body = msgspec.json.encode(request)
    except (TypeError, ValueError, UnicodeEncodeError) as error:
        raise Malformed([Problem("", "not_json", f"the request can't be written as JSON: {error}")]) from None
    return decode(body)


def _stated(request: RequestWire) -> Stated:
    environment = request.environment or EnvironmentWire()
    agent = request.agent or AgentWire()
    return Stated(
        session_id=request.session_id,
        tool_name=request.tool_name,
        tool_input=request.tool_input,
        tool_use_id=request.tool_use_id,
        mode=request.permission_mode,
        environment=Environment(
            cwd=request.cwd or None,
            roots=None if environment.workspace_roots is None else tuple(environment.workspace_roots),
            home=environment.home or None,
            platform=_PLATFORMS.get((environment.platform or "").lower(), Platform.UNKNOWN),
            dialect=_dialect(environment.shell),
            real_paths=environment.resolved_paths or {},
            repository_trusted=bool(environment.repository_trusted),
        ),
        agent=Agent(agent.host, agent.id, agent.type, agent.is_async),
        allowed_tools=None if request.allowed_tools is None else tuple(request.allowed_tools),
        interactive=request.interactive,
        context=request.context or {},
        timeout_ms=request.timeout_ms,
        messages=said(request.messages),
    )


def _names(request: RequestWire) -> Iterator[tuple[str, str | None]]:
    yield "/session_id", request.session_id
    yield "/tool_name", request.tool_name
    yield "/tool_use_id", request.tool_use_id
    yield "/agent/host", None if request.agent is None else request.agent.host


def said(messages: list[MessageWire] | None) -> tuple[dict[str, Any], ...]:
    """Messages as the core takes them: what of them a person typed is told apart there. Raises ``Malformed``."""
    refuse_secrets((f"/messages/{place}/message_id", one.message_id) for place, one in enumerate(messages or ()))
    return tuple(msgspec.structs.asdict(one) for one in messages or ())


def _dialect(shell: str | None) -> Dialect:
    """The dialect of a shell's name or path; one that we have no grammar for is unknown."""
    name = (shell or "").replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe")
    return _DIALECTS.get(name, Dialect.UNKNOWN)
