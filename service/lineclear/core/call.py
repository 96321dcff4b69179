"""A call: what a caller states, and what is believed of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NewType, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.core.modes import Mode

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""A JSON value, as decoded."""


class Role(StrEnum):
    """What the holder of a key is; each endpoint names the roles that it serves."""

    AGENT = "agent"
    HOST = "host"
    OPERATOR = "operator"
    EDITOR = "editor"
    METRICS = "metrics"


class Platform(StrEnum):
    """Whose path rules hold. Where it isn't known, the stricter reading of each does."""

    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"
    UNKNOWN = "unknown"


class Dialect(StrEnum):
    """The shell that a command is for. ``UNKNOWN`` is the worst of bash and zsh."""

    BASH = "bash"
    SH = "sh"
    ZSH = "zsh"
    POWERSHELL = "powershell"
    CMD = "cmd"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who holds the key: one agent's installation, or a person."""

    id: str
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Key:
    """An API key as known to a request: never the secret itself."""

    id: str
    role: Role
    principal: Principal


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a call would run. ``None`` means that nobody vouched for it."""

    cwd: str | None = None
    roots: tuple[str, ...] | None = None
    home: str | None = None
    platform: Platform = Platform.UNKNOWN
    dialect: Dialect = Dialect.UNKNOWN
    real_paths: Mapping[str, str] = field(default_factory=dict, hash=False)
    repository_trusted: bool = False


class Agent(Struct, frozen=True):
    """Which agent of the session makes the call."""

    host: str | None = None
    id: str | None = None
    type: str | None = None
    is_async: bool | None = None

    @property
    def main(self) -> bool:
        """Whether it is the one that the person talks to."""
        return self.type == "main"


@dataclass(frozen=True, slots=True)
class Stated:
    """A call as its caller states it: nothing in it is believed yet (see ``core.trust``)."""

    session_id: str
    tool_name: str
    tool_input: Mapping[str, JSON]
    tool_use_id: str | None = None
    mode: Mode | None = None
    environment: Environment = Environment()
    agent: Agent = Agent()
    allowed_tools: tuple[str, ...] | None = None
    interactive: bool | None = None
    context: Mapping[str, JSON] = field(default_factory=dict)
    timeout_ms: int = 30_000
    messages: Sequence[JSON] = ()


class Call(Struct, frozen=True):
    """A call as it is believed: every field has been through ``core.trust``."""

    session_id: str
    principal: Principal
    tool_name: str
    tool_input: Mapping[str, JSON]
    tool_use_id: str | None
    mode: Mode
    environment: Environment
    agent: Agent
    allowed_tools: tuple[str, ...] | None
    interactive: bool
    context: Mapping[str, JSON]


SessionKey = NewType("SessionKey", tuple[str, str])
"""What a session is: (principal id, ``session_id``). The same name from another principal is another session."""
