"""``lineclear policy show``, ``diff`` and ``schema``: what is in force, what a change changes, what files may hold."""

from __future__ import annotations

import asyncio
import json
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear import resources
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.versions import latest
from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.output import Output, as_json
from lineclear.cli.policy_folder import loaded, loaded_on, named
from lineclear.cli.settled import settled
from lineclear.core.rules.rule import Effect
from lineclear.engine.log import StorageUnavailable
from lineclear.policyfiles.comparing import differences
from lineclear.policyfiles.reference import reference
from lineclear.policyfiles.revision import revision
from lineclear.policyfiles.version import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON
    from lineclear.core.policy import Policy
    from lineclear.policyfiles.comparing import Difference
    from lineclear.policyfiles.revision import Revision

_MOST_VERSIONS = 50
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


class SchemaOutput(StrEnum):
    """How the schema is printed."""

    JSON = "json"
    MARKDOWN = "markdown"


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("show")(show)
    app.command("diff")(diff)
    app.command("schema")(schema)


def show(
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
    versions: Annotated[bool, typer.Option(help="Add the versions that have been in force, of the database.")] = False,
    output: Annotated[Output, typer.Option(help="How to print it.")] = Output.TEXT,
) -> None:
    """Print the effective policy of all layers: rules and protected paths with where each was written, and settings."""
    policy, stands_at = loaded(policies).policy, revision(named(policies))
    past = _past() if versions else None
    if output is Output.JSON:
        document = _document(policy, stands_at) | ({} if past is None else {"versions": past})
        as_json(document)
    else:
        print("\n".join([*_lines(policy, stands_at), *(_versions_told(past) if past is not None else ())]))


def diff(
    old: Annotated[Path, typer.Argument(help="Folder of the old policies.")],
    new: Annotated[Path | None, typer.Argument(help="Folder of the new ones; those in force if not given.")] = None,
    builtin: Annotated[
        Path | None, typer.Option(help="Folder of the built-in layer beneath the old ones: another release's.")
    ] = None,
    output: Annotated[Output, typer.Option(help="How to print it.")] = Output.TEXT,
) -> None:
    """Print what differs between two policies, rule by rule; the exit status is 1 if anything does."""
    before = loaded_on(builtin or resources.builtin(), named(old)).policy
    after = loaded_on(resources.builtin(), named(new)).policy
    found = differences(before, after)
    if output is Output.JSON:
        as_json([_difference(one) for one in found])
    else:
        print("\n".join([*(line for one in found for line in _told(one)), _versions(before, after)]))
    if found:
        raise typer.Exit(FOUND)


def schema(
    output: Annotated[SchemaOutput, typer.Option(help="How to print it.")] = SchemaOutput.JSON,
) -> None:
    """Print the JSON Schema of policy files, for editors; or the reference that is made of it, for people."""
    text = resources.policy_schema().read_text("utf-8")
    print(text if output is SchemaOutput.JSON else reference(json.loads(text)), end="")


def _past() -> list[dict[str, JSON]]:
    """The latest versions in the database, newest first. Raises ``Failure``."""
    try:
        found = asyncio.run(latest(settled(), _MOST_VERSIONS))
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    return [
        {
            "version": one.version,
            "first_seen_at": one.first_seen_at.isoformat(),
            "commit": one.commit,
            "modified": one.modified,
        }
        for one in found
    ]


def _versions_told(past: list[dict[str, JSON]]) -> Iterator[str]:
    yield from ("", "versions in force, newest first")
    for one in past:
        commit = f"  commit {one['commit']}{' and changes' * bool(one['modified'])}" if one["commit"] else ""
        yield f"  {str(one['first_seen_at'])[:19]} UTC  {one['version']}{commit}"


def _document(policy: Policy, stands_at: Revision | None) -> dict[str, JSON]:
    return {
        "version": policy.version,
        "commit": None if stands_at is None else stands_at.commit,
        "modified": None if stands_at is None else stands_at.modified,
        "files": list(policy.files),
        "rules": [
            {"name": rule.name, "layer": rule.layer, "source": str(rule.origin), "rule": plain(rule)}
            for rule in policy.rules.rules
        ],
        "protected_paths": [
            {"id": entry.id, "layer": entry.layer, "source": str(entry.origin), "entry": plain(entry)}
            for entry in policy.protections.entries
        ],
        "modes": plain(policy.modes),
        "enforcement": "enforce" if policy.enforce else "observe",
        "safe_tools": plain(policy.safe_tools),
        "workspace": plain(policy.workspace),
        "agents": plain(policy.agents),
        "breaker": plain(policy.breaker),
        "approvals": {"ttl_s": policy.question_ttl_s, "trust_host": policy.trust_host},
        "headless": policy.headless,
        "classifier": plain(policy.guidance),
        "sections": plain(policy.sections),
    }


def _lines(policy: Policy, stands_at: Revision | None) -> Iterator[str]:
    yield f"version      {policy.version}"
    if stands_at is not None:
        yield f"commit       {stands_at}"
    yield f"enforcement  {'enforce' if policy.enforce else 'observe'}"
    yield f"modes        {policy.modes.default} by default; {', '.join(sorted(policy.modes.allowed))} allowed"
    for effect in reversed(Effect):
        yield from ("", str(effect))
        for rule in policy.rules.rules:
            if rule.effect is effect:
                trial = "  (on trial)" if rule.dry_run else ""
                yield f"  {rule.name}  ({rule.origin}){trial}"
    yield from ("", "protected paths")
    for entry in policy.protections.entries:
        yield f"  {entry.effect:<4}  {entry.access:<5}  {entry.pattern.text}  {entry.id}  ({entry.origin})"
    yield from ("", "safe tools", f"  {', '.join(dict.fromkeys(safe.tool.text for safe in policy.safe_tools))}")


def _difference(one: Difference) -> JSON:
    return {
        "change": one.change,
        "kind": one.kind,
        "name": one.name,
        "before": one.before,
        "after": one.after,
        "source": one.source,
    }


def _told(one: Difference) -> Iterator[str]:
    place = f"  ({one.source})" if one.source else ""
    yield f"{_SIGNS[one.change]} {one.kind} {one.name}".rstrip() + place
    for sign, side in (("-", one.before), ("+", one.after)):
        if side not in (None, {}):
            yield f"    {sign} {json.dumps(side, ensure_ascii=False)}"


def _versions(before: Policy, after: Policy) -> str:
    if before.version == after.version:
        return f"both are {after.version}"
    return f"{before.version} -> {after.version}"
