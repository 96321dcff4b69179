"""Whether a redaction hides what takes effect; such a call can be blocked by a model, and never allowed.

What looks like a secret is the agent's own text: a script may stand between the lines of a key, an order to a sub-agent
behind `passphrase:`. So only one plain word hides nothing but itself, and that only where no path is made of it; in a
command, only as the value of one header or of one option.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.pointers import steps, values_at
from lineclear.core.redact import redact
from lineclear.core.tools import Source, Use

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import JSON
    from lineclear.core.effects import Command
    from lineclear.core.facts import Facts
    from lineclear.core.redact import Mark

_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_ASSIGNED = re.compile(r"--?[A-Za-z][\w-]*=")


def conceals(facts: Facts, original: JSON, redacted: JSON, marks: Sequence[Mark]) -> bool:
    """Whether what was redacted in a call's arguments could hide something that takes effect."""
    if any(mark.pointer.endswith("#") or not mark.word for mark in marks):
        return True
    if marks and any(redact(touch.spelled)[1] for touch in facts.effects.touches):
        return True
    if facts.tool.source is not Source.BUILTIN:
        return any(_is_part(mark, redacted) for mark in marks)
    pointers = [argument.pointer for argument in facts.tool.arguments if argument.use is Use.COMMAND]
    inside = [mark for mark in marks if any(_beneath(mark.pointer, pointer) for pointer in pointers)]
    if not inside:
        return False
    return len(inside) > 1 or facts.effects.doubt is not None or not _is_a_value(facts, original, redacted, inside[0])


def _is_part(mark: Mark, redacted: JSON) -> bool:
    """Whether the redaction covers only a part of a text: then the rest was written around it."""
    return any(not isinstance(text, str) or mark.length != len(text) for text in values_at(redacted, mark.pointer))


def _is_a_value(facts: Facts, original: JSON, redacted: JSON, mark: Mark) -> bool:
    secret = _secret(original, redacted, mark)
    if secret is None:
        return False
    holders = [command for command in facts.effects.commands if any(secret in word.raw for word in command.words)]
    return bool(holders) and all(_holds_as_value(command, secret) for command in holders)


def _secret(original: JSON, redacted: JSON, mark: Mark) -> str | None:
    """What stood in the place of a text's only redaction."""
    before, after = values_at(original, mark.pointer), values_at(redacted, mark.pointer)
    if len(before) != 1 or len(after) != 1 or not isinstance(before[0], str) or not isinstance(after[0], str):
        return None
    head, tail = after[0][: mark.start], after[0][mark.start + mark.length :]
    text = before[0]
    if not text.startswith(head) or not text.endswith(tail) or len(text) < len(head) + len(tail):
        return None
    return text[len(head) : len(text) - len(tail)]


def _holds_as_value(command: Command, secret: str) -> bool:
    """Whether the secret stands in a command only as the value of an option."""
    if (invocation := command.invocation) is not None:
        values = [option.value for option in invocation.options if option.value is not None]
        others = (*command.words[:1], *invocation.operands)
        return any(secret in word.raw for word in values) and not any(secret in word.raw for word in others)
    return all(_follows_an_option(command, index) for index, word in enumerate(command.words) if secret in word.raw)


def _follows_an_option(command: Command, index: int) -> bool:
    """The same for a program that nobody described: by the looks of the word and of the one before it."""
    text = command.words[index].text
    if text is None or index == 0:
        return False
    return _ASSIGNED.match(text) is not None or _OPTION.fullmatch(command.words[index - 1].text or "") is not None


def _beneath(pointer: str, argument: str) -> bool:
    path, named = steps(pointer), steps(argument)
    return len(path) >= len(named) and all(a in {"*", b} for a, b in zip(named, path, strict=False))
