"""All that the lint finds in a folder, in the order of its places."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Linted:
    """What was found; ``ignored`` are those that the authors know of and keep, each with their reason."""

    findings: tuple[Finding, ...]
    ignored: tuple[tuple[Finding, str], ...]


def lint(found: Compiled, today: date) -> tuple[Finding, ...]:
    """The findings about a policy; ``today`` is the day by which rules have expired."""
    return linted(found, today).findings


def linted(found: Compiled, today: date) -> Linted:
    """The same with what is ignored."""
    entries = ignored(found.sources, Problems())
    told = list(dict.fromkeys(_findings(found, today)))
    reasons = {finding: entry.reason for finding in told for entry in entries if _ignores(entry, finding)}
    kept = [finding for finding in told if finding not in reasons]
    kept += [_unused(entry) for entry in entries if not any(_ignores(entry, finding) for finding in told)]
    known = sorted(reasons.items(), key=lambda pair: _place(pair[0]))
    return Linted(tuple(sorted(dict.fromkeys(kept), key=_place)), tuple(known))


def _place(finding: Finding) -> tuple[str, int, int, str, str]:
    return finding.file, finding.line, finding.column, finding.kind, finding.message


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
