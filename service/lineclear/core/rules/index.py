"""Which rules can concern a call at all, found by key, so that the time doesn't grow with their number."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from lineclear.core.paths.matcher import PathIndex
from lineclear.core.rules import raw
from lineclear.core.rules.spelling import base_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lineclear.core.call import Environment
    from lineclear.core.effects import Command, Touch
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.domains import Address, DomainPattern
    from lineclear.core.rules.rule import Rule
    from lineclear.core.rules.selectors import Selector
    from lineclear.core.tools import Tool

_PLAIN_NAME = re.compile(r"[\w-]+")
_ANY = ""
"""The key of what has no literal to go by; no word, tool or host that matters is empty."""


class RuleIndex:
    """The rules of one effect by each of their matchers; a rule is known by its position."""

    __slots__ = ("_owners", "_paths", "commands", "domains", "rules", "tools")

    def __init__(self, rules: Sequence[Rule], *, strict: bool) -> None:
        self.rules = tuple(rules)
        self.commands = CommandIndex((at, pattern) for at, rule in enumerate(rules) for pattern in rule.commands)
        self.domains = DomainIndex((at, pattern) for at, rule in enumerate(rules) for pattern in rule.domains)
        self.tools = ToolIndex(
            (at, selector)
            for at, rule in enumerate(rules)
            if not (rule.commands or rule.paths or rule.domains)
            for selector in rule.tools or (None,)
        )
        paths = [(at, pattern) for at, rule in enumerate(rules) if rule.paths for pattern in rule.paths.patterns]
        self._owners = [at for at, _ in paths]
        self._paths = PathIndex((pattern, strict) for _, pattern in paths)

    def touching(self, touch: Touch, environment: Environment) -> set[int]:
        """The rules of which a path pattern and the access match a touch."""
        if not self._owners or touch.place is None:
            return set()
        hits = self._paths.match(touch.place, environment, glob=touch.glob)
        found = {self._owners[position] for position in hits}
        return {at for at in found if (paths := self.rules[at].paths) is not None and paths.means(touch)}


class CommandIndex:
    """Patterns by program, then by one literal word that the command must hold."""

    def __init__(self, patterns: Iterable[tuple[int, CommandPattern]]) -> None:
        self._programs: dict[str, dict[str, list[tuple[int, CommandPattern]]]] = {}
        self._odd: set[str] = set()
        for position, pattern in patterns:
            program = pattern.program or _ANY
            words = self._programs.setdefault(program, defaultdict(list))
            words[pattern.anchor or _ANY].append((position, pattern))
            if not _PLAIN_NAME.fullmatch(program):
                self._odd.add(program)

    def find(self, command: Command) -> Iterator[tuple[int, CommandPattern]]:
        """The patterns that a command can match, as far as it is literal."""
        if not self._programs or not command.words:
            return
        for words in self._of(base_name(command.words[0].shape)):
            yield from words.get(_ANY, ())
            if len(words) > 1 or _ANY not in words:
                for word in {word.shape for word in command.words[1:]} - {_ANY}:
                    yield from words.get(word, ())

    def find_all(self, command: Command) -> Iterator[tuple[int, CommandPattern]]:
        """The patterns of a command's program, whatever words they hold."""
        if self._programs and command.words:
            for words in self._of(base_name(command.words[0].shape)):
                for patterns in words.values():
                    yield from patterns

    def find_raw(self, text: str) -> Iterator[tuple[int, CommandPattern]]:
        """The patterns whose program a text may name."""
        if self._programs:
            for program in self._odd | (raw.names(text) & self._programs.keys()):
                for patterns in self._programs[program].values():
                    yield from patterns

    def _of(self, program: str) -> Iterator[dict[str, list[tuple[int, CommandPattern]]]]:
        for key in dict.fromkeys((program, _ANY)):
            if (words := self._programs.get(key)) is not None:
                yield words


class ToolIndex:
    """Selectors by the kind, name or server that they want."""

    def __init__(self, selectors: Iterable[tuple[int, Selector | None]]) -> None:
        self._keys: dict[object, list[int]] = defaultdict(list)
        for position, selector in selectors:
            for key in _keys(selector):
                self._keys[key].append(position)

    def find(self, tool: Tool) -> Iterator[int]:
        """The positions of the selectors that may mean a tool."""
        if self._keys:
            yield from self._keys.get(_ANY, ())
            yield from self._keys.get(tool.kind, ())
            yield from self._keys.get(("name", tool.name), ())
            for server, _ in tool.splits:
                yield from self._keys.get(("server", server), ())


class DomainIndex:
    """Domains by their last literal labels."""

    def __init__(self, patterns: Iterable[tuple[int, DomainPattern]]) -> None:
        self._tails: dict[str, list[tuple[int, DomainPattern]]] = defaultdict(list)
        for position, pattern in patterns:
            self._tails[pattern.tail].append((position, pattern))

    def __bool__(self) -> bool:
        return bool(self._tails)

    def find(self, address: Address) -> Iterator[tuple[int, DomainPattern]]:
        """The patterns that a host can match."""
        tail = address.host
        while True:
            yield from self._tails.get(tail, ())
            if not tail:
                return
            tail = tail.partition(".")[2]


def _keys(selector: Selector | None) -> Iterable[object]:
    if selector is None:
        return (_ANY,)
    if selector.kinds is not None:
        return selector.kinds
    if selector.name is not None and selector.name.literal is not None:
        return (("name", selector.name.literal),)
    if selector.server is not None and selector.server.literal is not None:
        return (("server", selector.server.literal),)
    return (_ANY,)
