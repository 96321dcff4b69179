"""The tools: the built-in catalogues, a file each, and what the organisation declares or says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.catalogue import Catalogue
from lineclear.core.toolentries import ANY_HOST, EntryError, entry, host_names, override

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.toolentries import HostNames, Override
    from lineclear.core.tools import Entry
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Fault, Problems
    from lineclear.policyfiles.sources import Source

_HEAD = ("host", "aliases", "mcp_names")
_FILE = (*_HEAD, "checked", "tools")


def shipped(files: Iterable[Source], problems: Problems) -> tuple[list[Entry], list[HostNames]]:
    """The entries and hosts of the built-in catalogues."""
    entries: list[Entry] = []
    hosts: list[HostNames] = []
    for source in files:
        with problems.of(source.file):
            keys = source.node.mapping(("version", *_FILE), "a catalogue")
            head = {key: keys[key].plain() for key in _HEAD if key in keys}
            try:
                host = host_names(head)
            except EntryError as error:
                raise source.node.key_fault(error.key, str(error)) from error
            hosts.append(host)
            for node in keys["tools"].items("`tools`") if "tools" in keys else ():
                with problems.of(source.file):
                    entries.append(_entry(node, host.name))
    return entries, hosts


def catalogue(
    entries: Sequence[Entry], hosts: Sequence[HostNames], sources: Iterable[Source], problems: Problems
) -> tuple[Catalogue, tuple[Entry, ...]]:
    """The catalogue with the organisation's ``tools``, and all entries that it was made of."""
    extra: list[Entry] = []
    overrides: dict[str, Override] = {}
    for source in sources:
        if (section := source.entries.get("tools")) is None:
            continue
        with problems.of(source.file):
            keys = section.mapping(("extra", "overrides"), "`tools`")
            for node in keys["extra"].items("`extra`") if "extra" in keys else ():
                with problems.of(source.file):
                    extra.append(_extra(node, extra))
            for node in keys["overrides"].items("`overrides`") if "overrides" in keys else ():
                with problems.of(source.file):
                    name, change = _override(node, [*entries, *extra])
                    if name in overrides:
                        raise node.fault(f"`{name}` has an override already; join the two")
                    overrides[name] = change
    found = Catalogue.of(entries, hosts=hosts, extra=extra, overrides=overrides)
    return found, (*entries, *extra, *_declared(overrides, entries))


def _declared(overrides: Iterable[str], entries: Iterable[Entry]) -> list[Entry]:
    """Tools that only an override knows, by name, so that rules can be checked against them."""
    known = {one.name for one in entries}
    return [
        entry({"name": name, "kind": "other"}, ANY_HOST) for name in overrides if name not in known and "/" not in name
    ]


def _entry(node: Node, host: str) -> Entry:
    mapping = {key: value.plain() for key, value in node.entries("a tool").items()}
    try:
        return entry(mapping, host)
    except EntryError as error:
        raise _fault(node, error, mapping.get("name")) from error


def _extra(node: Node, extra: Sequence[Entry]) -> Entry:
    added = _entry(node, ANY_HOST)
    if any(one.name == added.name for one in extra):
        raise node.fault(f"`{added.name}` is declared already; join the two")
    return added


def _override(node: Node, known: Iterable[Entry]) -> tuple[str, Override]:
    mapping = {key: value.plain() for key, value in node.entries("an override").items()}
    try:
        name, change = override(mapping)
        Catalogue.of([one for one in known if one.name == name.rpartition("/")[2]], overrides={name: change})
    except EntryError as error:
        raise _fault(node, error, mapping.get("tool")) from error
    return name, change


def _fault(node: Node, error: EntryError, name: object) -> Fault:
    of = f"tool `{name}`: " if isinstance(name, str) else ""
    return node.key_fault(error.key, f"{of}{error}")
