"""OpenCode: a plugin of ours posts what its hooks get, and throws where the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent, told
from lineclear.hosts.events import Call, Event, Other, Prompt, Result
from lineclear.hosts.host import Host, Reply
from lineclear.hosts.payload import arguments, maybe, request, sub_agent, text
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="opencode",
    title="OpenCode",
    events={
        "tool.execute.before": Moment.CALL,
        "tool.execute.after": Moment.RESULT,
        "chat.message": Moment.PROMPT,
    },
    gate="tool.execute.before",
    can_ask=False,
    allow_means=AllowMeans.ABSTAINS,
    on_failure=OnFailure.CLOSED,
    block_setting=None,
    deadline_s=30,
    unique_ids=True,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("1.18.33", "2026-11-29", Basis.RAN),
    speaks_http=True,
    program="opencode",
)


def event_of(payload: Mapping[str, JSON]) -> str | None:
    """The event's name as the plugin says it."""
    return maybe(payload, "event")


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload: what the plugin's hook was given, by the host's own names."""
    match ABILITIES.events.get(event):
        case Moment.CALL:
            return Call(event, _request(payload))
        case Moment.RESULT:
            return Result(event, _request(payload))
        case Moment.PROMPT if maybe(payload, "agentID") is None:
            typed = familiar.message(text(payload, "text"), maybe(payload, "messageID"))
            return Prompt(event, text(payload, "sessionID"), typed)
        case _:
            return Other(event)


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the plugin reads; it throws the reason of a denial."""
    if silent(ABILITIES, event, ruling) or ruling.say is not Say.DENY:
        return SILENCE
    return Reply({"deny": told(ruling)})


def _request(payload: Mapping[str, JSON]) -> dict[str, JSON]:
    return request(
        payload,
        ABILITIES.name,
        session_id=text(payload, "sessionID"),
        tool_name=text(payload, "tool"),
        tool_input=arguments(payload, "args"),
        tool_use_id=maybe(payload, "callID"),
        cwd=maybe(payload, "directory"),
        agent=sub_agent(None, maybe(payload, "agentID")),
    )


HOST = Host(ABILITIES, read, answer, event_of)
