"""``protected_paths``: places that hold in every mode. The organisation may amend a built-in entry by its id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import PatternError
from lineclear.core.paths.protected import Protection, Protections
from lineclear.core.rules.rule import Origin
from lineclear.policyfiles import matchers
from lineclear.policyfiles.node import nearest
from lineclear.policyfiles.problems import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lineclear.core.paths.pattern import PathPattern
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source

_KEYS = ("id", "path", "access", "effect", "exceptions")


class _Access(StrEnum):
    READ = "read"
    WRITE = "write"
    ANY = "any"


class _Effect(StrEnum):
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class _Written:
    file: str
    node: Node
    protection: Protection


def protected_paths(sources: Sequence[Source], problems: Problems) -> dict[str, Protection]:
    """The entries of all layers by id, amended."""
    found: dict[str, _Written] = {}
    for source in sources:
        if (section := source.entries.get("protected_paths")) is None:
            continue
        with problems.of(source.file):
            for node in section.items("`protected_paths`"):
                with problems.of(source.file):
                    _read(node, source, found)
    for written in found.values():
        with problems.of(written.file):
            _check(written)
    return {name: written.protection for name, written in found.items()}


def _read(node: Node, source: Source, found: dict[str, _Written]) -> None:
    entries = node.mapping(_KEYS, "an entry of `protected_paths`")
    if "id" not in entries:
        raise node.fault("an entry of `protected_paths` needs an `id`, by which decisions name it")
    name = entries["id"].text("the `id` of a protected path")
    try:
        if source.team is not None:
            _check_team(node, entries, name, found)
        if (earlier := found.get(name)) is not None:
            if earlier.protection.layer is source.layer:
                raise entries["id"].fault(
                    f"the id is taken already, on line {earlier.protection.origin.line} of {earlier.file}"
                )
            found[name] = _Written(source.file, node, _amended(earlier.protection, entries, node))
        else:
            found[name] = _Written(source.file, node, _new(name, entries, node, source, found))
    except Fault as error:
        raise error.within(f"protected path `{name}`") from error


def _new(name: str, entries: Mapping[str, Node], node: Node, source: Source, known: Iterable[str]) -> Protection:
    missing = [f"`{key}`" for key in ("path", "access", "effect") if key not in entries]
    if missing:
        near = nearest(name, known)
        hint = f", or amend one that there is: did you mean `{near}`" if near and "path" not in entries else ""
        raise node.fault(f"{' and '.join(missing)} missing{hint}")
    place = entries["id"]
    return Protection(
        id=name,
        pattern=matchers.path(entries["path"], "`path`"),
        access=entries["access"].choice("`access`", _Access).value,
        effect=entries["effect"].choice("`effect`", _Effect).value,
        exceptions=_exceptions(entries),
        layer=source.layer,
        origin=Origin(source.file, place.line, place.column),
        audience=source.audience,
    )


def _check_team(node: Node, entries: Mapping[str, Node], name: str, known: Iterable[str]) -> None:
    """A team adds entries; it amends none and excepts nothing."""
    if name in known:
        raise entries["id"].fault("the id is taken already, and a team amends nothing; give the entry an id of its own")
    if "exceptions" in entries:
        raise node.key_fault("exceptions", "a team's entry has no exceptions; they are the organisation's to make")


def _amended(earlier: Protection, entries: Mapping[str, Node], node: Node) -> Protection:
    if "path" in entries and entries["path"].value != earlier.pattern.text:
        raise node.key_fault(
            "path", f"it amends the built-in entry for `{earlier.pattern.text}`; give another path another id"
        )
    return replace(
        earlier,
        access=entries["access"].choice("`access`", _Access).value if "access" in entries else earlier.access,
        effect=entries["effect"].choice("`effect`", _Effect).value if "effect" in entries else earlier.effect,
        exceptions=earlier.exceptions + _exceptions(entries),
    )


def _exceptions(entries: Mapping[str, Node]) -> tuple[PathPattern, ...]:
    node = entries.get("exceptions")
    if node is None or not node.items("`exceptions`"):
        return ()
    return matchers.paths(node, "`exceptions`")


def _check(written: _Written) -> None:
    try:
        Protections((written.protection,))
    except PatternError as error:
        raise written.node.fault(f"protected path `{written.protection.id}`: {error}") from error
