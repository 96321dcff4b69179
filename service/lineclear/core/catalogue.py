"""The catalogue: which tool a name means at which host, with the stricter reading wherever that can't be told."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from lineclear.core.schemas import input_schema
from lineclear.core.toolentries import ANY_HOST, EntryError, HostNames, Override
from lineclear.core.toolentries import entry as entry
from lineclear.core.toolentries import host_names as host_names
from lineclear.core.toolentries import override as override
from lineclear.core.toolnames import EVERYWHERE, plain, skeleton
from lineclear.core.tools import Entry, Flags, Kind, Source, Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lineclear.core.call import JSON

_RULE_NAMES: dict[str, frozenset[Kind]] = {
    "Bash": frozenset({Kind.SHELL}),
    "PowerShell": frozenset({Kind.SHELL}),
    "Read": frozenset({Kind.READ}),
    "Edit": frozenset({Kind.EDIT}),
    "Write": frozenset({Kind.EDIT}),
    "MultiEdit": frozenset({Kind.EDIT}),
    "NotebookEdit": frozenset({Kind.EDIT}),
    "Grep": frozenset({Kind.SEARCH}),
    "Glob": frozenset({Kind.SEARCH}),
    "WebFetch": frozenset({Kind.FETCH}),
    "WebSearch": frozenset({Kind.WEB_SEARCH}),
    "Agent": frozenset({Kind.AGENT}),
    "Task": frozenset({Kind.AGENT}),
    "Skill": frozenset({Kind.SKILL}),
}

_GRAMMATICAL = (None, "bash", "sh", "zsh")
"""Languages that can be read, None being the caller's shell."""

_Names: TypeAlias = "dict[str, Tool]"


class Catalogue:
    """All tools that are known, by host. Immutable; ``of`` makes one."""

    __slots__ = ("_aliases", "_anywhere", "_by_host", "_entries", "_namings", "_servers", "_skeletons")

    def __init__(self, entries: dict[str, dict[str, Entry]], hosts: Iterable[HostNames]) -> None:
        shared = entries.get(ANY_HOST, {})
        self._entries = {host: shared | own for host, own in entries.items() if host != ANY_HOST}
        self._by_host = {host: {name: _tool(one) for name, one in own.items()} for host, own in self._entries.items()}
        self._anywhere = _joined([*self._by_host.values(), {name: _tool(one) for name, one in shared.items()}])
        self._aliases = {_spelling(host): host for host in self._entries}
        self._namings = {}
        for host in hosts:
            self._aliases |= {_spelling(alias): host.name for alias in host.aliases if host.name in self._entries}
            self._namings[host.name] = host.naming
        self._skeletons = {host: _skeletons(names) for host, names in self._by_host.items()}
        self._skeletons[ANY_HOST] = _skeletons(self._anywhere)
        servers = {server for tool in self._anywhere.values() for server, _ in tool.splits}
        self._servers = {skeleton(server): server for server in sorted(servers, reverse=True)}

    @classmethod
    def of(
        cls,
        entries: Iterable[Entry],
        *,
        hosts: Iterable[HostNames] = (),
        extra: Iterable[Entry] = (),
        overrides: Mapping[str, Override] | None = None,
    ) -> Catalogue:
        """A catalogue of the shipped ``entries``, the organisation's ``extra`` ones and its ``overrides``.

        ``overrides`` go by exact name or ``host/Tool``; one of a tool that no catalogue has (an MCP server's) declares
        it. Raises ``EntryError`` where a host has two tools of one name: nothing replaces what is built in.
        """
        by_host: dict[str, dict[str, Entry]] = {}
        for known in (*entries, *extra):
            if by_host.setdefault(known.host, {}).setdefault(known.name, known) is not known:
                raise EntryError(
                    "name", f"`{known.name}` is in the catalogue of `{known.host}` already; use `tools.overrides`"
                )
        for name, change in (overrides or {}).items():
            _override(by_host, name, change)
        return cls(by_host, hosts)

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that have a catalogue of their own."""
        return frozenset(self._entries)

    def resolve(self, name: str, host: str | None) -> Tool:
        """The tool that a call names. Total: a name that nobody knows is a tool of source ``UNKNOWN``."""
        at = self._host(host)
        names = self._anywhere if at is None else self._by_host[at]
        if (tool := names.get(name)) is not None:
            return tool
        splits = EVERYWHERE.splits(name) or self._namings.get(at or ANY_HOST, EVERYWHERE).splits(name)
        if (imitated := self._imitated(name, at, splits)) is not None:
            return Tool(name, Source.UNKNOWN, host=at, splits=splits, imitates=imitated)
        if splits:
            return _of_server(Tool(name, Source.MCP, host=at, splits=splits), names)
        return Tool(name, Source.PLUGIN if _is_plugin(name) else Source.UNKNOWN, host=at)

    def kinds_of(self, rule_name: str) -> frozenset[Kind] | None:
        """The kinds that a name means in a rule (``Bash`` is every shell tool), None where it means one tool."""
        return _RULE_NAMES.get(rule_name)

    def known(self, name: str) -> bool:
        """Whether a rule may name this tool: some catalogue has it, the organisation declared it, or it is a kind."""
        return name in self._anywhere or name in _RULE_NAMES

    def nearest(self, name: str) -> str | None:
        """The known name that is spelled most like this one, None where none is near."""
        names = sorted({*self._anywhere, *_RULE_NAMES})
        if found := get_close_matches(name, names, n=1):
            return found[0]
        folded = {known.casefold(): known for known in names}
        return next((folded[near] for near in get_close_matches(name.casefold(), folded, n=1)), None)

    def export(self, host: str) -> list[dict[str, JSON]]:
        """What a model is shown of a host's tools: name, description, input schema; no flag, ever.

        Raises ``KeyError`` for a host without a catalogue.
        """
        at = self._host(host)
        if at is None:
            raise KeyError(host)
        return [
            {"name": known.name, "description": known.description, "input_schema": input_schema(known.arguments)}
            for _, known in sorted(self._entries[at].items())
        ]

    def _host(self, host: str | None) -> str | None:
        return None if host is None else self._aliases.get(_spelling(host))

    def _imitated(self, name: str, at: str | None, splits: tuple[tuple[str, str], ...]) -> str | None:
        """The name that this one, which isn't known, only looks like."""
        looks = skeleton(name)
        if (known := self._skeletons[ANY_HOST if at is None else at].get(looks)) is not None:
            return known
        for server, tool in splits:
            if (registered := self._servers.get(skeleton(server), server)) != server:
                return EVERYWHERE.name(registered, tool)
        shown = plain(name)
        if looks.startswith(EVERYWHERE.prefix) and not name.startswith(EVERYWHERE.prefix):
            return looks
        return shown if shown != name and (splits or _is_plugin(name)) else None


