"""Whether an allow rule lies inside a bound: everything that it could ever cover, the bound covers too.

Only what can be proven counts. What would take a guess is outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import DEEP, Anchor
from lineclear.core.rules.commands import GAP
from lineclear.core.rules.globs import STAR, Glob
from lineclear.core.tools import Kind

if TYPE_CHECKING:
    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.domains import DomainPattern
    from lineclear.core.rules.rule import Rule
    from lineclear.core.rules.selectors import Selector

_ANY = "\ufdd2"
"""Stands for whatever a wildcard of the inner pattern may be: only a star of the outer one takes it."""

_BY_PATH = frozenset({Kind.READ, Kind.EDIT, Kind.SEARCH})


@dataclass(frozen=True, slots=True)
class Bound:
    """What teams may allow. A list that is set binds the rules and the tools that it is about; unset ones let none."""

    tools: tuple[Selector, ...] = ()
    commands: tuple[CommandPattern, ...] = ()
    paths: tuple[PathPattern, ...] = ()
    domains: tuple[DomainPattern, ...] = ()

    def holds(self, rule: Rule) -> bool:
        """Whether an allow rule lies inside."""
        paths = () if rule.paths is None else rule.paths.patterns
        return (
            all(any(command_inside(one, other) for other in self.commands) for one in rule.commands)
            and all(any(path_inside(one, other) for other in self.paths) for one in paths)
            and all(any(domain_inside(one, other) for other in self.domains) for one in rule.domains)
            and bool(rule.tools or paths)
            and all(self._tool_holds(selector, rule) for selector in rule.tools)
        )

    def _tool_holds(self, selector: Selector, rule: Rule) -> bool:
        """A tool of the kind that the rule's other matchers bind; or one that is listed and that no list binds."""
        kinds = selector.kinds or frozenset()
        matched = _kinds(bool(rule.commands), rule.paths is not None, bool(rule.domains))
        if kinds and kinds <= matched:
            return True
        listed = _kinds(bool(self.commands), bool(self.paths), bool(self.domains))
        return not kinds & listed and any(tool_inside(selector, one) for one in self.tools)


def _kinds(commands: bool, paths: bool, domains: bool) -> frozenset[Kind]:  # noqa: FBT001 - one flag a list
    """The kinds of tools that go by commands, paths and domains."""
    by_path = _BY_PATH if paths else frozenset()
    return by_path | ({Kind.SHELL} if commands else set()) | ({Kind.FETCH} if domains else set())


def command_inside(inner: CommandPattern, outer: CommandPattern) -> bool:
    """Whether every command that one pattern covers is covered by the other."""
    words = GAP.join(inner.words).replace(STAR, _ANY)
    forms = (words, words + GAP + _ANY) if inner.open else (words,)
    return all(outer.fits(form) for form in forms)


def path_inside(inner: PathPattern, outer: PathPattern) -> bool:
    """Whether every path that one pattern covers is covered by the other."""
    if (inner.anchor, inner.steps) == (outer.anchor, outer.steps):
        return True
    inner, outer = _from_its_start(inner), _from_its_start(outer)
    if inner.anchor is not outer.anchor:
        return False
    below, wanted = outer.steps[-1:] == (DEEP,), outer.steps
    if below:
        wanted = wanted[:-1]
    given = inner.steps
    if DEEP in wanted or DEEP in given[: len(wanted)] or len(given) < len(wanted) + below:
        return False
    covers_below = below or not wanted or not set("*?") & set(wanted[-1])
    if not covers_below and (len(given) > len(wanted) or not set("*?") & set(given[-1])):
        return False
    return all(_step_inside(one, other) for one, other in zip(given, wanted, strict=False))


def domain_inside(inner: DomainPattern, outer: DomainPattern) -> bool:
    """Whether every address that one pattern covers is covered by the other."""
    if inner.port != outer.port:
        return False
    given, wanted = "*".join(inner.host.pieces).split("."), "*".join(outer.host.pieces).split(".")
    if outer.host.everything:
        return not outer.below or inner.below or len(given) > 1
    if inner.host.everything:
        return False
    if not outer.below:
        return not inner.below and len(given) == len(wanted) and _labels_inside(given, wanted)
    deeper = len(given) > len(wanted) or (inner.below and len(given) == len(wanted))
    return deeper and _labels_inside(given[-len(wanted) :], wanted)


def tool_inside(inner: Selector, outer: Selector) -> bool:
    """Whether every tool that one selector means is meant by the other."""
    if replace(inner, text="") == replace(outer, text=""):
        return True
    if (outer.read_only, outer.destructive, outer.open_world) != (None, None, None):
        return False
    return (
        (outer.kinds is None or (inner.kinds is not None and inner.kinds <= outer.kinds))
        and (outer.host is None or inner.host == outer.host)
        and (outer.source is None or inner.source is outer.source)
        and all(
            _glob_inside(one, other)
            for one, other in (
                (inner.name, outer.name),
                (inner.server, outer.server),
                (inner.server_tool, outer.server_tool),
            )
        )
    )


def _glob_inside(inner: Glob | None, outer: Glob | None) -> bool:
    return outer is None or (inner is not None and outer.matches(_ANY.join(inner.pieces)))


def _labels_inside(given: list[str], wanted: list[str]) -> bool:
    return all(_glob_inside(Glob.of(one), Glob.of(other)) for one, other in zip(given, wanted, strict=True))


def _from_its_start(pattern: PathPattern) -> PathPattern:
    """The pattern as an allow rule reads it: a bare name at any depth, other free ones from each root."""
    steps = tuple(step for step, behind in pairwise((*pattern.steps, "")) if not (step == DEEP and behind == DEEP))
    anchor = Anchor.ROOT if pattern.anchor in {Anchor.START, Anchor.FREE} else pattern.anchor
    return replace(pattern, anchor=anchor, steps=(DEEP, *steps) if pattern.bare else steps)


def _step_inside(inner: str, outer: str) -> bool:
    """Whether every name that fits one step fits the other; a question mark takes one character and no wildcard."""
    if "?" in outer:
        return inner == outer
    return Glob.of(outer).matches(inner.replace("*", _ANY).replace("?", _ANY))
