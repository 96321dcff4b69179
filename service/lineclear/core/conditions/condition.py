"""A condition, compiled once when the policy is loaded: true, or it doesn't hold, or it couldn't be evaluated.

Only ``true`` is true. What fails is a match for deny and ask rules and none for allow rules: ``holds`` says which.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import re2

from lineclear.core.conditions import cost
from lineclear.core.conditions.names import MATCHES
from lineclear.core.conditions.reading import Reading, read
from lineclear.core.conditions.view import Unknown, servers, view
from lineclear.core.rules.faults import RuleFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    import cel

    from lineclear.core.call import JSON
    from lineclear.core.facts import Facts

_SEARCH = "lineclear_search"
"""The function that stands in for ``matches``: the library compiles a regular expression anew at every call."""

_MAX_PATTERN_BYTES = 1 << 20
_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (?:Syntax error: )?(.+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """A compiled condition; ``data`` are the organisation's static maps, as far as it reads them."""

    text: str
    reading: Reading
    program: cel.Program
    search: Callable[[str, str], bool]
    data: Mapping[str, JSON]

    @staticmethod
    def of(text: str, data: Mapping[str, JSON]) -> Condition:
        """Compile a condition. Raises ``RuleFault``."""
        reading = read(text)
        _compiled(text)
        patterns = {source: _pattern(source) for source in map(_literal, (token.text for _, token in reading.patterns))}
        rewritten = text
        for name, _ in sorted(reading.patterns, key=lambda pair: pair[0].at, reverse=True):
            rewritten = rewritten[: name.at] + _SEARCH + rewritten[name.at + len(MATCHES) :]
        return Condition(
            text,
            reading,
            _compiled(rewritten),
            lambda given, source: patterns[source].search(given) is not None,
            data if "data" in reading.fields else {},
        )

    def holds(self, facts: Facts, *, strict: bool) -> bool:
        """Whether a rule with this condition goes on to match; ``strict`` for allow rules.

        Where a server's name can be told apart in several ways, any of them is enough for deny and ask rules, and all
        are needed for allow rules.
        """
        answers = [self.answer(facts, server) for server in self._servers(facts)]
        return all(answer is True for answer in answers) if strict else any(answer is not False for answer in answers)

    def fails(self, facts: Facts) -> bool:
        """Whether it can't be evaluated for a call; of several readings of a server's name, for any of them."""
        return any(self.answer(facts, server) is None for server in self._servers(facts))

    def answer(self, facts: Facts, server: str | None = None) -> bool | None:
        """What it comes to where the tool is that of ``server``: true, false, or None where it couldn't be told."""
        try:
            values = view(facts, self.reading.fields, words="words" in self.reading.members)
            seen = values.get("call")
            if isinstance(seen, dict) and "server" in seen:
                seen["server"] = server
            if "data" in self.reading.fields:
                values["data"] = dict(self.data)
            if not cost.fits(self.reading, cost.size_of(values)):
                return None
        except (Unknown, cost.TooLarge):
            return None
        return self._evaluated(values)

    def _servers(self, facts: Facts) -> tuple[str | None, ...]:
        return servers(facts) if "call" in self.reading.fields else (None,)

    def _evaluated(self, values: Mapping[str, Any]) -> bool | None:
        try:
            found = self.program.execute(_library().Context(dict(values), {_SEARCH: self.search}))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # noqa: BLE001 - the library's panics are no ``Exception``s, and all of it means "failed"
            return None
        return found if isinstance(found, bool) else None


def _compiled(text: str) -> cel.Program:
    try:
        program: cel.Program = _library().compile(text)
    except ValueError as error:
        place = _PLACE.search(str(error))
        told = f"line {place[1]}, character {place[2]}: {_plainly(place[3])}" if place else "it isn't CEL"
        raise RuleFault(f"the condition doesn't compile: {told}") from error
    return program


def _plainly(message: str) -> str:
    """What the parser says, without the list of all that it would have taken."""
    told = message.partition(" expecting ")[0]
    if told.startswith("mismatched input '<EOF>'"):
        return "something is missing at its end"
    return told.replace("at '<EOF>'", "at its end")


def _library() -> ModuleType:
    """The library, loaded where a policy has a condition: it brings a command line of its own, a fifth of a second."""
    return import_module("cel.cel")


def _literal(token: str) -> str:
    """The text that a literal means."""
    found = _compiled(token).execute()
    if not isinstance(found, str):
        raise RuleFault(f"the regular expression {token} of `matches` must be a text")
    return found


def _pattern(source: str) -> Any:
    options = re2.Options()
    options.max_mem = _MAX_PATTERN_BYTES
    options.log_errors = False
    try:
        return re2.compile(source, options=options)
    except re2.error as error:
        told = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise RuleFault(f"the regular expression `{source}` doesn't compile: {told}") from error
