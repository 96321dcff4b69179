"""Two versions of a policy, told apart: rule by rule, and of the other sections entry by entry."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lineclear.core.policy import SafeTool
from lineclear.policyfiles.version import canonical, described, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON
    from lineclear.core.policy import Policy
    from lineclear.core.rules.rule import Rule
    from lineclear.core.shell.program import Program
    from lineclear.policyfiles.compiling import Compiled

SECTIONS = (
    "modes", "workspace", "agents", "headless", "enforce", "guidance", "breaker", "question_ttl_s", "trust_host",
    "safe_tools", "sections",
)  # fmt: skip
"""Fields of a policy beside its rules and protected paths."""
_WRITTEN = {"enforce": "enforcement", "guidance": "classifier"}
"""Those whose name in a file is another."""


class Change(StrEnum):
    """What became of an entry."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """One entry that isn't the same; ``before`` and ``after`` are what of it differs."""

    change: Change
    kind: str
    name: str
    before: JSON
    after: JSON
    source: str | None = None


def differences(old: Policy, new: Policy) -> list[Difference]:
    """All that differs between two policies. Where rules stand and in which order doesn't count."""
    found = list(_of_entries("rule", _rules(old), _rules(new), _places(new.rules.rules, "name")))
    found += _of_entries("protected path", _protections(old), _protections(new), _places(new.protections.entries, "id"))
    for name in SECTIONS:
        before, after = _entries(_section(old, name)), _entries(_section(new, name))
        found += _of_entries(f"`{_WRITTEN.get(name, name)}`", before, after, {})
    found += _of_programs(old.programs.by_name, new.programs.by_name)
    if not found and old.version != new.version:
        found.append(Difference(Change.CHANGED, "description", "catalogues, tools or prompts", None, None))
    return found


def changed_rules(old: Compiled, new: Compiled) -> tuple[Rule, ...] | None:
    """The rules that only one of two policies has, or None where more differs than rules: whatever decides counts."""
    before, after = old.policy, new.policy
    if _described(old) != _described(new) or plain(before.protections.entries) != plain(after.protections.entries):
        return None
    if any(plain(getattr(before, name)) != plain(getattr(after, name)) for name in SECTIONS):
        return None
    sides = [{_as_text(rule): rule for rule in policy.rules.rules} for policy in (before, after)]
    return tuple(side[key] for side, other in (sides, sides[::-1]) for key in side.keys() - other.keys())


def _described(compiled: Compiled) -> JSON:
    """What a policy's files say of tools, programs and data; what is built in is taken to be the same."""
    written = [source.entries.get(key) for source in compiled.sources for key in ("programs", "tools")]
    own = described(node.plain() for node in written if node is not None)
    return plain({"own": own, "data": compiled.vocabulary.data})


def _as_text(rule: Rule) -> str:
    return canonical({"rule": rule})


def _of_entries(
    kind: str, before: Mapping[str, JSON], after: Mapping[str, JSON], places: Mapping[str, str]
) -> Iterator[Difference]:
    for name in sorted({*before, *after}):
        if name not in after:
            yield Difference(Change.REMOVED, kind, name, before[name], None)
        elif name not in before:
            yield Difference(Change.ADDED, kind, name, None, after[name], places.get(name))
        elif before[name] != after[name]:
            old, new = _differing(before[name], after[name])
            yield Difference(Change.CHANGED, kind, name, old, new, places.get(name))


def _differing(before: JSON, after: JSON) -> tuple[JSON, JSON]:
    """Of two mappings only what differs, of two lists what only one of them holds."""
    if isinstance(before, list) and isinstance(after, list):
        return [one for one in before if one not in after], [one for one in after if one not in before]
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return before, after
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    pairs = {key: _differing(before.get(key), after.get(key)) for key in keys}
    return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}


def _rules(policy: Policy) -> dict[str, JSON]:
    return {rule.name: _said(plain(rule)) for rule in policy.rules.rules}


def _protections(policy: Policy) -> dict[str, JSON]:
    return {entry.id: _said(plain(entry)) for entry in policy.protections.entries}


def _places(entries: Any, name: str) -> dict[str, str]:
    return {getattr(entry, name): str(entry.origin) for entry in entries}


def _said(entry: JSON) -> dict[str, JSON]:
    """An entry without what it leaves open."""
    assert isinstance(entry, Mapping)
    told = {key: _brief(value) for key, value in entry.items() if key != "id"}
    return {key: value for key, value in told.items() if value not in (None, [], {}, False)}


def _brief(value: JSON) -> JSON:
    """A value as it was written, as far as it is known: what was made of a text is that text."""
    if isinstance(value, list):
        return [_brief(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    if isinstance(text := value.get("text"), str):
        return text
    return {key: _brief(one) for key, one in value.items() if one is not None}


def _of_programs(before: Mapping[str, Program], after: Mapping[str, Program]) -> Iterator[Difference]:
    """The programs that are described otherwise, by name; how is a page of its own."""
    for name in sorted(name for name, one in {**before, **after}.items() if name == one.name):
        if name not in after:
            yield Difference(Change.REMOVED, "program", name, None, None)
        elif name not in before:
            yield Difference(Change.ADDED, "program", name, None, None)
        elif before[name] != after[name]:
            yield Difference(Change.CHANGED, "program", name, None, None)


def _section(policy: Policy, name: str) -> Any:
    if name == "enforce":
        return "enforce" if policy.enforce else "observe"
    return getattr(policy, name)


def _safe(tool: SafeTool) -> str:
    """A safe tool by its name, and for which agents it is one."""
    if tool.agent is None:
        return tool.tool.text
    return f"{tool.tool.text} for {canonical(dict(_said(plain(tool.agent))))}"


def _entries(section: Any) -> dict[str, JSON]:
    """A section as named entries: its fields, and of lists with ids each by its own."""
    fields: Mapping[str, Any]
    if dataclasses.is_dataclass(section) and not isinstance(section, type):
        fields = {field.name: getattr(section, field.name) for field in dataclasses.fields(section)}
    else:
        fields = section if isinstance(section, Mapping) else {"": section}
    found: dict[str, JSON] = {}
    for name, value in fields.items():
        if isinstance(value, tuple) and value and all(hasattr(one, "id") for one in value):
            found |= {f"{name}: {one.id}": _said(plain(one)) for one in value}
        elif isinstance(value, tuple) and value and all(isinstance(one, SafeTool) for one in value):
            found |= {_safe(one): {} for one in value}
        else:
            found[name] = plain(value)
    return found
