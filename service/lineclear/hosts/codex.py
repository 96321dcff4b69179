"""Codex CLI: command hooks; it can't be made to ask, and takes an allow only where it was about to ask itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.hosts import familiar, transcripts
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE
from lineclear.hosts.decisions import familiar as answered
from lineclear.hosts.events import Call
from lineclear.hosts.host import Host
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.events import Event
    from lineclear.hosts.host import Reply
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="codex",
    title="Codex CLI",
    events={
        "PreToolUse": Moment.CALL,
        "PermissionRequest": Moment.PERMISSION,
        "UserPromptSubmit": Moment.PROMPT,
        "PostToolUse": Moment.RESULT,
        "SessionStart": Moment.START,
        "SessionEnd": Moment.END,
    },
    gate="PreToolUse",
    can_ask=False,
    allow_means=AllowMeans.ABSTAINS,
    on_failure=OnFailure.OPEN,
    block_setting=None,
    deadline_s=30,
    unique_ids=True,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("0.171.0", "2026-11-29", Basis.RAN),
    program="codex",
)


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload; a call brings what the person typed according to the transcript."""
    found = familiar.read(ABILITIES, payload, event, prompt_id="turn_id")
    if isinstance(found, Call) and (typed := transcripts.typed(payload, transcripts.codex)):
        return replace(found, request={**found.request, "messages": typed})
    return found


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads. A bare allow before a tool is an error to it, after which it goes on."""
    if ruling.say is Say.ALLOW and ABILITIES.events.get(event) is Moment.CALL:
        return SILENCE
    return answered(ABILITIES, event, ruling)


HOST = Host(ABILITIES, read, answer, familiar.event_of)
