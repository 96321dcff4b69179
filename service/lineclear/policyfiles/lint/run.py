"""All that the lint finds in a folder, in the order of its places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.policyfiles.lint import breadth, forms, reach
from lineclear.policyfiles.lint.finding import Finding, Kind, at
from lineclear.policyfiles.lint.ignoring import ignored
from lineclear.policyfiles.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from lineclear.policyfiles.compiling import Compiled
    from lineclear.policyfiles.lint.ignoring import Ignored


def lint(found: Compiled, today: date) -> tuple[Finding, ...]:
    """The findings about a policy; ``today`` is the day by which rules have expired."""
    entries = ignored(found.sources, Problems())
    told = list(_findings(found, today))
    kept = [finding for finding in told if not any(_ignores(entry, finding) for entry in entries)]
    kept += [_unused(entry) for entry in entries if not any(_ignores(entry, finding) for finding in told)]
    return tuple(sorted(dict.fromkeys(kept), key=lambda one: (one.file, one.line, one.column, one.kind, one.message)))


def _findings(found: Compiled, today: date) -> Iterator[Finding]:
    for written in found.written:
        yield from forms.of_written(written, found.policy, found.vocabulary, today)
        yield from breadth.of_rule_alone(written.rule)
    yield from reach.of_rules([written.rule for written in found.written], found.policy, found.vocabulary)
    for entry in found.policy.protections.entries:
        if (message := forms.one_slash(entry.pattern)) is not None:
            yield at(Kind.ONE_SLASH, entry.id, entry.origin, message)


def _ignores(entry: Ignored, finding: Finding) -> bool:
    return finding.kind in entry.kinds and finding.subject in {entry.subject, f"organisation:{entry.subject}"}


def _unused(entry: Ignored) -> Finding:
    told = "nothing like that is found any more; remove the entry"
    return Finding(Kind.UNUSED_IGNORE, entry.subject, entry.file, entry.line, entry.column, told)
