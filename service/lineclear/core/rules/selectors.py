"""Which tools and which agents a rule means: any reading of a name for deny and ask rules, one for allow rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import Glob
from lineclear.core.tools import Source

if TYPE_CHECKING:
    from lineclear.core.call import Agent
    from lineclear.core.catalogue import Catalogue
    from lineclear.core.tools import Kind, Tool

MCP_PREFIX = "mcp__"
_SEPARATOR = "__"


@dataclass(frozen=True, slots=True)
class Selector:
    """A choice of tools; every part that is set must hold.

    ``name`` is the whole name of a tool. ``server`` and ``server_tool`` are compared with what an MCP tool's name may
    mean. A flag that is set must be what catalogue or override say of the tool.
    """

    text: str
    kinds: frozenset[Kind] | None = None
    host: str | None = None
    name: Glob | None = None
    source: Source | None = None
    server: Glob | None = None
    server_tool: Glob | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    open_world: bool | None = None

    @staticmethod
    def named(text: str, catalogue: Catalogue) -> Selector:
        """The selector of a name as a caller's list of tools has it: a kind, a tool's name, a pattern of names."""
        if (kinds := catalogue.kinds_of(text)) is not None:
            return Selector(text, kinds=kinds)
        host, slash, name = text.partition("/")
        if slash and host in catalogue.hosts:
            return Selector(text, host=host, name=Glob.of(name))
        server, separator, tool = text.removeprefix(MCP_PREFIX).partition(_SEPARATOR)
        if text.startswith(MCP_PREFIX) and (not separator or tool in {"", "*"}):
            return Selector(text, source=Source.MCP, server=Glob.of(server))
        return Selector(text, name=Glob.of(text))

    def holds(self, tool: Tool, *, strict: bool) -> bool:
        """Whether the tool is meant; ``strict`` for allow rules: only if it can mean nothing else."""
        return (
            (self.kinds is None or tool.kind in self.kinds)
            and (self.source is None or tool.source is self.source)
            and self._host_holds(tool, strict=strict)
            and self._name_holds(tool, strict=strict)
            and self._split_holds(tool, strict=strict)
            and self._flags_hold(tool)
        )

    def _host_holds(self, tool: Tool, *, strict: bool) -> bool:
        return self.host is None or tool.host == self.host or (tool.host is None and not strict)

    def _name_holds(self, tool: Tool, *, strict: bool) -> bool:
        if self.name is None:
            return True
        return self.name.matches(tool.name) and not (strict and tool.source is Source.UNKNOWN)

    def _split_holds(self, tool: Tool, *, strict: bool) -> bool:
        if self.server is None and self.server_tool is None:
            return True
        if strict and len(tool.splits) != 1:
            return not tool.splits and self._plain_tool_holds(tool, strict=strict)
        if not tool.splits:
            return self._plain_tool_holds(tool, strict=strict)
        return any(
            (self.server is None or self.server.matches(server))
            and (self.server_tool is None or self.server_tool.matches(name))
            for server, name in tool.splits
        )

    def _plain_tool_holds(self, tool: Tool, *, strict: bool) -> bool:
        """``tool:`` of a selector also means a tool that belongs to no server."""
        if strict and tool.source is Source.UNKNOWN:
            return False
        return self.server is None and self.server_tool is not None and self.server_tool.matches(tool.name)

    def _flags_hold(self, tool: Tool) -> bool:
        return all(
            wanted is None or wanted is given
            for wanted, given in (
                (self.read_only, tool.flags.read_only),
                (self.destructive, tool.flags.destructive),
                (self.open_world, tool.flags.open_world),
            )
        )


def server_selectors(text: str, *, strict: bool) -> tuple[Selector, ...]:
    """The selectors of ``mcp__server`` or ``mcp__server__tool``, any of which may hold; ``strict`` for allow rules.

    Where the text itself can be split in several ways, a deny or ask rule means them all. Raises ``RuleFault`` for a
    star in an allow rule anywhere but behind a literal server.
    """
    rest = text.removeprefix(MCP_PREFIX)
    server, separator, tool = rest.partition(_SEPARATOR)
    if not server:
        raise RuleFault(f"`{text}` names no server; write `mcp__server__tool` or `mcp__server`")
    if strict and "*" in server:
        raise _too_broad(text)
    whole = Selector(text, source=Source.MCP, server=Glob.of(server))
    if not separator or tool in {"", "*"}:
        # A name that can't be split is no server's tool, and may be meant all the same.
        return (whole,) if strict else (whole, Selector(text, name=Glob.of(text)))
    one = Selector(text, source=Source.MCP, server=Glob.of(server), server_tool=Glob.of(tool))
    if strict:
        return (one,)
    return (
        one,
        Selector(text, source=Source.MCP, name=Glob.of(text)),
        Selector(text, source=Source.MCP, server=Glob.of(rest)),
    )


def name_selector(text: str, *, strict: bool) -> Selector:
    """The selector of a tool's whole name, with stars for deny and ask rules. Raises ``RuleFault``."""
    if strict and "*" in text:
        raise _too_broad(text)
    return Selector(text, name=Glob.of(text))


@dataclass(frozen=True, slots=True)
class AgentFilter:
    """For which agents an allow or ask rule is meant; every part that is set must hold, a list means any of it."""

    hosts: frozenset[str] | None = None
    types: frozenset[str] | None = None
    is_async: bool | None = None
    main: bool | None = None

    def holds(self, agent: Agent, *, strict: bool = True) -> bool:
        """Whether the agent is meant; where nothing is known of it, an allow rule (``strict``) doesn't mean it."""
        return (
            (self.hosts is None or agent.host in self.hosts or (agent.host is None and not strict))
            and (self.types is None or agent.type in self.types or (agent.type is None and not strict))
            and (self.is_async is None or agent.is_async is self.is_async or (agent.is_async is None and not strict))
            and (self.main is None or (agent.type is None and not strict) or agent.main is self.main)
        )


def _too_broad(text: str) -> RuleFault:
    return RuleFault(f"`{text}` is too broad for an allow rule; a star may stand only behind a literal `mcp__server__`")
