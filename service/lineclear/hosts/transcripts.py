"""What a person typed, by an allow-list of what a host's transcript says of a line; total for any JSON value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lineclear.hosts.familiar import message
from lineclear.hosts.payload import SHIM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lineclear.core.call import JSON


def typed(payload: Mapping[str, JSON], read: Callable[[Mapping[str, JSON]], dict[str, JSON] | None]) -> list[JSON]:
    """The messages among the lines that the shim sent along."""
    shim = payload.get(SHIM)
    lines = shim.get("transcript") if isinstance(shim, Mapping) else None
    return list(_messages(lines, read)) if isinstance(lines, list) else []


def _messages(
    lines: list[JSON], read: Callable[[Mapping[str, JSON]], dict[str, JSON] | None]
) -> Iterator[dict[str, JSON]]:
    for line in lines:
        if isinstance(line, Mapping) and (found := read(line)) is not None:
            yield found


def claude_code(line: Mapping[str, JSON]) -> dict[str, JSON] | None:
    """A prompt that was typed, or given to the SDK: not a tool's result, a summary, a reminder, or another agent's."""
    by_person = line.get("type") == "user" and line.get("promptSource") in {"typed", "sdk"}
    if not by_person or line.get("isSidechain") is not False or line.get("isMeta") or "toolUseResult" in line:
        return None
    said, prompt_id = line.get("message"), line.get("promptId")
    if not isinstance(said, Mapping) or said.get("role") != "user" or not isinstance(said.get("content"), str):
        return None
    return message(str(said["content"]), prompt_id if isinstance(prompt_id, str) else None)


def codex(line: Mapping[str, JSON]) -> dict[str, JSON] | None:
    """A prompt as Codex records it beside what it sends to the model."""
    event = line.get("payload")
    if line.get("type") != "event_msg" or not isinstance(event, Mapping) or event.get("type") != "user_message":
        return None
    said = event.get("message")
    return message(said, None) if isinstance(said, str) else None
