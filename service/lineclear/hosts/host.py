"""A host: its abilities, and two functions, payload → event and ruling → reply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.abilities import Abilities
    from lineclear.hosts.events import Event
    from lineclear.hosts.ruling import Ruling

BLOCKED = 2
"""The exit status that hosts of command hooks take for a denial, where a text comes with it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the host's program reads: a document on standard output; with an exit status, a text on standard error."""

    document: Mapping[str, JSON] = field(default_factory=dict)
    exit_status: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Host:
    """``read`` takes a payload and the event's name and raises ``Unreadable``; ``answer`` is total."""

    abilities: Abilities
    read: Callable[[Mapping[str, JSON], str], Event]
    answer: Callable[[str, Ruling], Reply]
    event_of: Callable[[Mapping[str, JSON]], str | None]
    """The event's name as the payload says it."""
