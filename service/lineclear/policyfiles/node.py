"""A value of a YAML file with its place, and the questions that a reader of sections asks it.

Every question that a node can't answer is a ``Fault`` with the node's place and what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from lineclear.policyfiles.problems import Fault

if TYPE_CHECKING:
    from enum import StrEnum

    from lineclear.core.call import JSON

Choice = TypeVar("Choice", bound="StrEnum")
Scalar: TypeAlias = "bool | int | float | str | None"


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar, a list of nodes, or a mapping whose keys are texts with places of their own."""

    value: Scalar | tuple[Node, ...] | Mapping[str, Node]
    line: int
    column: int
    keys: Mapping[str, tuple[int, int]] | None = None

    def fault(self, message: str) -> Fault:
        """A fault at this place."""
        return Fault(self.line, self.column, message)

    def key_fault(self, key: str, message: str) -> Fault:
        """A fault at the place of a key of this mapping."""
        line, column = (self.keys or {}).get(key, (self.line, self.column))
        return Fault(line, column, message)

    def below_fault(self, path: Sequence[str], message: str) -> Fault:
        """A fault at the innermost key of a path of keys, as far as the path leads."""
        node, fault = self, self.fault(message)
        for key in path:
            fault = node.key_fault(key, message) if key in (node.keys or {}) else fault
            if not isinstance(node.value, Mapping) or key not in node.value:
                break
            node = node.value[key]
        return fault

    def mapping(self, known: Iterable[str], what: str) -> Mapping[str, Node]:
        """The mapping, all of whose keys are known; ``what`` names it in messages."""
        entries = self.entries(what)
        known = list(known)
        for key in entries:
            if key not in known:
                raise self.key_fault(key, f"`{key}` is no key of {what}; {_advice(key, known)}")
        return entries

    def entries(self, what: str) -> Mapping[str, Node]:
        """The mapping, whatever its keys."""
        if not isinstance(self.value, Mapping):
            raise self.fault(f"{what} must be a mapping")
        return self.value

    def items(self, what: str) -> tuple[Node, ...]:
        """The elements of a list."""
        if not isinstance(self.value, tuple):
            raise self.fault(f"{what} must be a list")
        return self.value

    def children(self) -> tuple[Node, ...]:
        """What a list or a mapping holds, nothing for other values."""
        if isinstance(self.value, Mapping):
            return tuple(self.value.values())
        return self.value if isinstance(self.value, tuple) else ()

    def text(self, what: str) -> str:
        """A text that isn't empty."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.fault(f"{what} must be a text that isn't empty; quote what YAML takes for something else")
        return self.value

    def texts(self, what: str) -> tuple[tuple[str, Node], ...]:
        """The texts of a list, or a single text, each with its node."""
        nodes = self.value if isinstance(self.value, tuple) else (self,)
        return tuple((node.text(what), node) for node in nodes)

    def flag(self, what: str) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.fault(f"{what} must be true or false")
        return self.value

    def count(self, what: str, *, least: int = 0) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < least:
            raise self.fault(f"{what} must be a whole number, {least} or more")
        return self.value

    def choice(self, what: str, options: type[Choice]) -> Choice:
        """One of a closed list."""
        if not isinstance(self.value, str) or self.value not in set(options):
            raise self.fault(f"{what} can't be `{self.plain()}`; there are {', '.join(f'`{one}`' for one in options)}")
        return options(self.value)

    def plain(self) -> JSON:
        """The value without places."""
        if isinstance(self.value, Mapping):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        return self.value


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is spelled most like this one, None where none is near."""
    found = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return found[0] if found else None


def _advice(key: str, known: list[str]) -> str:
    near = nearest(key, known)
    if near is not None:
        return f"did you mean `{near}`"
    return "there are " + ", ".join(f"`{one}`" for one in sorted(known))
