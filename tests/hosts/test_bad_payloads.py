"""A payload of another version, or of none: an `Unreadable` that says why, never anything else, never a quote."""

from __future__ import annotations

from itertools import permutations
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hosts.payloads import CALLS
from lineclear.hosts.events import Call, Other, Unreadable
from lineclear.hosts.registry import HOSTS

json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(sorted({key for sent in CALLS for key in sent.payload} | {"lineclear", "prompt"}))
payloads = st.dictionaries(keys, json)


def outcome(host, payload, event):
    """The event, or why there is none."""
    try:
        return host.read(payload, event)
    except Unreadable as error:
        return str(error)


@pytest.mark.parametrize("sent", CALLS, ids=lambda sent: sent.id)
def test_each_field_missing_or_of_another_type(sent):
    host = HOSTS[sent.host]
    for key in sent.payload:
        for value in ({}, 7, [], None):
            found = outcome(host, sent.payload | {key: value}, sent.event)
            assert isinstance(found, Call) or key in found or "payload" in found


@pytest.mark.parametrize("sent", CALLS, ids=lambda sent: sent.id)
def test_fields_that_are_new_are_ignored(sent):
    host = HOSTS[sent.host]
    assert host.read(sent.payload | {"from_the_future": [1]}, sent.event).request == sent.request


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
@given(payload=payloads)
def test_reading_is_total(host, payload):
    for event in host.abilities.events:
        assert outcome(host, payload, event)


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_an_event_that_is_not_known_is_none_of_ours(host):
    assert host.read({}, "SomethingNew") == Other("SomethingNew")


def test_input_that_is_no_object_is_judged_all_the_same():
    payload = CALLS[0].payload | {"tool_input": "rm -rf /"}
    assert HOSTS["claude-code"].read(payload, "PreToolUse").request["tool_input"] == {"input": "rm -rf /"}


def _kiro(given):
    return {"hook_event_name": "preToolUse", "cwd": "/work/repo", "tool_name": "fs_read", "tool_input": given}


def _copilot(given):
    return {"sessionId": "s", "cwd": "/work/repo", "toolName": "view", "toolArgs": dumps(given)}


def _cursor(given):
    shell = {"tool_name": "Shell", "tool_input": {"command": "ls"} | given}
    return {"hook_event_name": "preToolUse", "conversation_id": "s", "workspace_roots": ["/work/repo"]} | shell


NAMES = {
    "kiro": (_kiro, "preToolUse", ("path", "file_path")),
    "copilot-cli": (_copilot, "preToolUse", ("path", "filePath", "file_path")),
    "cursor": (_cursor, "preToolUse", ("cwd", "working_directory")),
}
PAIRS = [(host, *pair) for host, (_, _, names) in NAMES.items() for pair in permutations(names, 2)]


@pytest.mark.parametrize(("host", "first", "second"), PAIRS)
def test_of_two_names_of_one_argument_neither_hides_the_other(host, first, second):
    made, event, _ = NAMES[host]
    found = outcome(HOSTS[host], made({first: "/home/dev/.ssh/id_rsa", second: "a"}), event)
    assert found.endswith("is said twice, in different words")


@pytest.mark.parametrize(("host", "first", "second"), PAIRS)
def test_two_names_that_say_the_same_are_one(host, first, second):
    made, event, _ = NAMES[host]
    found = outcome(HOSTS[host], made({first: "/work/a", second: "/work/a"}), event).request
    assert "/work/a" in {found["cwd"], found["tool_input"].get("file_path")}
