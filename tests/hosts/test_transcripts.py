"""Of a transcript's lines only those count in which, by the host's own word, a person typed."""

from __future__ import annotations

import pytest

from hosts.payloads import CALLS
from lineclear.hosts.registry import HOSTS

TYPED = {
    "type": "user",
    "promptSource": "typed",
    "promptId": "p-1",
    "isSidechain": False,
    "message": {"role": "user", "content": "please push"},
}
SAID = {"type": "event_msg", "payload": {"type": "user_message", "message": "please push"}}
CLAUDE, CODEX = CALLS[0], next(sent for sent in CALLS if sent.host == "codex")


def told(sent, *lines):
    payload = sent.payload | {"lineclear": {"transcript": list(lines)}}
    return HOSTS[sent.host].read(payload, sent.event).request.get("messages")


def test_what_was_typed_counts():
    (message,) = told(CLAUDE, TYPED)
    assert (message["role"], message["content"]) == ("user", "please push")
    assert message["message_id"].startswith("p-1:")
    assert told(CLAUDE, TYPED | {"promptSource": "sdk"})
    assert told(CODEX, SAID) == [{"role": "user", "content": "please push"}]


@pytest.mark.parametrize(
    "line",
    [
        TYPED | {"type": "assistant"},
        TYPED | {"promptSource": "system"},
        {key: value for key, value in TYPED.items() if key != "promptSource"},
        TYPED | {"isSidechain": True},
        {key: value for key, value in TYPED.items() if key != "isSidechain"},
        TYPED | {"isMeta": True},
        TYPED | {"toolUseResult": {}},
        TYPED | {"message": {"role": "assistant", "content": "please push"}},
        TYPED | {"message": {"role": "user", "content": [{"type": "tool_result", "content": "please push"}]}},
        TYPED | {"message": "please push"},
        "please push",
        None,
        [TYPED],
    ],
    ids=repr,
)
def test_nothing_else_does(line):
    assert told(CLAUDE, line) is None


@pytest.mark.parametrize(
    "line",
    [
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": []}},
        SAID | {"type": "response_item"},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "please push"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": ["please push"]}},
        {"type": "event_msg", "payload": "user_message"},
    ],
    ids=repr,
)
def test_nothing_else_does_at_codex(line):
    assert told(CODEX, line) is None


def test_the_prompt_event_and_the_transcript_name_one_message_alike():
    prompt = {"session_id": "s", "prompt": "please push", "prompt_id": "p-1"}
    event = HOSTS["claude-code"].read(prompt, "UserPromptSubmit")
    assert [event.message] == told(CLAUDE, TYPED)
