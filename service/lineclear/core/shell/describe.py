"""A program's description is checked into a value: what the schema doesn't know is an error, never skipped."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from lineclear.core.shell.examples import check_examples as check_examples
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.program import (
    Form,
    Freedom,
    Level,
    OptionSpec,
    Outcome,
    Program,
    See,
    Slot,
    Style,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from enum import Enum

    _E = TypeVar("_E", bound=Enum)

_LEVEL_KEYS = frozenset(
    [
        "flags",
        "options",
        "operands",
        "subcommands",
        "effect",
        "without_operands",
        "style",
        "options_first",
        "digits",
        "bundled",
        "anywhere",
        "symbols",
        "freedom",
        "refuses",
        "transparent",
        "repository",
        "appends",
        "chooses",
        "writes",
        "stdin",
        "widens",
    ]
)
_PROGRAM_KEYS = _LEVEL_KEYS | {"name", "aliases", "abbreviates", "examples"}
_OPTION_KEYS = frozenset(
    [
        "kind",
        "of",
        "begins",
        "without",
        "more",
        "ends",
        "form",
        "into",
        "until",
        "effect",
        "dry_run",
        "recursive",
        "narrows",
        "replaces",
        "operands",
        "writes",
        "not_with",
    ]
)
_SLOT_KEYS = frozenset(
    [
        "kind",
        "of",
        "begins",
        "without",
        "ends",
        "min",
        "max",
        "last",
        "unless",
        "when",
        "default",
        "recursive",
        "into",
        "effect",
        "writes",
    ]
)

_EFFECTS = {"read": Outcome.READ, "edit": Outcome.EDIT, "other": Outcome.OTHER}


class DescriptionError(ValueError):
    """A description that doesn't fit the schema; ``key`` names the part that is wrong."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def program(mapping: Mapping[str, object]) -> Program:
    """Check one description. Raises ``DescriptionError``."""
    _known(mapping, _PROGRAM_KEYS, "a program")
    name = mapping.get("name")
    if not isinstance(name, str) or not name or any(letter in name for letter in "/ \t\n*"):
        raise DescriptionError("name", "a program needs a `name`, which is a single word without slash")
    examples = _mapping(mapping.get("examples", {}), "examples")
    _known(examples, frozenset({"read_only", "not_read_only"}), "examples")
    return Program(
        name=name,
        level=_root(mapping),
        aliases=_texts(mapping, "aliases"),
        abbreviates=_flag(mapping, "abbreviates", default=True),
        read_only=_texts(examples, "read_only"),
        not_read_only=_texts(examples, "not_read_only"),
    )


def _root(mapping: Mapping[str, object]) -> Level:
    named = mapping.get("subcommands")
    if isinstance(named, (list, tuple)):
        return _listed_subcommands(mapping, named)
    return _level(mapping, None)


def _listed_subcommands(mapping: Mapping[str, object], names: Iterable[object]) -> Level:
    """A list of subcommands: everything that is said of the program holds for each of them, and for nothing else."""
    own = {key: value for key, value in mapping.items() if key in _LEVEL_KEYS and key != "subcommands"}
    leaf = _level(own, None)
    tree: dict[str, dict[str, object]] = {}
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise DescriptionError("subcommands", "`subcommands` is a list of names or a mapping")
        branch = tree
        for step in name.split():
            branch = branch.setdefault(step, {})  # type: ignore[assignment]
    return Level(subcommands=_grow(tree, leaf), style=leaf.style, chooses=leaf.chooses)


def _grow(tree: Mapping[str, object], leaf: Level) -> dict[str, Level]:
    grown: dict[str, Level] = {}
    for step, below in tree.items():
        subtree = _mapping(below, "subcommands")
        grown[step] = Level(subcommands=_grow(subtree, leaf), style=leaf.style) if subtree else leaf
    return grown


