"""Claude Code: command and HTTP hooks; an ask is shown to the person, an allow skips the host's own question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.hosts import familiar, transcripts
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import familiar as answered
from lineclear.hosts.events import Call, Other
from lineclear.hosts.host import Host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.events import Event
    from lineclear.hosts.host import Reply
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="claude-code",
    title="Claude Code",
    events={
        "PreToolUse": Moment.CALL,
        "PermissionRequest": Moment.PERMISSION,
        "UserPromptSubmit": Moment.PROMPT,
        "PostToolUse": Moment.RESULT,
        "PostToolUseFailure": Moment.FAILURE,
        "SessionStart": Moment.START,
        "SessionEnd": Moment.END,
    },
    gate="PreToolUse",
    can_ask=True,
    never_asks_in=frozenset({"dontAsk"}),
    allow_means=AllowMeans.SKIPS_PROMPT,
    on_failure=OnFailure.OPEN,
    block_setting="onFailure",
    deadline_s=30,
    unique_ids=True,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("2.1.332", "2026-11-29", Basis.RAN),
    speaks_http=True,
    program="claude",
    blocks_since=(2, 1, 295),
    switch=(("disableAllHooks",), True),
)


_PERSONS = frozenset({"user", "sdk"})
"""Where a prompt that a person wrote comes from. Others are the program's own, and what the model had put off."""


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload; a main agent's call brings what the person typed according to the transcript."""
    if ABILITIES.events.get(event) is Moment.PROMPT and payload.get("source", "user") not in _PERSONS:
        return Other(event)
    found = familiar.read(ABILITIES, payload, event, prompt_id="prompt_id", question_tool="AskUserQuestion")
    if isinstance(found, Call) and (typed := transcripts.typed(payload, transcripts.claude_code)):
        return replace(found, request={**found.request, "messages": typed})
    return found


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads."""
    return answered(ABILITIES, event, ruling)


HOST = Host(ABILITIES, read, answer, familiar.event_of)
