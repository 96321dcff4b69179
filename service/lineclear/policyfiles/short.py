"""The short spelling, ``Tool(x)``: what people paste from their agents' settings, given the meaning it has here.

What a form can't say is an error that names the long form; no text is taken for something that it may not mean.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lineclear.core.paths.pattern import PathPattern, PatternError
from lineclear.core.rules.commands import CommandPattern
from lineclear.core.rules.domains import DomainPattern
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import Glob
from lineclear.core.rules.inputs import InputMatcher, NameMatcher
from lineclear.core.rules.paths import PathMatcher, Touching
from lineclear.core.rules.rule import Effect, Layer, Origin, Rule
from lineclear.core.rules.selectors import MCP_PREFIX
from lineclear.core.tools import Kind, Use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.rules.inputs import Wanted
    from lineclear.core.rules.selectors import Selector
    from lineclear.policyfiles.vocabulary import Vocabulary

_FORM = re.compile(r"([^()]+)\((.*)\)", re.DOTALL)
_PARAMETER = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?!//)(.+)", re.DOTALL)
_DOMAIN = "domain:"


def rule(text: str, effect: Effect, layer: Layer, origin: Origin, vocabulary: Vocabulary) -> Rule:
    """The rule of a short spelling. Raises ``RuleFault``."""
    try:
        matchers = _Short(text, effect, vocabulary).matchers()
    except PatternError as error:
        raise RuleFault(f"`{text}`: {error}") from error
    except RuleFault as error:
        raise error if f"`{text}`" in str(error) else RuleFault(f"`{text}`: {error}") from error
    return Rule(id=f"{layer}:{effect}:{text}", effect=effect, layer=layer, origin=origin, **matchers)


@dataclass(slots=True)
class _Short:
    text: str
    effect: Effect
    vocabulary: Vocabulary
    strict: bool = field(init=False)

    def __post_init__(self) -> None:
        self.strict = self.effect is Effect.ALLOW

    def matchers(self) -> dict[str, Any]:
        if "(" not in self.text and ")" not in self.text:
            return {"tools": self._selectors(self.text)}
        form = _FORM.fullmatch(self.text)
        if form is None:
            raise RuleFault(f"`{self.text}` has no closing bracket at its end; write `Tool` or `Tool(x)`")
        name, argument = form[1].strip(), form[2].strip()
        selectors = self._selectors(name)
        if argument == "*":
            return {"tools": selectors}
        if not argument:
            raise RuleFault(f"`{self.text}` has nothing in its brackets; write `{name}` to mean every call")
        return self._of_kind(name, argument, selectors)

    def _of_kind(self, name: str, argument: str, selectors: tuple[Selector, ...]) -> dict[str, Any]:
        # a kind's name binds what touches the path or runs the command by any tool; one tool's name only that tool
        by_kind = self.vocabulary.catalogue.kinds_of(name) is not None
        tools = selectors if self.strict or not by_kind else ()
        match self.vocabulary.kind_of(name):
            case Kind.SHELL:
                pattern = CommandPattern.parse(argument, self.vocabulary.programs, strict=self.strict)
                return {"tools": tools, "commands": (pattern,)}
            case Kind.READ:
                access = Touching.READ if self.strict else Touching.ANY
                return {"tools": () if by_kind else selectors, "paths": _paths(argument, access)}
            case Kind.EDIT:
                return {"tools": () if by_kind else selectors, "paths": _paths(argument, Touching.WRITE)}
            case Kind.SEARCH:
                return {"tools": tools, "paths": _paths(argument, Touching.READ)}
            case Kind.FETCH if argument.startswith(_DOMAIN):
                pattern_ = DomainPattern.parse(argument.removeprefix(_DOMAIN), strict=self.strict)
                return {"tools": tools, "domains": (pattern_,)}
            case Kind.AGENT | Kind.SKILL as kind if not self._is_parameter(argument, selectors):
                return {"tools": selectors, "inputs": (_named(kind, argument),)}
        return {"tools": selectors, "inputs": (self._parameter(name, argument),)}

    def _selectors(self, name: str) -> tuple[Selector, ...]:
        return self.vocabulary.selectors(name, strict=self.strict)

    def _is_parameter(self, argument: str, selectors: Iterable[Selector]) -> bool:
        form = _PARAMETER.fullmatch(argument)
        if form is None:
            return False
        pointers = {known.pointer for tool in self.vocabulary.meant(selectors) for known in tool.arguments}
        return f"/{form[1]}" in pointers

    def _parameter(self, name: str, argument: str) -> InputMatcher:
        form = _PARAMETER.fullmatch(argument)
        if form is None:
            raise RuleFault(f"`{name}(…)` has no such form; {_long_form(name, argument)}")
        if self.strict:
            raise RuleFault(f"`{name}(parameter:value)` can't allow; {_long_form(name, argument)}")
        return InputMatcher.of(form[1], _meant(form[2].strip()))


def _paths(text: str, access: Touching) -> PathMatcher:
    return PathMatcher((PathPattern.parse(text),), access)


def _meant(value: str) -> tuple[Wanted, ...]:
    """What a parameter's value may be: the text, and the number or the boolean that it spells."""
    try:
        spelled = json.loads(value)
    except ValueError:
        return (Glob.of(value),)
    return (Glob.of(value), spelled) if isinstance(spelled, bool | int | float) else (Glob.of(value),)


def _named(kind: Kind, argument: str) -> NameMatcher:
    if kind is Kind.AGENT:
        return NameMatcher(Use.AGENT_TYPE, Glob.of(argument))
    name = re.sub(r"(?: |:)\*$", "", argument)
    return NameMatcher(Use.SKILL_NAME, Glob.of(name.removeprefix("/")), more=name != argument)


def _long_form(name: str, argument: str) -> str:
    tool = name if not name.startswith(MCP_PREFIX) else "{source: mcp, server: …, tool: …}"
    if "://" in argument:
        return f"write `{name}(domain:host)` or a rule of the long form with `tools: [{tool}]` and `domain: [host]`"
    return f"write a rule of the long form with `tools: [{tool}]` and `input: {{argument: value}}`"
