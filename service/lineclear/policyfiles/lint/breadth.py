"""Allow rules that let nearly everything through, and those that mode `auto` doesn't count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import DEEP, Anchor
from lineclear.core.rules.globs import STAR
from lineclear.core.rules.paths import Touching
from lineclear.core.rules.rule import Effect
from lineclear.core.tools import Kind as ToolKind
from lineclear.policyfiles.lint.finding import Finding, Kind, of_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.rules.domains import DomainPattern
    from lineclear.core.rules.rule import Rule
    from lineclear.core.rules.selectors import Selector

_WIDE = {
    ToolKind.SHELL: "it allows every command",
    ToolKind.EDIT: "it allows edits of every file that isn't protected, outside the workspace too",
    ToolKind.FETCH: "it allows every address",
    ToolKind.AGENT: "it lets agents be started for anything",
}
_AUTO = "in mode `auto` it doesn't count"


def of_rule_alone(rule: Rule) -> Iterator[Finding]:
    """The findings of one rule."""
    if rule.effect is not Effect.ALLOW:
        return
    kinds = {kind for selector in rule.tools for kind in selector.kinds or ()}
    if not (rule.commands or rule.paths or rule.domains or rule.inputs):
        yield from (of_rule(Kind.TOO_BROAD, rule, _WIDE[kind]) for kind in sorted(kinds & set(_WIDE)))
        if ToolKind.SHELL in kinds:
            yield of_rule(Kind.SUSPENDED, rule, f"{_AUTO}: it lets the caller choose what is executed")
    for selector in rule.tools:
        if _may_fetch(selector):
            told = "what only reads may read from the network, and so sends what it is asked"
            yield of_rule(Kind.TOO_BROAD, rule, f"`{selector.text}`: {told}; add `open_world: false`, or name a server")
    if ToolKind.AGENT in kinds:
        yield of_rule(Kind.SUSPENDED, rule, f"{_AUTO}: it starts agents")
    for pattern in rule.commands:
        if STAR in pattern.words[0]:
            yield of_rule(Kind.TOO_BROAD, rule, f"`{pattern.text}` allows every program; name one")
        if pattern.chooses:
            told = f"the wildcard of `{pattern.text}` lets the caller choose what is executed"
            yield of_rule(Kind.SUSPENDED, rule, f"{_AUTO}: {told}")
    if rule.paths is not None and rule.paths.access is not Touching.READ:
        yield from (
            of_rule(Kind.TOO_BROAD, rule, f"`{path.text}` allows writing to nearly every place; name a folder")
            for path in rule.paths.patterns
            if _is_wide(path)
        )
    for domain in rule.domains:
        if _is_open(domain):
            yield of_rule(Kind.TOO_BROAD, rule, f"`{domain.text}` allows nearly every address; name a domain")


def _may_fetch(selector: Selector) -> bool:
    """Whether tools are chosen only because they read, wherever from."""
    chosen = selector.kinds is None and selector.server is None and selector.name is None
    return chosen and selector.server_tool is None and selector.read_only is True and selector.open_world is not False


def _is_wide(path: PathPattern) -> bool:
    """Whether a pattern takes in the file system, a drive, a home, or every home."""
    steps = [step for step in path.steps if step not in {DEEP, "*"}]
    if path.anchor is Anchor.FILE_SYSTEM:
        return not steps or (len(steps) == 1 and steps[0] in {"home", "Users", "c:", "c"})
    return path.anchor is Anchor.HOME and not steps


def _is_open(domain: DomainPattern) -> bool:
    """Whether a pattern has no label of its own beneath that of a registry."""
    labels = "*".join(domain.host.pieces).split(".")
    return all("*" in label for label in labels) or (domain.below and len(labels) == 1)
