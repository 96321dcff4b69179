"""The requests that both clients make, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from lineclear.client.http import within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Outcome = Literal["executed", "failed", "unknown", "approved", "rejected"]
Asked = tuple[str, str, Any]
"""Method, path and body."""


def decide(session_id: str, tool_name: str, tool_input: Mapping[str, Any], more: Mapping[str, Any]) -> Asked:
    """Ask about one call."""
    call = {"session_id": session_id, "tool_name": tool_name, "tool_input": tool_input}
    return "POST", "/v1/decisions", {**more, **call}


def report(decision_id: str, outcome: Outcome) -> Asked:
    """Say what became of a call, or what its person answered."""
    return "POST", within("/v1/decisions/{}/outcome", decision_id), {"outcome": outcome}


def say(session_id: str, messages: Sequence[str | Mapping[str, Any]]) -> Asked:
    """Say what the user typed."""
    said = [{"role": "user", "content": one} if isinstance(one, str) else one for one in messages]
    return "POST", within("/v1/sessions/{}/messages", session_id), {"messages": said}
