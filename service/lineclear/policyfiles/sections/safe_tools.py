"""``safe_tools``: tools that need no approval. One that acts outside of the conversation is never among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.policy import SafeTool
from lineclear.core.tools import Kind
from lineclear.policyfiles import matchers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.tools import Tool
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Fault, Problems
    from lineclear.policyfiles.sources import Source
    from lineclear.policyfiles.vocabulary import Vocabulary

_QUIET = frozenset({Kind.READ, Kind.SEARCH, Kind.CONTROL, Kind.SESSION})
_WHY = {
    Kind.SHELL: "executes",
    Kind.EDIT: "writes files",
    Kind.FETCH: "fetches",
    Kind.WEB_SEARCH: "sends what it searches for",
    Kind.AGENT: "delegates",
    Kind.SKILL: "delegates",
    Kind.DEVICE: "drives a device",
}


def safe_tools(sources: Sequence[Source], vocabulary: Vocabulary, problems: Problems) -> tuple[SafeTool, ...]:
    """The safe tools of all layers, added."""
    found = []
    for source in sources:
        if (section := source.entries.get("safe_tools")) is None:
            continue
        with problems.of(source.file):
            for node in section.items("`safe_tools`"):
                with problems.of(source.file):
                    found.extend(_entry(node, vocabulary))
    return tuple(found)


def _entry(node: Node, vocabulary: Vocabulary) -> list[SafeTool]:
    agent = None
    tool = node
    if not isinstance(node.value, str):
        entries = node.mapping(("tool", "agent"), "an entry of `safe_tools`")
        if "tool" not in entries:
            raise node.fault("an entry of `safe_tools` needs its `tool`")
        tool = entries["tool"]
        agent = matchers.agent(entries["agent"]) if "agent" in entries else None
    selectors = matchers.tool(tool, vocabulary, "`safe_tools`", strict=True)
    meant = vocabulary.meant(selectors)
    if not meant:
        raise tool.fault(f"`{tool.plain()}` can't be safe: nobody says what it does; say it in `tools.overrides`")
    for one in meant:
        if (fault := _fault(one, tool)) is not None:
            raise fault
    return [SafeTool(selector, agent) for selector in selectors]


def _fault(tool: Tool, node: Node) -> Fault | None:
    if tool.kind in _QUIET or (tool.kind is Kind.OTHER and tool.flags.read_only and not tool.flags.open_world):
        return None
    why = _WHY.get(tool.kind, "isn't known to only read here")
    return node.fault(f"`{tool.name}` can't be on the safe list: it {why}; write an allow rule instead")
