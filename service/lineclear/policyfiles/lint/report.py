"""How findings and load errors are told: as text, as JSON, as SARIF 2.1.0 for code review tools."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from lineclear import __version__
from lineclear.policyfiles.lint.finding import LEVELS, MEANING, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lineclear.core.call import JSON
    from lineclear.policyfiles.lint.finding import Finding
    from lineclear.policyfiles.problems import Problem

    _Row = tuple[str, str, str | None, str, int, int, str]

LOAD = "load"
"""The code of what keeps the policy from being loaded at all."""

_CODES = (*LEVELS, LOAD)
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(findings: Iterable[Finding], problems: Iterable[Problem]) -> Iterator[str]:
    """A line for each."""
    for problem in problems:
        yield f"{problem.file}:{problem.line}:{problem.column}: {Level.ERROR}: {problem.message} [{LOAD}]"
    yield from map(str, findings)


def as_json(findings: Iterable[Finding], problems: Iterable[Problem]) -> JSON:
    """A list of mappings."""
    return [
        {
            "code": code,
            "level": level,
            "subject": subject,
            "file": file,
            "line": line,
            "column": column,
            "message": told,
        }
        for code, level, subject, file, line, column, told in _rows(findings, problems)
    ]


def as_sarif(
    findings: Iterable[Finding],
    problems: Iterable[Problem],
    ignored: Iterable[tuple[Finding, str]] = (),
    *,
    folder: str = "",
) -> JSON:
    """A log of one run. ``folder`` is where the policies lie, seen from the repository: code review goes by it.

    What is ignored is in it as suppressed, with the reason.
    """
    kinds: list[JSON] = [_sarif_rule(kind, MEANING[kind], level) for kind, level in LEVELS.items()]
    kinds.append(_sarif_rule(LOAD, "the policy can't be loaded", Level.ERROR))
    results: list[JSON] = [_sarif_result(row, folder) for row in _rows(findings, problems)]
    for finding, reason in ignored:
        for row in _rows((finding,), ()):
            suppressed: JSON = [{"kind": "external", "justification": reason}]
            results.append(_sarif_result(row, folder) | {"suppressions": suppressed})
    driver: JSON = {"name": "lineclear policy lint", "version": __version__, "rules": kinds}
    run: JSON = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_result(row: _Row, folder: str) -> dict[str, JSON]:
    code, level, subject, file, line, column, told = row
    path = f"{folder}/{file}" if folder and file and file != folder else file
    return {
        "ruleId": code,
        "ruleIndex": _CODES.index(code),
        "level": level,
        "message": {"text": told if subject is None else f"{subject}: {told}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(path)},
                    "region": {"startLine": line, "startColumn": column},
                }
            }
        ],
    }


def _rows(findings: Iterable[Finding], problems: Iterable[Problem]) -> Iterator[_Row]:
    for one in problems:
        yield LOAD, Level.ERROR.value, None, one.file, one.line, one.column, one.message
    for found in findings:
        yield found.kind.value, found.level.value, found.subject, found.file, found.line, found.column, found.message


def _sarif_rule(code: str, meaning: str, level: Level) -> JSON:
    return {"id": code, "shortDescription": {"text": meaning}, "defaultConfiguration": {"level": level.value}}
