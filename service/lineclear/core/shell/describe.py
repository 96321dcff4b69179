"""A program's description is checked into a value: what the schema doesn't know is an error, never skipped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.core.call import Dialect
from lineclear.core.shell import descriptionkeys
from lineclear.core.shell.examples import check_examples as check_examples
from lineclear.core.shell.fields import DescriptionError as DescriptionError
from lineclear.core.shell.fields import choice, count, flag, known, mapping_of, outcome, texts, under
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.program import (
    Form,
    Freedom,
    Level,
    Names,
    OptionSpec,
    Outcome,
    Program,
    Says,
    See,
    Slot,
    Style,
    Telling,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def program(mapping: Mapping[str, object]) -> Program:
    """Check one description. Raises ``DescriptionError``."""
    known(mapping, descriptionkeys.PROGRAM, "a program")
    name = mapping.get("name")
    if not isinstance(name, str) or not name or any(letter in name for letter in "/ \t\n*"):
        raise DescriptionError("name", "a program needs a `name`, which is a single word without slash")
    examples = mapping_of(mapping.get("examples", {}), "examples")
    with under("examples"):
        known(examples, frozenset({"read_only", "not_read_only"}), "examples")
    return Program(
        name=name,
        level=_root(mapping),
        aliases=texts(mapping, "aliases"),
        abbreviates=flag(mapping, "abbreviates", default=True),
        read_only=texts(examples, "read_only"),
        not_read_only=texts(examples, "not_read_only"),
    )


def _root(mapping: Mapping[str, object]) -> Level:
    named = mapping.get("subcommands")
    if isinstance(named, (list, tuple)):
        return _listed_subcommands(mapping, named)
    return _level(mapping, None)


def _listed_subcommands(mapping: Mapping[str, object], names: Iterable[object]) -> Level:
    """A list of subcommands: everything that is said of the program holds for each of them, and for nothing else."""
    own = {key: value for key, value in mapping.items() if key in descriptionkeys.LEVEL and key != "subcommands"}
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
        subtree = mapping_of(below, "subcommands")
        grown[step] = Level(subcommands=_grow(subtree, leaf), style=leaf.style) if subtree else leaf
    return grown


def _level(mapping: Mapping[str, object], above: Level | None) -> Level:
    style = choice(mapping, "style", Style, above.style if above is not None else Style.GNU)
    level = Level(
        options=_options(mapping),
        slots=_slots(mapping.get("operands", ())),
        outcome=outcome(mapping, "effect") or Outcome.OTHER,
        bare=outcome(mapping, "without_operands"),
        style=style,
        options_first=flag(mapping, "options_first"),
        late=frozenset(texts(mapping, "late")),
        exact=flag(mapping, "exact"),
        digits=flag(mapping, "digits"),
        bundled=flag(mapping, "bundled"),
        anywhere=flag(mapping, "anywhere"),
        symbols=frozenset(texts(mapping, "symbols")),
        widening=frozenset(texts(mapping, "widens")),
        freedom=choice(mapping, "freedom", Freedom, Freedom.NONE),
        refuses=texts(mapping, "refuses"),
        see=_see(mapping),
        ignores=frozenset(texts(mapping, "ignores")),
        keeps=frozenset(texts(mapping, "keeps")),
        trusted_repository=_repository(mapping, above),
        appends=flag(mapping, "appends"),
        chooses=flag(mapping, "chooses") if "chooses" in mapping else None,
        writes=texts(mapping, "writes"),
        tells_folder=flag(mapping, "tells_folder"),
        saves=flag(mapping, "saves"),
        same_shell=flag(mapping, "same_shell"),
        input=flag(mapping, "input"),
        says=choice(mapping, "says", Says, Says.UNKNOWN),
        stands=texts(mapping, "stands"),
        stdin=choice(mapping, "stdin", Kind, None) if "stdin" in mapping else None,
        tells=tuple(_telling(item) for item in _listed(mapping.get("tells", ()), "tells")),
        speaks=choice(mapping, "speaks", Dialect, None) if "speaks" in mapping else None,
    )
    named = mapping_of(mapping.get("subcommands") or {}, "subcommands")
    if not named:
        return level
    subcommands: dict[str, Level] = {}
    for names, value in named.items():
        with under("subcommands", names):
            inner = {"effect": value} if isinstance(value, str) else mapping_of(value or {}, names)
            known(inner, descriptionkeys.LEVEL, f"subcommand `{names}`")
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


def _telling(value: object) -> Telling:
    body = mapping_of(value, "tells")
    known(body, descriptionkeys.TELLING, "`tells`")
    return Telling(
        names=choice(body, "names", Names, None),
        options=frozenset(texts(body, "options")),
        needs=frozenset(texts(body, "needs")),
        given=frozenset(texts(body, "given")),
        most=count(body, "most") if "most" in body else None,
    )


def _options(mapping: Mapping[str, object]) -> dict[str, OptionSpec]:
    found: dict[str, OptionSpec] = {}
    for spelled in texts(mapping, "flags"):
        with under("flags"):
            _add(found, OptionSpec(_spellings(spelled)))
    for spelled, value in mapping_of(mapping.get("options") or {}, "options").items():
        with under("options", spelled):
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
    body = mapping_of(value, spelled)
    known(body, descriptionkeys.OPTION, f"option `{spelled}`")
    return OptionSpec(
        names=names,
        value=_value(body, spelled) if "kind" in body else None,
        form=choice(body, "form", Form, Form.REQUIRED),
        more=count(body, "more"),
        until=frozenset(texts(body, "until")),
        outcome=outcome(body, "effect"),
        dry_run=flag(body, "dry_run"),
        recursive=flag(body, "recursive"),
        narrows=flag(body, "narrows"),
        picks=flag(body, "picks"),
        opaque=flag(body, "opaque"),
        replaces=flag(body, "replaces"),
        slots=_slots(body["operands"]) if "operands" in body else None,
        writes=texts(body, "writes"),
        alone=frozenset(texts(body, "not_with")),
        closes=flag(body, "closes"),
        elsewhere=flag(body, "elsewhere"),
        final=flag(body, "final"),
        whole=flag(body, "whole"),
        saves=flag(body, "saves") if "saves" in body else None,
        unpacks=flag(body, "unpacks"),
        input=flag(body, "input"),
    )


def _listed(value: object, key: str) -> Iterable[object]:
    """One of something, or a list of it."""
    if isinstance(value, (str, dict)):
        return (value,)
    if not isinstance(value, (list, tuple)):
        raise DescriptionError(key, f"`{key}` is a kind, a mapping or a list of them")
    return value


def _slots(value: object) -> tuple[Slot, ...]:
    with under("operands"):
        return tuple(_slot(item) for item in _listed(value, "operands"))


def _slot(item: object) -> Slot:
    if isinstance(item, str):
        many = item.endswith("*")
        return Slot(_value({"kind": item.rstrip("*")}, "operands"), most=None if many else 1)
    body = mapping_of(item, "operands")
    known(body, descriptionkeys.SLOT, "an operand")
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
        last=flag(body, "last"),
        unless=frozenset(texts(body, "unless")),
        when=frozenset(texts(body, "when")),
        default=default,
        outcome=outcome(body, "effect"),
        writes=texts(body, "writes"),
    )


def _value(body: Mapping[str, object], where: str) -> Value:
    if "kind" not in body:
        raise DescriptionError(where, f"`{where}` needs a `kind`")
    return Value(
        kind=choice(body, "kind", Kind, None),
        words=frozenset(texts(body, "of")),
        begins=texts(body, "begins"),
        without=texts(body, "without"),
        recursive=flag(body, "recursive"),
        into=flag(body, "into"),
        dash=flag(body, "dash"),
        ends=texts(body, "ends"),
        strips=texts(body, "strips"),
    )
