"""What a catalogue's file may say of a host and of a tool, checked key by key; nothing unknown is passed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import NoReturn

from lineclear.core.toolnames import EVERYWHERE, Naming
from lineclear.core.tools import Argument, Choice, Entry, Flags, Kind, Use

ANY_HOST = "*"
"""Stands in an entry's ``host`` for every host, those without a catalogue too."""

_USES = {
    "command": Use.COMMAND,
    "directory": Use.DIRECTORY,
    "reads": Use.PATH_READ,
    "writes": Use.PATH_WRITE,
    "url": Use.URL,
    "urls_in_text": Use.URLS_IN_TEXT,
    "patch": Use.PATCH,
    "agent_type": Use.AGENT_TYPE,
    "skill": Use.SKILL_NAME,
    "prose": Use.PROSE,
    "data": Use.DATA,
}
_SWITCHES = tuple(flag.name for flag in fields(Flags) if flag.name != "max_result_chars")
_CHANGES = frozenset({"kind", "path", "language", "max_result_chars", *_USES, *_SWITCHES})
_ENTRY = _CHANGES | {"name", "description", "required", "unsandboxed", "typed", "variants"}
_VARIANT = _CHANGES | {"when"}
_OVERRIDE = _CHANGES | {"tool", "required"}
_READERS = frozenset({Kind.READ, Kind.SEARCH})


class EntryError(ValueError):
    """A mapping says something that no catalogue can mean. ``key`` names where in it, ``""`` the whole."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True)
class HostNames:
    """A host, the other spellings of its name, and how it names the tools of MCP servers."""

    name: str
    aliases: frozenset[str] = frozenset()
    naming: Naming = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Override:
    """What the organisation says of a tool: each part that is set replaces what was known.

    ``arguments`` replace those of the same pointer and leave the others, so that none is forgotten by an override. A
    ``kind`` holds whatever the input says, so there are no variants then.
    """

    kind: Kind | None = None
    arguments: tuple[Argument, ...] = ()
    flags: Mapping[str, bool | int] = field(default_factory=dict)
    language: str | None = None

    def applied(self, entry: Entry) -> Entry:
        """The entry as the organisation wants it."""
        named = {argument.pointer for argument in self.arguments}
        kept = tuple(argument for argument in entry.arguments if argument.pointer not in named)
        return replace(
            entry,
            kind=self.kind or entry.kind,
            arguments=kept + self.arguments,
            flags=replace(entry.flags, **self.flags),  # type: ignore[arg-type]  # the keys are checked by ``override``
            language=self.language or entry.language,
            variants=() if self.kind else tuple((choice, self.applied(variant)) for choice, variant in entry.variants),
        )


def host_names(mapping: Mapping[str, object]) -> HostNames:
    """The head of a catalogue's file (``host``, ``aliases``, ``mcp_names``); raises ``EntryError``."""
    name = _text(mapping, "host")
    aliases = _texts(mapping, "aliases")
    naming = EVERYWHERE
    if (spelling := mapping.get("mcp_names")) is not None:
        before, server, rest = str(spelling).partition("{server}")
        separator, tool, after = rest.partition("{tool}")
        if not (server and tool and separator) or after:
            raise EntryError("mcp_names", "`mcp_names` must be like `mcp__{server}__{tool}`")
        naming = Naming(before, separator)
    return HostNames(name, frozenset(aliases), naming)


def entry(mapping: Mapping[str, object], host: str) -> Entry:
    """One tool of a catalogue, or of ``tools.extra`` with ``host`` as ``ANY_HOST``; raises ``EntryError``."""
    _known_keys(mapping, _ENTRY)
    kind = _kind(mapping) or _missing("kind")
    arguments = _arguments(mapping, kind)
    if kind is Kind.SHELL and not any(argument.use is Use.COMMAND for argument in arguments):
        raise EntryError("command", "a tool of kind `shell` needs `command`, the pointer to what it runs")
    plain = Entry(
        name=_text(mapping, "name"),
        host=host,
        kind=kind,
        flags=replace(Flags(), **_flags(mapping)),  # type: ignore[arg-type]  # the keys are those of Flags
        arguments=arguments,
        description=_text(mapping, "description", optional=True),
        unsandboxed=_switch(mapping, "unsandboxed"),
        typed=_switch(mapping, "typed"),
        language=_text(mapping, "language", optional=True) or None,
    )
    variants = mapping.get("variants", ())
    if not isinstance(variants, list | tuple):
        raise EntryError("variants", "`variants` must be a list")
    return replace(plain, variants=tuple(_variant(variant, plain) for variant in variants))


