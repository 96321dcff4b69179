"""``agents``: which tools agents of a type have at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.policy import AgentTools
from lineclear.policyfiles import matchers
from lineclear.policyfiles.layered import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.rules.selectors import Selector
    from lineclear.policyfiles.layered import Setting
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source
    from lineclear.policyfiles.vocabulary import Vocabulary


def agents(sources: Sequence[Source], vocabulary: Vocabulary, problems: Problems) -> AgentTools:
    """The tool filters of all layers."""
    settings = merged(sources, "agents", ("deny_all", "deny", "async_allow", "coordinators"), problems)
    found: dict[str, object] = {}
    for key, setting in settings.items():
        with problems.of(setting.source.file):
            found |= _value(key, setting, vocabulary)
    return AgentTools(**found)  # type: ignore[arg-type]  # each key was checked into its type


def _value(key: str, setting: Setting, vocabulary: Vocabulary) -> dict[str, object]:
    node = setting.node
    match key:
        case "deny_all":
            return {"deny_all": _tools(node, vocabulary, "`deny_all`")}
        case "async_allow":
            return {"async_allow": _tools(node, vocabulary, "`async_allow`")}
        case "deny":
            entries = node.entries("`agents.deny`")
            return {"deny": {type_: _tools(tools, vocabulary, f"`deny.{type_}`") for type_, tools in entries.items()}}
    entries = node.mapping(("types", "tools"), "`coordinators`")
    if set(entries) != {"types", "tools"}:
        raise node.fault("`coordinators` needs both `types` and `tools`")
    types = frozenset(text for text, _ in entries["types"].texts("`types`"))
    return {"coordinator_types": types, "coordinator_tools": _tools(entries["tools"], vocabulary, "`tools`")}


def _tools(node: Node, vocabulary: Vocabulary, what: str) -> tuple[Selector, ...]:
    return tuple(
        selector for item in node.items(what) for selector in matchers.tool(item, vocabulary, what, strict=False)
    )
