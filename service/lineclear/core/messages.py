"""What a person typed, and nothing else: out of messages of many shapes, by an allow-list.

Of messages with the role ``user``, text blocks count, less what a host wrote into them; an image or a document that
the person attached leaves a marker. Whatever isn't listed (tool results, other roles, shapes that nobody knows) is
dropped, so that no file, page or assistant can speak with the user's voice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON

ATTACHED = {"image": "[image]", "document": "[document]"}
"""Blocks of which only the fact is kept that a person attached them."""

_INSERTED = (
    "system-reminder",
    "user-prompt-submit-hook",
    "session-start-hook",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-caveat",
    "local-command-stdout",
    "local-command-stderr",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "task-notification",
    "teammate-message",
    "environment_context",
    "environment_details",
    "user_instructions",
    "turn_aborted",
    "file_content",
    "folder_content",
    "url_content",
    "explicit_skills",
)
"""Elements that hosts write into a user's message: reminders, expansions, context of hooks and editors."""
_TAG = re.compile(rf"<\s{{0,8}}(?P<close>/?)\s{{0,8}}(?:{'|'.join(_INSERTED)})(?:\s[^<>]*)?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """One message of a person.

    ``doubtful`` says that the text stood between two insertions of a host, whose content may have forged the end of
    its own: it may forbid, and can't permit. ``answer`` says that it answers a question of the host's own tool, as
    the host vouches.
    """

    text: str
    doubtful: bool = False
    answer: bool = False


def typed(messages: JSON) -> tuple[UserMessage, ...]:
    """What a person typed in a list of messages of the Messages API's shapes, in order; total for any JSON value."""
    if not isinstance(messages, list | tuple):
        return ()
    return tuple(message for value in messages for message in _typed(value))


def _typed(message: JSON) -> Iterator[UserMessage]:
    if not isinstance(message, Mapping) or message.get("role") != "user":
        return
    content, answer = message.get("content"), message.get("host_answer") is True
    blocks = content if isinstance(content, list | tuple) else ({"type": "text", "text": content},)
    for block in blocks:
        if not isinstance(block, Mapping):
            continue
        kind, text = block.get("type"), block.get("text")
        if kind == "text" and isinstance(text, str):
            yield from (replace(words, answer=answer) for words in _own_words(text))
        elif isinstance(kind, str) and kind in ATTACHED:
            yield UserMessage(ATTACHED[kind])


def _own_words(text: str) -> Iterator[UserMessage]:
    """The stretches of a text that stand outside of a host's insertions."""
    tags = list(_TAG.finditer(text))
    if not tags:
        yield from _unless_blank(text)
        return
    yield from _unless_blank(text[: tags[0].start()]) if not tags[0]["close"] else ()
    depth = 0
    for tag, following in pairwise(tags):
        depth = max(0, depth - 1) if tag["close"] else depth + 1
        if depth == 0:
            yield from _unless_blank(text[tag.end() : following.start()], doubtful=True)
    if tags[-1]["close"]:
        yield from _unless_blank(text[tags[-1].end() :])


def _unless_blank(text: str, *, doubtful: bool = False) -> Iterator[UserMessage]:
    if stripped := text.strip():
        yield UserMessage(stripped, doubtful)
