"""The payload that several hosts share, since Claude Code had it first: snake case, one object, `hook_event_name`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from lineclear.hosts.abilities import Moment
from lineclear.hosts.events import Call, Ended, Event, Other, Prompt, Result
from lineclear.hosts.payload import arguments, maybe, request, sub_agent, text
from lineclear.hosts.questions import answers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.abilities import Abilities


def event_of(payload: Mapping[str, JSON]) -> str | None:
    """The event's name as the payload says it."""
    return maybe(payload, "hook_event_name")


def read(
    abilities: Abilities,
    payload: Mapping[str, JSON],
    event: str,
    *,
    prompt_id: str = "",
    question_tool: str | None = None,
    session: str = "session_id",
) -> Event:
    """The event of a payload.

    ``prompt_id`` is the key of a prompt's own id, ``question_tool`` the host's tool by which a model asks the person,
    ``session`` the key of the session. Raises ``Unreadable``.
    """
    match abilities.events.get(event):
        case Moment.CALL:
            return Call(event, _request(abilities, payload, session))
        case Moment.PERMISSION:
            return Call(event, _request(abilities, payload, session), prompting=True)
        case Moment.PROMPT if maybe(payload, "agent_id") is None:
            return Prompt(event, text(payload, session), message(text(payload, "prompt"), maybe(payload, prompt_id)))
        case Moment.RESULT | Moment.FAILURE as moment:
            asked = moment is Moment.RESULT and payload.get("tool_name") == question_tool
            return Result(
                event,
                _request(abilities, payload, session),
                failed=moment is Moment.FAILURE,
                answered=answers(payload.get("tool_response")) if asked else None,
            )
        case Moment.END:
            return Ended(event, text(payload, session))
        case _:
            return Other(event)


def message(typed: str, message_id: str | None) -> dict[str, JSON]:
    """What a person typed, as a message.

    What hosts call a prompt's or a turn's id may cover several messages, of which none must get lost: so the id here
    names the words too.
    """
    made: dict[str, JSON] = {"role": "user", "content": typed}
    if message_id is None:
        return made
    return made | {
        "message_id": f"{message_id[:128]}:{sha256(typed.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
    }


def _request(abilities: Abilities, payload: Mapping[str, JSON], session: str) -> dict[str, JSON]:
    return request(
        payload,
        abilities.name,
        session_id=text(payload, session),
        tool_name=text(payload, "tool_name"),
        tool_input=arguments(payload, "tool_input"),
        tool_use_id=maybe(payload, "tool_use_id") if abilities.unique_ids else None,
        mode=maybe(payload, "permission_mode"),
        cwd=maybe(payload, "cwd"),
        agent=sub_agent(maybe(payload, "agent_type"), maybe(payload, "agent_id")),
    )
