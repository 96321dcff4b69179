"""Forms that load and don't mean what they seem to: seen in the rule itself, whatever else there is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import Anchor
from lineclear.core.rules.globs import STAR
from lineclear.core.rules.rule import Effect, Layer
from lineclear.core.tools import Kind as ToolKind
from lineclear.policyfiles.lint.finding import Finding, Kind, of_rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.policy import Policy
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.rule import Rule
    from lineclear.policyfiles.long import WrittenRule
    from lineclear.policyfiles.vocabulary import Vocabulary

_SYSTEM_FOLDERS = frozenset(
    {
        "etc", "home", "Users", "usr", "var", "opt", "root", "tmp", "proc", "sys", "dev", "private", "mnt", "Volumes",
        "Applications", "Library", "System", "boot", "sbin", "run", "srv",
    }
)  # fmt: skip
"""First folders that a path of the file system has, and hardly any workspace."""

_KEYWORDS = frozenset(
    {"for", "while", "until", "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "select", "function"}
)
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


def of_written(written: WrittenRule, policy: Policy, vocabulary: Vocabulary, today: date) -> Iterator[Finding]:
    """The findings that a rule alone gives."""
    rule = written.rule
    for pattern in rule.commands:
        yield from _of_command(rule, pattern)
    for path in rule.paths.patterns if rule.paths is not None else ():
        if (told := one_slash(path)) is not None:
            yield of_rule(Kind.ONE_SLASH, rule, told)
    yield from _of_scope(rule, policy, vocabulary)
    if rule.expires is not None and rule.expires < today:
        yield of_rule(Kind.EXPIRED, rule, f"it held until {rule.expires.isoformat()}; remove it or set another day")
    if not rule.id.startswith(f"{rule.layer}:{rule.effect}:") and not (written.matching and written.not_matching):
        yield of_rule(Kind.EXAMPLES, rule, _examples_missing(written))
    yield from _of_condition(rule, vocabulary)


def one_slash(pattern: PathPattern) -> str | None:
    """What is to be said of a pattern that begins at the workspace root and names a folder of the file system."""
    if pattern.anchor is not Anchor.ROOT or not pattern.steps or pattern.steps[0] not in _SYSTEM_FOLDERS:
        return None
    return f"`{pattern.text}` lies in each workspace; write `/{pattern.text}` for the folder of the file system"


def _of_command(rule: Rule, pattern: CommandPattern) -> Iterator[Finding]:
    if ":*" in pattern.text.removesuffix(":*"):
        yield of_rule(
            Kind.COLON_STAR,
            rule,
            f"`:*` within `{pattern.text}` is literal; it is a wildcard at the end only, elsewhere write ` *`",
        )
    first = pattern.words[0].replace(STAR, "*")
    if first in _KEYWORDS:
        yield of_rule(
            Kind.NEVER, rule, f"`{first}` is a word of the shell and no program; name the commands that stand in it"
        )
    elif _ASSIGNMENT.match(first):
        yield of_rule(Kind.NEVER, rule, f"`{first}` sets a variable and is no program; name the command without it")


def _of_scope(rule: Rule, policy: Policy, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Filters that leave nothing."""
    if rule.layer is not Layer.BUILTIN and rule.modes is not None and not rule.modes & policy.modes.allowed:
        names = ", ".join(f"`{mode}`" for mode in sorted(rule.modes))
        yield of_rule(Kind.NEVER, rule, f"`modes.allowed` has none of its modes: {names}")
    if rule.agent is not None and rule.agent.hosts is not None:
        for host in sorted(rule.agent.hosts - set(vocabulary.catalogue.hosts)):
            yield of_rule(Kind.NEVER, rule, f"no catalogue has a host `{host}`")
    wanted = {
        kind
        for matcher, kind in ((rule.commands, ToolKind.SHELL), (rule.domains, ToolKind.FETCH))
        if matcher and rule.effect is Effect.ALLOW
    }
    kinds = [selector.kinds for selector in rule.tools]
    if wanted and kinds and all(one is not None and not one & wanted for one in kinds):
        yield of_rule(Kind.NEVER, rule, "no tool that it names goes by its `command` or `domain`; name others, or none")


def _examples_missing(written: WrittenRule) -> str:
    if not written.matching and not written.not_matching:
        return "it has no examples; give some that match and some that don't"
    return f"it has no examples under `{'match' if written.not_matching else 'no_match'}`; give some"


def _of_condition(rule: Rule, vocabulary: Vocabulary) -> Iterator[Finding]:
    if rule.when is None:
        return
    fields = rule.when.reading.fields
    said = [name for name in ("context", "agent") if name in fields]
    if rule.effect is Effect.ALLOW:
        said = [name for name in said if name == "context"]
    for name in said:
        why = "anybody can claim it" if rule.effect is Effect.ALLOW else "a caller can change it to get round the rule"
        yield of_rule(Kind.CALLERS_WORD, rule, f"its condition reads `{name}`: {why}")
    for name in sorted(rule.when.reading.data - set(vocabulary.data)):
        yield of_rule(Kind.MISSING_DATA, rule, f"its condition reads `data.{name}`, and `data` has none; add it there")
