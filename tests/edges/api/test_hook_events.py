"""What a hook's request is about: a call that a host has renamed is a call still, and is judged."""

from __future__ import annotations

import pytest

from hosts.payloads import CALLS
from lineclear.api.hook_replies import event_name
from lineclear.hosts.registry import HOSTS

NAMES = ("hook_event_name", "agent_action_name", "hookName", "event")


def named(host: str, payload: dict | None, address: str = "") -> str:
    return event_name(HOSTS[host], {"query_string": address.encode()}, payload)


def renamed(payload: dict, event: object) -> dict:
    return {key: event if key in NAMES else value for key, value in payload.items()}


def gates(host: str, event: str) -> bool:
    moment = HOSTS[host].abilities.events.get(event)
    return moment is not None and moment.gates


@pytest.mark.parametrize("event", ["BeforeToolUse2", "", None, 7, ["x"]], ids=repr)
@pytest.mark.parametrize("sent", CALLS, ids=lambda sent: sent.id)
def test_a_renamed_event_with_a_call_in_it_gates(sent, event):
    payload = renamed(sent.payload, event)
    assert named(sent.host, payload, f"event={sent.event}") == sent.event
    assert gates(sent.host, named(sent.host, payload))


@pytest.mark.parametrize("host", HOSTS)
def test_at_the_address_of_a_gate_nothing_passes_for_another_event(host):
    abilities = HOSTS[host].abilities
    for name in NAMES:
        for event in (*abilities.events, "SomethingNew"):
            assert gates(host, named(host, {name: event}, f"event={abilities.gate}"))


@pytest.mark.parametrize(
    ("payload", "address", "expected"),
    [
        ({"hook_event_name": "Stop"}, "", "Stop"),
        ({"hook_event_name": "PostToolUse", "tool_name": "Bash"}, "", "PostToolUse"),
        ({"hook_event_name": "PostToolUse", "tool_name": "Bash"}, "event=PostToolUse", "PostToolUse"),
        ({"hook_event_name": "PreToolUse", "tool_name": "Bash"}, "event=PostToolUse", "PreToolUse"),
        ({"hook_event_name": "Prompted", "prompt": "x"}, "event=UserPromptSubmit", "UserPromptSubmit"),
        ({"session_id": "s"}, "", "PreToolUse"),
        ({}, "event=nonsense", "PreToolUse"),
        (None, "event=PermissionRequest", "PermissionRequest"),
        (None, "event=%ff&event=", "PreToolUse"),
    ],
)
def test_which_event(payload, address, expected):
    assert named("claude-code", payload, address) == expected
