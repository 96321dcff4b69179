"""Rules in prose: what the policy tells the classifier, in four lists, each entry with an id to be cited."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class FastBlock(StrEnum):
    """What a block of the fast stage is worth."""

    FINAL = "final"
    ESCALATE = "escalate"
    """The thinking stage is asked too."""


@dataclass(frozen=True, slots=True)
class ProseRule:
    """One entry: its id, one or two sentences, and examples of both sides.

    ``match`` are calls that the entry is about, ``no_match`` such as look like it and aren't; the model sees both.
    """

    id: str
    text: str
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a policy says to and of the classifier.

    ``environment`` is what is trusted, ``allow`` are exceptions; ``soft_block`` is cleared by an exception or by the
    user having named the action and its dangerous parameter, ``hard_block`` by nothing. ``recent_calls`` is the
    number of the session's latest calls that are shown, 0 for none. ``on_block`` and ``on_unavailable`` are ``ASK``
    or ``DENY``.
    """

    environment: tuple[ProseRule, ...] = ()
    allow: tuple[ProseRule, ...] = ()
    soft_block: tuple[ProseRule, ...] = ()
    hard_block: tuple[ProseRule, ...] = ()
    on_block: Verdict = Verdict.DENY
    on_unavailable: Verdict = Verdict.ASK
    fast_block: FastBlock = FastBlock.FINAL
    recent_calls: int = 10

    @property
    def citable(self) -> frozenset[str]:
        """The ids that a block may rest on."""
        return frozenset(rule.id for rule in (*self.soft_block, *self.hard_block))

    def is_hard(self, rule: str) -> bool:
        """Whether nothing clears this rule."""
        return any(entry.id == rule for entry in self.hard_block)


class ProseFault(ValueError):
    """An entry says something that no list can mean. ``key`` names where in it, ``""`` the whole."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def entry(mapping: Mapping[str, object]) -> ProseRule:
    """One entry of a list: ``{id, text, examples: {match, no_match}}``; raises ``ProseFault``."""
    _only(mapping, "", ("id", "text", "examples"))
    examples = mapping.get("examples", {})
    if not isinstance(examples, dict):
        raise ProseFault("examples", "`examples` must be a mapping with `match` and `no_match`")
    _only(examples, "examples", ("match", "no_match"))
    return ProseRule(
        _text(mapping, "id"),
        _text(mapping, "text"),
        tuple(_texts(examples, "match")),
        tuple(_texts(examples, "no_match")),
    )


def _text(mapping: Mapping[str, object], key: str) -> str:
    value = mapping.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ProseFault(key, f"`{key}` must be a text that isn't empty")
    return " ".join(value.split())


def _texts(mapping: Mapping[str, object], key: str) -> Iterator[str]:
    values = mapping.get(key, ())
    if not isinstance(values, list | tuple):
        raise ProseFault("examples", f"`{key}` must be a list of texts")
    for value in values:
        if not isinstance(value, str) or not value.strip():
            raise ProseFault("examples", f"`{key}` must be a list of texts that aren't empty")
        yield " ".join(value.split())


def _only(mapping: Mapping[str, object], where: str, known: tuple[str, ...]) -> None:
    for key in mapping:
        if key not in known:
            raise ProseFault(where or key, f"`{key}` is no key here; there are {', '.join(known)}")
