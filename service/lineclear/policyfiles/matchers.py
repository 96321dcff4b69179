"""The matchers of a long rule, each read from its key; the pieces that rules, lists and sections share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import PathPattern, PatternError
from lineclear.core.rules.commands import CommandPattern
from lineclear.core.rules.domains import DomainPattern
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import Glob
from lineclear.core.rules.inputs import InputMatcher
from lineclear.core.rules.selectors import AgentFilter, Selector
from lineclear.core.tools import Kind, Source, Use

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lineclear.core.rules.inputs import Wanted
    from lineclear.core.shell.programs import Programs
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.vocabulary import Vocabulary

_SELECTOR_KEYS = ("source", "server", "tool", "kind", "read_only", "destructive", "open_world")
_AGENT_KEYS = ("host", "type", "async", "main")
_OWN_MATCHER = {
    Use.COMMAND: "command",
    Use.PATH_READ: "path",
    Use.PATH_WRITE: "path",
    Use.PATCH: "path",
    Use.URL: "domain",
    Use.URLS_IN_TEXT: "domain",
}


def commands(node: Node, programs: Programs, *, strict: bool) -> tuple[CommandPattern, ...]:
    """The patterns of ``command``."""
    found = []
    for text, place in _some_texts(node, "`command`"):
        try:
            found.append(CommandPattern.parse(text, programs, strict=strict))
        except RuleFault as error:
            raise place.fault(str(error)) from error
    return tuple(found)


def paths(node: Node, what: str = "`path`") -> tuple[PathPattern, ...]:
    """The patterns of ``path``, and of other lists of paths."""
    return tuple(path(place, what) for _, place in _some_texts(node, what))


def path(node: Node, what: str) -> PathPattern:
    """One path pattern."""
    try:
        return PathPattern.parse(node.text(what))
    except PatternError as error:
        raise node.fault(str(error)) from error


def domains(node: Node, *, strict: bool) -> tuple[DomainPattern, ...]:
    """The patterns of ``domain``."""
    found = []
    for text, place in _some_texts(node, "`domain`"):
        try:
            found.append(DomainPattern.parse(text, strict=strict))
        except RuleFault as error:
            raise place.fault(str(error)) from error
    return tuple(found)


def tools(node: Node, vocabulary: Vocabulary, what: str = "`tools`", *, strict: bool) -> tuple[Selector, ...]:
    """The selectors of a list of tools: names, or mappings."""
    nodes = node.value if isinstance(node.value, tuple) else (node,)
    if not nodes:
        raise node.fault(f"{what} is an empty list, which means nothing; leave the key out")
    return tuple(selector for place in nodes for selector in tool(place, vocabulary, what, strict=strict))


def tool(node: Node, vocabulary: Vocabulary, what: str, *, strict: bool) -> tuple[Selector, ...]:
    """The selectors of one name or mapping, any of which may hold."""
    if not isinstance(node.value, str):
        return (_selector(node, vocabulary, strict=strict),)
    if "(" in node.value:
        advice = "name the tool alone, and use `command`, `path`, `domain` or `input`"
        raise node.fault(f"`{node.value}` in {what}: {advice}")
    try:
        return vocabulary.selectors(node.text(what), strict=strict)
    except RuleFault as error:
        raise node.fault(str(error)) from error


def inputs(
    node: Node, selectors: Iterable[Selector], vocabulary: Vocabulary, *, strict: bool, absent: bool
) -> tuple[InputMatcher, ...]:
    """The matchers of ``input``, all of which must hold."""
    entries = node.entries("`input`")
    if not entries:
        raise node.fault("`input` is empty, which means nothing; leave the key out")
    own = _own_arguments(selectors, vocabulary) if strict else {}
    found = []
    for key, values in entries.items():
        matcher = InputMatcher.of(key, _wanted(values, key), absent=absent)
        better = own.get(matcher.path[0])
        if better is not None:
            raise node.key_fault(
                key, f"an allow rule can't go by `{key}`, which the tool acts on; use `{better}`, made for it"
            )
        found.append(matcher)
    return tuple(found)


def agent(node: Node) -> AgentFilter:
    """The filter of ``agent``."""
    entries = node.mapping(_AGENT_KEYS, "`agent`")
    if not entries:
        raise node.fault("`agent` is empty, which means nothing; leave the key out")
    return AgentFilter(
        hosts=_names(entries, "host"),
        types=_names(entries, "type"),
        is_async=entries["async"].flag("`async`") if "async" in entries else None,
        main=entries["main"].flag("`main`") if "main" in entries else None,
    )


def _selector(node: Node, vocabulary: Vocabulary, *, strict: bool) -> Selector:
    entries = node.mapping(_SELECTOR_KEYS, "a tool selector")
    if not entries:
        raise node.fault(
            "a tool selector must have a key; there are " + ", ".join(f"`{key}`" for key in _SELECTOR_KEYS)
        )
    source = entries["source"].choice("`source`", Source) if "source" in entries else None
    server = Glob.of(entries["server"].text("`server`")) if "server" in entries else None
    name = Glob.of(entries["tool"].text("`tool`")) if "tool" in entries else None
    kinds = frozenset({entries["kind"].choice("`kind`", Kind)}) if "kind" in entries else None
    if server is not None and source not in {None, Source.MCP}:
        raise node.key_fault("server", f"only `source: mcp` has servers, not `{source}`")
    if (
        name is not None
        and name.literal is not None
        and source is Source.BUILTIN
        and not vocabulary.catalogue.known(name.literal)
    ):
        near = vocabulary.catalogue.nearest(name.literal)
        raise entries["tool"].fault(
            f"no catalogue has a tool `{name.literal}`" + (f"; did you mean `{near}`" if near else "")
        )
    read_only, destructive, open_world = (
        entries[key].flag(f"`{key}`") if key in entries else None for key in ("read_only", "destructive", "open_world")
    )
    text = "{" + ", ".join(f"{key}: {value.plain()}" for key, value in entries.items()) + "}"
    found = Selector(
        text,
        kinds=kinds,
        source=source,
        server=server,
        server_tool=name,
        read_only=read_only,
        destructive=destructive,
        open_world=open_world,
    )
    if strict and not _narrow(found):
        raise node.fault(
            f"`{text}` is too broad for an allow rule; name a `kind`, a `tool`, or a `server` without a star"
        )
    return found


def _narrow(selector: Selector) -> bool:
    """Whether an allow rule may use it: a literal server, a kind, or a literal tool that belongs to no server."""
    if selector.server is not None:
        return selector.server.literal is not None
    if selector.source is Source.MCP:
        return selector.read_only is True
    if selector.server_tool is not None:
        return selector.server_tool.literal is not None and selector.source in {Source.BUILTIN, Source.PLUGIN}
    return selector.kinds is not None and Kind.OTHER not in selector.kinds


def _own_arguments(selectors: Iterable[Selector], vocabulary: Vocabulary) -> Mapping[str, str]:
    """The top-level arguments on which the meant tools act, each with the matcher made for it."""
    return {
        argument.pointer.split("/")[1]: _OWN_MATCHER[argument.use]
        for meant in vocabulary.meant(selectors)
        for argument in meant.arguments
        if argument.use in _OWN_MATCHER
    }


def _wanted(node: Node, key: str) -> tuple[Wanted, ...]:
    nodes = node.value if isinstance(node.value, tuple) else (node,)
    if not nodes:
        raise node.fault(f"`{key}` has an empty list of values, which nothing matches; name one")
    found: list[Wanted] = []
    for one in nodes:
        value = one.value
        if isinstance(value, str):
            found.append(Glob.of(value))
        elif value is None or isinstance(value, bool | int | float):
            found.append(value)
        else:
            raise one.fault(
                f"`{key}` can be compared with a text, a number, true, false or null; reach deeper with a JSON pointer"
            )
    return tuple(found)


def _names(entries: Mapping[str, Node], key: str) -> frozenset[str] | None:
    return frozenset(text for text, _ in _some_texts(entries[key], f"`{key}`")) if key in entries else None


def _some_texts(node: Node, what: str) -> tuple[tuple[str, Node], ...]:
    found = node.texts(what)
    if not found:
        raise node.fault(f"{what} is an empty list, which means nothing; leave the key out")
    return found
