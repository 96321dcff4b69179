"""What a host can do with a hook, as data: one schema for all of them, so that what they lack is seen side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Moment(StrEnum):
    """What an event of a host is about."""

    CALL = "call"
    """A tool is about to run; the answer decides."""
    PERMISSION = "permission"
    """The host is about to ask its person; the answer may spare the question."""
    PROMPT = "prompt"
    """A person typed something."""
    RESULT = "result"
    """A tool has run."""
    FAILURE = "failure"
    """A tool has run and failed."""
    START = "start"
    END = "end"

    @property
    def gates(self) -> bool:
        """Whether a call waits for the answer."""
        return self in {Moment.CALL, Moment.PERMISSION}


class AllowMeans(StrEnum):
    """What an explicit *allow* does at a host."""

    SKIPS_PROMPT = "skips_prompt"
    ABSTAINS = "abstains"


class OnFailure(StrEnum):
    """What a host does with the call where its hook fails."""

    OPEN = "open"
    CLOSED = "closed"


class MessagesFrom(StrEnum):
    """How a person's words reach us."""

    PROMPT_EVENT = "prompt_event"
    NOWHERE = "nowhere"


class Basis(StrEnum):
    """How sure an entry is."""

    RAN = "ran"
    """The host's own program was run against the service."""
    PACKAGE = "package"
    """Read in the host's package."""
    DOCUMENTATION = "documentation"


@dataclass(frozen=True, slots=True)
class Checked:
    """Which version of the host an entry was checked against, when, and how."""

    version: str
    date: str
    basis: Basis


@dataclass(frozen=True, slots=True)
class Abilities:
    """One host.

    ``events`` are the events that it sends, by its own names; ``gate`` is the one that an unreadable payload is taken
    for. ``can_ask`` says that an *ask* makes it ask its person, save in its modes ``never_asks_in``; an *ask* that it
    can't show is sent as a denial. ``block_setting`` names the setting by which a failing hook blocks, where there is
    one. ``deadline_s`` is how long it waits for a hook as ``install`` sets it up, in seconds. ``unique_ids`` says that
    its calls have ids of their own; where they don't, none is used. ``speaks_http`` says that it can post by itself.
    ``by_exit`` says that its answer is an exit status and a text, not a document. ``program`` is the name of its
    executable, which tells its version; ``blocks_since`` the first version that knows ``block_setting``, where earlier
    ones are still met; ``switch`` where in its settings all hooks are switched off, and by which value.
    """

    name: str
    title: str
    events: Mapping[str, Moment]
    gate: str
    can_ask: bool
    allow_means: AllowMeans
    on_failure: OnFailure
    block_setting: str | None
    deadline_s: float
    unique_ids: bool
    messages: MessagesFrom
    checked: Checked
    never_asks_in: frozenset[str] = field(default=frozenset())
    speaks_http: bool = False
    by_exit: bool = False
    program: str | None = None
    blocks_since: tuple[int, ...] = ()
    switch: tuple[tuple[str, ...], bool] | None = None

    @property
    def answer_within_s(self) -> float:
        """How long the service takes at most: less than the host waits."""
        return self.deadline_s * 0.8
