"""Tools: what a catalogue knows of one, and which tool a call's name means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.pointers import values_at

if TYPE_CHECKING:
    from lineclear.core.call import JSON


class Kind(StrEnum):
    """What a tool is, whatever its host calls it."""

    SHELL = "shell"
    READ = "read"
    EDIT = "edit"
    SEARCH = "search"
    FETCH = "fetch"
    WEB_SEARCH = "web_search"
    AGENT = "agent"
    SKILL = "skill"
    CONTROL = "control"
    SESSION = "session"
    DEVICE = "device"
    OTHER = "other"


class Source(StrEnum):
    """Where a tool comes from."""

    BUILTIN = "builtin"
    MCP = "mcp"
    PLUGIN = "plugin"
    UNKNOWN = "unknown"


class Use(StrEnum):
    """What an argument of a tool is for."""

    COMMAND = "command"
    """Text for a shell, or a list of words that no shell parses."""
    DIRECTORY = "directory"
    """The folder in which the tool's command runs, in place of the caller's."""
    PATH_READ = "path_read"
    PATH_WRITE = "path_write"
    URL = "url"
    URLS_IN_TEXT = "urls_in_text"
    """Prose out of which the tool takes URLs."""
    PATCH = "patch"
    """A patch whose body names the files that it changes."""
    AGENT_TYPE = "agent_type"
    SKILL_NAME = "skill_name"
    PROSE = "prose"
    """What the agent says about its own call: never shown to a model."""
    DATA = "data"
    """Content: judged by nothing but ``input`` matchers."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a tool: a JSON pointer (``/edits/*/path``, ``*`` for every element) and what it is for."""

    pointer: str
    use: Use
    required: bool = False


@dataclass(frozen=True, slots=True)
class Flags:
    """Behaviour that the model never sees. What isn't known is the worse of the two."""

    read_only: bool = False
    destructive: bool = False
    concurrency_safe: bool = False
    open_world: bool = True
    deferrable: bool = False
    max_result_chars: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of one argument that makes a tool another one: an editor that is told to ``view`` only reads."""

    pointer: str
    value: str

    def made_in(self, tool_input: JSON) -> bool:
        """Whether a call's input makes this choice, letter by letter."""
        return values_at(tool_input, self.pointer) == [self.value]


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool as a catalogue describes it."""

    name: str
    host: str
    kind: Kind
    flags: Flags = Flags()
    arguments: tuple[Argument, ...] = ()
    description: str = ""
    unsandboxed: str | None = None
    """The tool's own switch that takes off its guard, where it has one (a pointer), else None."""
    language: str | None = None
    """What its commands are written in where the tool fixes it (``powershell``, ``python``), None for the shell."""
    typed: str | None = None
    """A switch (a pointer): where it's on, the command is typed into a program that runs already; None: no such."""
    variants: tuple[tuple[Choice, Entry], ...] = ()
    """What the tool is where its input makes a choice; the first that is made counts."""


@dataclass(frozen=True, slots=True)
class Tool:
    """The tool that a call means.

    ``server`` and ``plugin_tool`` are set for MCP and plugin tools; where a server's name can't be told apart from its
    tool's (``mcp__a__b__c``), ``splits`` holds every possible (server, tool). ``imitates`` names the known tool that
    this name only resembles.
    """

    name: str
    source: Source
    kind: Kind = Kind.OTHER
    host: str | None = None
    flags: Flags = Flags()
    arguments: tuple[Argument, ...] = ()
    splits: tuple[tuple[str, str], ...] = ()
    imitates: str | None = None
    unsandboxed: str | None = None
    language: str | None = None
    typed: str | None = None
    variants: tuple[tuple[Choice, Tool], ...] = ()

    def called_with(self, tool_input: JSON) -> Tool:
        """The tool that this input makes of it."""
        return next((tool for choice, tool in self.variants if choice.made_in(tool_input)), self)

    @property
    def known(self) -> bool:
        """Whether anything vouches for what its arguments mean."""
        return self.source is not Source.UNKNOWN
