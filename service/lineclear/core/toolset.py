"""The tools of a call: which it may use at all, and the reason for each that is left out.

Filters only narrow: the names that only imitate, the policy's lists for agents in three layers, coordinators, and the
caller's own ``allowed_tools``: names, kinds, globs, and ``Tool(x)`` for the calls of a tool that such a rule allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.rules.selectors import Selector
from lineclear.core.settle import speaks_of
from lineclear.core.tools import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.core.tools import Tool


def left_out(policy: Policy, facts: Facts) -> str | None:
    """Why the tool isn't in the call's effective tool set, for people; None where it is."""
    tool, agent = facts.tool, facts.call.agent
    if tool.imitates is not None:
        return f"`{tool.name}` only resembles the tool `{tool.imitates}`"
    if (reason := _not_asked_for(policy, facts)) is not None:
        return reason
    lists = policy.agents
    if agent.type is not None and agent.type in lists.coordinator_types:
        return None if _any_holds(lists.coordinator_tools, tool) else f"coordinators don't have `{tool.name}`"
    if agent.main or tool.source is Source.MCP:
        return None
    if _any_holds(lists.deny_all, tool):
        return f"no sub-agent has `{tool.name}`"
    if _any_holds(lists.deny.get(agent.type or "", ()), tool):
        return f"agents of type `{agent.type}` don't have `{tool.name}`"
    if agent.is_async and lists.async_allow is not None and not _any_holds(lists.async_allow, tool):
        return f"`{tool.name}` isn't on the list for asynchronous agents"
    return None


def _not_asked_for(policy: Policy, facts: Facts) -> str | None:
    allowed, tool = facts.call.allowed_tools, facts.tool
    if allowed is None or tool.name in allowed:
        return None
    plain = (text for text in allowed if "(" not in text)
    if any(Selector.named(text, policy.catalogue).holds(tool, strict=False) for text in plain):
        return None
    narrow = tuple(text for text in allowed if "(" in text)
    if narrow and (rules := policy.narrowing(narrow)) is not None and speaks_of(rules, policy, facts):
        return None
    return f"`{tool.name}` isn't among the call's `allowed_tools`" + (", or not for such a call" if narrow else "")


def _any_holds(selectors: Iterable[Selector], tool: Tool) -> bool:
    return any(selector.holds(tool, strict=False) for selector in selectors)