def override(mapping: Mapping[str, object]) -> tuple[str, Override]:
    """A tool's name (exact, or ``host/Tool``) and what is said of it; raises ``EntryError``."""
    _known_keys(mapping, _OVERRIDE)
    kind = _kind(mapping)
    language = _text(mapping, "language", optional=True) or None
    said = Override(kind, _arguments(mapping, kind), _flags(mapping), language)
    if said == Override():
        raise EntryError("", "an override must change something: give `kind`, an argument or a flag")
    return _text(mapping, "tool"), said


def _variant(mapping: object, plain: Entry) -> tuple[Choice, Entry]:
    if not isinstance(mapping, Mapping):
        raise EntryError("variants", "a variant must be a mapping with `when` and what it changes")
    _known_keys(mapping, _VARIANT)
    when = mapping.get("when")
    if not isinstance(when, Mapping) or len(when) != 1:
        raise EntryError("when", "`when` must name one argument and its value, like `{/command: view}`")
    ((pointer, value),) = when.items()
    if not isinstance(value, str) or not value:
        raise EntryError("when", f"`{value}` must be a text; a variant goes by the exact text of an argument")
    kind = _kind(mapping)
    language = _text(mapping, "language", optional=True) or None
    changed = Override(kind, _arguments(mapping, kind or plain.kind), _flags(mapping), language).applied(plain)
    return Choice(_pointer("when", pointer), value), changed


def _arguments(mapping: Mapping[str, object], kind: Kind | None) -> tuple[Argument, ...]:
    """The arguments in the order of the keys; ``path`` is read where the kind says that the tool only reads."""
    path = Use.PATH_READ if kind in _READERS else Use.PATH_WRITE
    required = _pointers(mapping, "required")
    found = [
        Argument(pointer, use, required=pointer in required)
        for key, use in {**_USES, "path": path}.items()
        for pointer in _pointers(mapping, key)
    ]
    listed = [argument.pointer for argument in found]
    for pointer in required:
        if pointer not in listed:
            raise EntryError("required", f"`{pointer}` is required, but no key says what it is for")
    for pointer in listed:
        if listed.count(pointer) > 1 and Use.DATA in {item.use for item in found if item.pointer == pointer}:
            raise EntryError("data", f"`{pointer}` can't be data and something else")
    return tuple(found)


def _flags(mapping: Mapping[str, object]) -> dict[str, bool | int]:
    found: dict[str, bool | int] = {}
    for key in _SWITCHES:
        if key in mapping:
            value = mapping[key]
            if not isinstance(value, bool):
                raise EntryError(key, f"`{key}` must be true or false")
            found[key] = value
    if "max_result_chars" in mapping:
        limit = mapping["max_result_chars"]
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise EntryError("max_result_chars", "`max_result_chars` must be a number of characters above nought")
        found["max_result_chars"] = limit
    if found.get("read_only") and found.get("destructive"):
        raise EntryError("destructive", "a tool can't be both `read_only` and `destructive`")
    return found


def _kind(mapping: Mapping[str, object]) -> Kind | None:
    if "kind" not in mapping:
        return None
    value = mapping["kind"]
    if not isinstance(value, str) or value not in set(Kind):
        raise EntryError("kind", f"`{value}` is no kind; there are {', '.join(Kind)}")
    return Kind(value)


def _pointers(mapping: Mapping[str, object], key: str) -> tuple[str, ...]:
    return tuple(_pointer(key, text) for text in _texts(mapping, key))


def _switch(mapping: Mapping[str, object], key: str) -> str | None:
    return _pointer(key, mapping[key]) if key in mapping else None


def _pointer(key: str, text: object) -> str:
    if not isinstance(text, str) or not text.startswith("/") or text == "/":
        raise EntryError(key, f"`{text}` is no JSON pointer; an argument `x` is written `/x`")
    return text


def _texts(mapping: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = mapping.get(key, ())
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise EntryError(key, f"`{key}` must be a text or a list of texts")
    return tuple(value)


def _text(mapping: Mapping[str, object], key: str, *, optional: bool = False) -> str:
    if key not in mapping:
        return "" if optional else _missing(key)
    value = mapping[key]
    if not isinstance(value, str) or not value:
        raise EntryError(key, f"`{key}` must be a text that isn't empty")
    return value


def _missing(key: str) -> NoReturn:
    raise EntryError(key, f"`{key}` is missing")


def _known_keys(mapping: Mapping[str, object], known: frozenset[str]) -> None:
    for key in mapping:
        if key not in known:
            raise EntryError(key, f"`{key}` is no key of a tool; there are {', '.join(sorted(known))}")