def _level(mapping: Mapping[str, object], above: Level | None) -> Level:
    style = _choice(mapping, "style", Style, above.style if above is not None else Style.GNU)
    level = Level(
        options=_options(mapping),
        slots=_slots(mapping.get("operands", ())),
        outcome=_outcome(mapping, "effect") or Outcome.OTHER,
        bare=_outcome(mapping, "without_operands"),
        style=style,
        options_first=_flag(mapping, "options_first"),
        digits=_flag(mapping, "digits"),
        bundled=_flag(mapping, "bundled"),
        anywhere=_flag(mapping, "anywhere"),
        symbols=frozenset(_texts(mapping, "symbols")),
        widening=frozenset(_texts(mapping, "widens")),
        freedom=_choice(mapping, "freedom", Freedom, Freedom.NONE),
        refuses=_texts(mapping, "refuses"),
        see=_see(mapping),
        trusted_repository=_repository(mapping, above),
        appends=_flag(mapping, "appends"),
        chooses=_flag(mapping, "chooses") if "chooses" in mapping else None,
        writes=_texts(mapping, "writes"),
        stdin=_choice(mapping, "stdin", Kind, None) if "stdin" in mapping else None,
    )
    below = _mapping(mapping.get("subcommands") or {}, "subcommands")
    if not below:
        return level
    subcommands: dict[str, Level] = {}
    for names, value in below.items():
        inner = {"effect": value} if isinstance(value, str) else _mapping(value or {}, names)
        _known(inner, _LEVEL_KEYS, f"subcommand `{names}`")
        built = _level(inner, level)
        for name in names.split(","):
            subcommands[name.strip()] = built
    return replace(level, subcommands=subcommands)


def _repository(mapping: Mapping[str, object], above: Level | None) -> bool:
    if "repository" not in mapping:
        return above is not None and above.trusted_repository
    if mapping["repository"] not in {"trusted", "any"}:
        raise DescriptionError("repository", "`repository` is `trusted` or `any`")
    return mapping["repository"] == "trusted"


def _see(mapping: Mapping[str, object]) -> See:
    value = mapping.get("transparent", False)
    if value is True:
        return See.ALL
    if value is False:
        return See.NOBODY
    if value == "rules":
        return See.RULES
    raise DescriptionError("transparent", "`transparent` is true, false or `rules`")


def _options(mapping: Mapping[str, object]) -> dict[str, OptionSpec]:
    found: dict[str, OptionSpec] = {}
    for spelled in _texts(mapping, "flags"):
        _add(found, OptionSpec(_spellings(spelled)))
    for spelled, value in _mapping(mapping.get("options") or {}, "options").items():
        _add(found, _option(spelled, value))
    return found


def _add(found: dict[str, OptionSpec], spec: OptionSpec) -> None:
    for name in spec.names:
        if name in found:
            raise DescriptionError(name, f"option `{name}` is described twice")
        found[name] = spec


def _spellings(spelled: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in spelled.split(","))
    if not all(name and " " not in name and "=" not in name for name in names):
        raise DescriptionError(spelled, f"`{spelled}` isn't an option; write `-s, --long`")
    return tuple(sorted(names, key=lambda name: not name.startswith("--")))


def _option(spelled: str, value: object) -> OptionSpec:
    names = _spellings(spelled)
    if value is None:
        raise DescriptionError(spelled, f"option `{spelled}` says nothing; list it under `flags`, or say what it takes")
    if isinstance(value, str):
        optional = value.endswith("?")
        return OptionSpec(
            names, _value({"kind": value.rstrip("?")}, spelled), Form.OPTIONAL if optional else Form.REQUIRED
        )
    body = _mapping(value, spelled)
    _known(body, _OPTION_KEYS, f"option `{spelled}`")
    return OptionSpec(
        names=names,
        value=_value(body, spelled) if "kind" in body else None,
        form=_choice(body, "form", Form, Form.REQUIRED),
        more=_count(body, "more"),
        until=frozenset(_texts(body, "until")),
        outcome=_outcome(body, "effect"),
        dry_run=_flag(body, "dry_run"),
        recursive=_flag(body, "recursive"),
        narrows=_flag(body, "narrows"),
        replaces=_flag(body, "replaces"),
        slots=_slots(body["operands"]) if "operands" in body else None,
        writes=_texts(body, "writes"),
        alone=frozenset(_texts(body, "not_with")),
    )


