"""Decision cases: a team's own tests of its policy, as data. Each case is decided as a host's call would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.call import Principal
from lineclear.core.verdict import Verdict
from lineclear.policyfiles.problems import Fault, PolicyError, Problem
from lineclear.policyfiles.yaml import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from lineclear.core.call import JSON
    from lineclear.policyfiles.node import Node

_KEYS = ("id", "title", "policy", "policy_text", "principal", "request", "expect", "expect_error", "expect_lint", "why")
_KINDS = ("expect", "expect_error", "expect_lint")
_ENDINGS = frozenset({".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Expected:
    """What a decision must be: one of the verdicts and, where any are named, one of the codes and rules."""

    verdicts: tuple[str, ...]
    codes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One document of a case file.

    ``policy`` is the organisation's layer in place of the folder's own. ``words`` are those that a refusal or the
    lint must name, in a case about a faulty policy.
    """

    id: str
    title: str
    file: str
    policy: Node | str | None
    request: Mapping[str, JSON]
    principal: Principal
    expected: Expected | None
    refused: bool
    words: tuple[str, ...]


def find(paths: Iterable[Path]) -> list[Path]:
    """The case files of some paths: themselves, or what is in them. Raises ``PolicyError`` for one that isn't there."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(one for one in path.rglob("*") if one.suffix in _ENDINGS and one.is_file())
        elif path.is_file():
            found.append(path)
        else:
            told = "there is no such file or folder of cases; name one, or write cases there"
            raise PolicyError([Problem(str(path), 1, 1, told)])
    return found


def read(path: Path) -> list[Case]:
    """The cases of a file. Raises ``PolicyError``."""
    try:
        return list(_cases(path))
    except OSError as error:
        raise PolicyError([Problem(str(path), 1, 1, f"can't be read: {error.strerror}")]) from error
    except Fault as fault:
        raise PolicyError([fault.of(str(path))]) from fault


def _cases(path: Path) -> Iterator[Case]:
    seen: set[str] = set()
    for node in read_all(path.read_bytes()):
        if node is None:
            continue
        case = _case(node, str(path))
        if case.id in seen:
            raise node.fault(f"case `{case.id}` stands here a second time; give each an id of its own")
        seen.add(case.id)
        yield case


def _case(node: Node, file: str) -> Case:
    entries = node.mapping(_KEYS, "a case")
    for key in ("id", "title"):
        if key not in entries:
            raise node.fault(f"a case needs its `{key}`")
    name = entries["id"].text("the `id` of a case")
    try:
        return _checked(name, node, entries, file)
    except Fault as fault:
        raise fault.within(f"case `{name}`") from fault


def _checked(name: str, node: Node, entries: Mapping[str, Node], file: str) -> Case:
    kinds = [kind for kind in _KINDS if kind in entries]
    if len(kinds) != 1:
        raise node.fault(f"a case needs one of {', '.join(f'`{kind}`' for kind in _KINDS)}")
    if "policy" in entries and "policy_text" in entries:
        raise node.key_fault("policy_text", "give `policy` or `policy_text`, not both")
    if kinds == ["expect"] and "request" not in entries:
        raise node.fault("a case that expects a decision needs its `request`")
    request = entries["request"].entries("`request`") if "request" in entries else {}
    plain = {key: value.plain() for key, value in request.items()}
    return Case(
        id=name,
        title=entries["title"].text("`title`"),
        file=file,
        policy=entries["policy_text"].text("`policy_text`") if "policy_text" in entries else entries.get("policy"),
        request={"session_id": "case", **plain},
        principal=_principal(entries.get("principal")),
        expected=_expected(entries["expect"]) if "expect" in entries else None,
        refused="expect_error" in entries,
        words=_words(entries[kinds[0]]) if kinds != ["expect"] else (),
    )


def _principal(node: Node | None) -> Principal:
    entries = {} if node is None else node.mapping(("id", "groups"), "`principal`")
    name = entries["id"].text("`id`") if "id" in entries else "test"
    groups = entries["groups"].texts("`groups`") if "groups" in entries else ()
    return Principal(name, frozenset(text for text, _ in groups))


def _expected(node: Node) -> Expected:
    entries = node.mapping(("verdict", "code", "rule"), "`expect`")
    if "verdict" not in entries:
        raise node.fault("`expect` needs its `verdict`")
    verdicts, codes, rules = (
        tuple(text for text, _ in entries[key].texts(f"`{key}`")) if key in entries else ()
        for key in ("verdict", "code", "rule")
    )
    for verdict in verdicts:
        if verdict not in {one.value for one in Verdict}:
            raise entries["verdict"].fault(f"`{verdict}` is no verdict; there are `allow`, `ask`, `deny`")
    return Expected(verdicts, codes, rules)


def _words(node: Node) -> tuple[str, ...]:
    entries = node.mapping(("contains",), "what a case expects of a policy")
    return tuple(text for text, _ in entries["contains"].texts("`contains`")) if "contains" in entries else ()
