"""Calls that a rule means, as bare as they come: with a word of no meaning where the rule takes any.

What a stricter rule makes of all of them, it makes of every call that the rule means: nothing but a wildcard matches a
word that nobody wrote.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import DEEP, Anchor
from lineclear.core.rules.globs import STAR
from lineclear.core.rules.paths import Touching
from lineclear.core.rules.rule import Effect
from lineclear.core.shell.examples import WORKSPACE
from lineclear.policyfiles.examples import made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import Call
    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.domains import DomainPattern
    from lineclear.core.rules.rule import Rule
    from lineclear.policyfiles.vocabulary import Vocabulary

ANY = "lc-any"
"""The word of no meaning."""

_STARTS = {Anchor.FILE_SYSTEM: "", Anchor.HOME: WORKSPACE.home, Anchor.ROOT: WORKSPACE.cwd}


def specimens(rule: Rule, vocabulary: Vocabulary) -> list[Call]:
    """The specimens of a rule; none where it has matchers of several kinds, or of the input."""
    matchers = [bool(one) for one in (rule.commands, rule.paths, rule.domains)]
    if rule.inputs or sum(matchers) > 1:
        return []
    if rule.commands:
        texts = (text for pattern in rule.commands for text in _commands(pattern))
        return [made("Bash", {"command": text}, vocabulary) for text in texts]
    if rule.paths is not None:
        tools = _tools(rule.paths.access, rule.effect)
        texts = (text for pattern in rule.paths.patterns for text in _paths(pattern))
        return [made(tool, {"file_path": text}, vocabulary) for text in texts for tool in tools]
    if rule.domains:
        return [made("WebFetch", {"url": _url(domain), "prompt": ANY}, vocabulary) for domain in rule.domains]
    return []


def _commands(pattern: CommandPattern) -> Iterator[str]:
    text = " ".join(shlex.quote(_filled(word)) for word in pattern.words)
    yield text
    if pattern.open:
        yield f"{text} {ANY} {ANY}"


def _filled(word: str) -> str:
    return ANY if word == STAR else word.replace(STAR, "x")


def _tools(access: Touching, effect: Effect) -> tuple[str, ...]:
    if access is Touching.WRITE:
        return ("Write",)
    return ("Read",) if access is Touching.READ or effect is not Effect.ALLOW else ("Read", "Write")


def _paths(pattern: PathPattern) -> Iterator[str]:
    start = _STARTS.get(pattern.anchor, WORKSPACE.cwd)
    steps = [f"{ANY}/{ANY}" if step == DEEP else step.replace("*", "x").replace("?", "x") for step in pattern.steps]
    path = "/".join([start or "", *steps])
    yield path
    if pattern.bare:
        yield "/".join([start or "", ANY, *steps])
    if pattern.steps and not set("*?") & set(pattern.steps[-1]):
        yield f"{path}/{ANY}"


def _url(domain: DomainPattern) -> str:
    host = "*".join(domain.host.pieces).replace("*", ANY)
    return f"https://{ANY + '.' if domain.below else ''}{host}{f':{domain.port}' if domain.port else ''}/"