def _slots(value: object) -> tuple[Slot, ...]:
    if isinstance(value, (str, dict)):
        value = (value,)
    if not isinstance(value, (list, tuple)):
        raise DescriptionError("operands", "`operands` is a kind, a mapping or a list of them")
    return tuple(_slot(item) for item in value)


def _slot(item: object) -> Slot:
    if isinstance(item, str):
        many = item.endswith("*")
        return Slot(_value({"kind": item.rstrip("*")}, "operands"), most=None if many else 1)
    body = _mapping(item, "operands")
    _known(body, _SLOT_KEYS, "an operand")
    kind = body.get("kind")
    many = isinstance(kind, str) and kind.endswith("*")
    most = body.get("max", None if many else 1)
    least = body.get("min", 0)
    if not isinstance(least, int) or not (most is None or isinstance(most, int)):
        raise DescriptionError("operands", "`min` and `max` are numbers")
    default = body.get("default")
    if default is not None and not isinstance(default, str):
        raise DescriptionError("default", "`default` is a text")
    return Slot(
        value=_value({**body, "kind": kind.rstrip("*") if isinstance(kind, str) else kind}, "operands"),
        least=least,
        most=most,
        last=_flag(body, "last"),
        unless=frozenset(_texts(body, "unless")),
        when=frozenset(_texts(body, "when")),
        default=default,
        outcome=_outcome(body, "effect"),
        writes=_texts(body, "writes"),
    )


def _value(body: Mapping[str, object], where: str) -> Value:
    if "kind" not in body:
        raise DescriptionError(where, f"`{where}` needs a `kind`")
    return Value(
        kind=_choice(body, "kind", Kind, None),
        words=frozenset(_texts(body, "of")),
        begins=_texts(body, "begins"),
        without=_texts(body, "without"),
        recursive=_flag(body, "recursive"),
        into=_flag(body, "into"),
        ends=_texts(body, "ends"),
    )


def _known(mapping: Mapping[str, object], keys: frozenset[str], where: str) -> None:
    for key in mapping:
        if key not in keys:
            near = get_close_matches(str(key), keys, n=1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise DescriptionError(str(key), f"unknown key `{key}` in {where}{hint}")


def _mapping(value: object, key: str) -> Mapping[str, object]:
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise DescriptionError(key, f"`{key}` must be a mapping of names")
    return value


def _texts(mapping: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = mapping.get(key, ())
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, (str, int)) for item in value):
        raise DescriptionError(key, f"`{key}` must be a text or a list of texts")
    return tuple(str(item) for item in value)


def _flag(mapping: Mapping[str, object], key: str, *, default: bool = False) -> bool:
    value = mapping.get(key, default)
    if not isinstance(value, bool):
        raise DescriptionError(key, f"`{key}` must be true or false")
    return value


def _count(mapping: Mapping[str, object], key: str) -> int:
    value = mapping.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise DescriptionError(key, f"`{key}` must be a number")
    return value


def _outcome(mapping: Mapping[str, object], key: str) -> Outcome | None:
    value = mapping.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or value not in _EFFECTS:
        raise DescriptionError(key, f"`{key}` must be one of: read, edit, other")
    return _EFFECTS[value]


def _choice(mapping: Mapping[str, object], key: str, choices: type[_E], default: _E | None) -> _E:
    value = mapping.get(key)
    if value is None and default is not None:
        return default
    for choice in choices:
        if choice.value == value:
            return choice
    names = ", ".join(str(choice.value) for choice in choices)
    raise DescriptionError(key, f"`{key}` must be one of: {names}; not `{value}`")