def _tool(known: Entry) -> Tool:
    splits = EVERYWHERE.splits(known.name)
    return Tool(
        name=known.name,
        source=Source.MCP if splits else Source.PLUGIN if _is_plugin(known.name) else Source.BUILTIN,
        kind=known.kind,
        host=None if known.host == ANY_HOST else known.host,
        flags=known.flags,
        arguments=known.arguments,
        splits=splits,
        unsandboxed=known.unsandboxed,
        language=known.language,
        typed=known.typed,
        variants=tuple((choice, _tool(variant)) for choice, variant in known.variants),
    )


def _of_server(tool: Tool, names: _Names) -> Tool:
    """A server's tool with what is said of it under the name that rules give it.

    Where its name has several readings, what is said of one of them may only tighten.
    """
    said = [names[common] for pair in tool.splits if (common := EVERYWHERE.name(*pair)) in names]
    if len(tool.splits) == 1 and said:
        return replace(said[0], name=tool.name, host=tool.host)
    return reduce(_worse, said, tool)


def _worse(one: Tool, other: Tool) -> Tool:
    """What can be said of a name that means one of two tools: only what holds for both, and the worst of either."""
    first, second = (
        {(argument.pointer, argument.use): argument for argument in tool.arguments} for tool in (one, other)
    )
    limits = [flags.max_result_chars for flags in (one.flags, other.flags) if flags.max_result_chars is not None]
    return replace(
        one,
        kind=one.kind if one.kind is other.kind else Kind.OTHER,
        host=one.host if one.host == other.host else None,
        flags=Flags(
            read_only=one.flags.read_only and other.flags.read_only,
            destructive=one.flags.destructive or other.flags.destructive,
            concurrency_safe=one.flags.concurrency_safe and other.flags.concurrency_safe,
            open_world=one.flags.open_world or other.flags.open_world,
            deferrable=one.flags.deferrable and other.flags.deferrable,
            max_result_chars=min(limits, default=None),
        ),
        arguments=tuple(
            replace(argument, required=key in first and key in second and first[key].required and second[key].required)
            for key, argument in {**first, **second}.items()
        ),
        unsandboxed=one.unsandboxed or other.unsandboxed,
        language=one.language if one.language == other.language else _ungrammatical(one, other),
        typed=one.typed or other.typed,
        variants=one.variants if one.variants == other.variants else (),
    )


def _ungrammatical(one: Tool, other: Tool) -> str | None:
    """Of two languages the one that can't be read, else the caller's own shell."""
    return next((tool.language for tool in (one, other) if tool.language not in _GRAMMATICAL), None)


def _joined(catalogues: Iterable[_Names]) -> _Names:
    """Every name of every host; one that several hosts have is the worse of them."""
    joined: _Names = {}
    for names in catalogues:
        for name, tool in names.items():
            seen = joined.get(name)
            joined[name] = replace(tool, host=None) if seen is None else _worse(seen, tool)
    return {name: tool if name in _RULE_NAMES else _undemanding(tool) for name, tool in joined.items()}


def _undemanding(tool: Tool) -> Tool:
    """A tool of a host that isn't known, whose schema may be another's: it may miss what its namesake must have.

    The names that rules use mean the same everywhere, and keep what they demand.
    """
    return replace(tool, arguments=tuple(replace(argument, required=False) for argument in tool.arguments))


def _override(by_host: dict[str, dict[str, Entry]], name: str, change: Override) -> None:
    host, slash, tool = name.partition("/")
    places = [host] if slash else [at for at, names in by_host.items() if name in names]
    tool = tool if slash else name
    if slash and tool not in by_host.get(host, {}):
        raise EntryError("tool", f"`{host}` has no tool `{tool}`; declare it under `tools.extra`")
    if not places:
        if not (EVERYWHERE.splits(tool) or _is_plugin(tool)):
            raise EntryError("tool", f"no catalogue has a tool `{tool}`; declare it under `tools.extra`")
        places = [ANY_HOST]
        by_host.setdefault(ANY_HOST, {})[tool] = Entry(tool, ANY_HOST, Kind.OTHER)
    for at in places:
        by_host[at][tool] = change.applied(by_host[at][tool])


def _skeletons(names: Iterable[str]) -> dict[str, str]:
    return {skeleton(name): name for name in sorted(names, reverse=True)}


def _is_plugin(name: str) -> bool:
    plugin, colon, tool = name.partition(":")
    return bool(plugin and colon and tool)


def _spelling(host: str) -> str:
    return host.strip().casefold().replace("_", "-").replace(" ", "-")
