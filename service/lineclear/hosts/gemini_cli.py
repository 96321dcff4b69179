"""Gemini CLI: command hooks; calls have no ids, and an ask, which its documentation doesn't know, can hang it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent, told
from lineclear.hosts.events import Other
from lineclear.hosts.host import Host, Reply
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.events import Event
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="gemini-cli",
    title="Gemini CLI",
    events={
        "BeforeTool": Moment.CALL,
        "BeforeAgent": Moment.PROMPT,
        "AfterTool": Moment.RESULT,
        "SessionStart": Moment.START,
        "SessionEnd": Moment.END,
    },
    gate="BeforeTool",
    can_ask=False,
    allow_means=AllowMeans.ABSTAINS,
    on_failure=OnFailure.OPEN,
    block_setting=None,
    deadline_s=30,
    unique_ids=False,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("0.61.0", "2026-11-29", Basis.RAN),
    program="gemini",
    switch=(("hooksConfig", "enabled"), False),
)


_REFERENCED = "--- Content from referenced files ---"
"""What it writes behind a prompt that names files by ``@``, before what they hold."""


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload. Of a prompt, what stands before the files that it names: those no person typed."""
    prompt = payload.get("prompt")
    if isinstance(prompt, str) and _REFERENCED in prompt:
        typed = prompt.partition(_REFERENCED)[0].rstrip()
        if not typed:
            return Other(event)
        payload = {**payload, "prompt": typed}
    return familiar.read(ABILITIES, payload, event, prompt_id="timestamp")


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads; it takes an allow for what it does anyway."""
    if silent(ABILITIES, event, ruling) or ruling.say is not Say.DENY:
        return SILENCE
    return Reply({"decision": "deny", "reason": told(ruling)})


HOST = Host(ABILITIES, read, answer, familiar.event_of)
