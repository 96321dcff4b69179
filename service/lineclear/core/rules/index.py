"""Which rules can concern a call at all, found by key, so that the time doesn't grow with their number."""

from __future__ import annotations

import re
from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from lineclear.core.paths.matcher import PathIndex
from lineclear.core.rules import raw
from lineclear.core.rules.spelling import base_name
from lineclear.core.shell.special import may_be

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lineclear.core.call import Environment
    from lineclear.core.effects import Command, Touch
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.domains import Address, DomainPattern
    from lineclear.core.rules.rule import Rule
    from lineclear.core.rules.selectors import Selector
    from lineclear.core.tools import Tool

_Keyed: TypeAlias = "dict[str, list[tuple[int, CommandPattern]]]"

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
        if not hits:
            return set()
        found = {self._owners[position] for position in hits}
        return {at for at in found if (paths := self.rules[at].paths) is not None and paths.means(touch)}


class CommandIndex:
    """Patterns by program, then by one literal word that the command must hold, and by their subcommand."""

    def __init__(self, patterns: Iterable[tuple[int, CommandPattern]]) -> None:
        self._by_word: dict[str, _Keyed] = {}
        self._by_subcommand: dict[str, _Keyed] = {}
        self._odd: set[str] = set()
        for position, pattern in patterns:
            program = pattern.program or _ANY
            for keyed, key in ((self._by_word, pattern.anchor), (self._by_subcommand, pattern.subcommand)):
                keyed.setdefault(program, defaultdict(list))[key or _ANY].append((position, pattern))
            if not _PLAIN_NAME.fullmatch(program):
                self._odd.add(program)

    def find(self, command: Command) -> Iterator[tuple[int, CommandPattern]]:
        """The patterns that a command can match, as far as it is literal."""
        if not self._by_word or not command.words:
            return
        for words in _of(self._by_word, command):
            yield from words.get(_ANY, ())
            if len(words) > 1 or _ANY not in words:
                for word in {word.shape for word in command.words[1:]} - {_ANY}:
                    yield from words.get(word, ())

    def find_possible(self, command: Command) -> list[tuple[int, CommandPattern]]:
        """The patterns of a command's program, as far as its subcommand tells them apart; in order."""
        if not self._by_subcommand or not command.words:
            return []
        invocation = command.invocation
        known = invocation.subcommand[0] if invocation is not None and invocation.subcommand else None
        found = [
            one
            for keys in _of(self._by_subcommand, command)
            for key in (keys if known is None else (known, _ANY))
            for one in keys.get(key, ())
        ]
        return sorted(found, key=itemgetter(0))

    def find_raw(self, text: str) -> Iterator[tuple[int, CommandPattern]]:
        """The patterns whose program a text may name."""
        if self._by_word:
            for program in self._odd | (raw.names(text) & self._by_word.keys()):
                for patterns in self._by_word[program].values():
                    yield from patterns


class ToolIndex:
    """Selectors by the kind, name, beginning of a name or server that they want."""

    def __init__(self, selectors: Iterable[tuple[int, Selector | None]]) -> None:
        self._keys: dict[object, list[int]] = defaultdict(list)
        self._lengths: set[int] = set()
        for position, selector in selectors:
            for key in _keys(selector):
                self._keys[key].append(position)
            if selector is not None and (head := _head(selector)) is not None:
                self._lengths.add(len(head))

    def find(self, tool: Tool) -> Iterator[int]:
        """The positions of the selectors that may mean a tool."""
        if self._keys:
            yield from self._keys.get(_ANY, ())
            yield from self._keys.get(tool.kind, ())
            yield from self._keys.get(("name", tool.name), ())
            for length in self._lengths:
                yield from self._keys.get(("head", tool.name[:length]), ())
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


def _of(keyed: dict[str, _Keyed], command: Command) -> list[_Keyed]:
    first = command.words[0]
    name = base_name(first.shape)
    if first.glob:
        return [words for program, words in keyed.items() if program == _ANY or may_be(name, program)]
    return [keyed[program] for program in dict.fromkeys((name, _ANY)) if program in keyed]


def _keys(selector: Selector | None) -> Iterable[object]:
    if selector is None:
        return (_ANY,)
    if selector.kinds is not None:
        return selector.kinds
    if selector.name is not None and selector.name.literal is not None:
        return (("name", selector.name.literal),)
    if selector.server is not None and selector.server.literal is not None:
        return (("server", selector.server.literal),)
    if (head := _head(selector)) is not None:
        return (("head", head),)
    return (_ANY,)


def _head(selector: Selector) -> str | None:
    """What every name begins with that a selector means by a pattern of names; None where that is nothing."""
    if selector.name is None or selector.name.literal is not None:
        return None
    return selector.name.pieces[0] or None
