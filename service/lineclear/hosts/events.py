"""What a host's payload says, once it has been read: one small value for each kind of event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON


class Unreadable(ValueError):
    """A payload that isn't what this host sends; the text says what is wrong, and quotes nothing of it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool is about to run. ``request`` has the shape of ``POST /v1/decisions``.

    ``prompting`` says that the host is about to ask its person: then a question needs no answer from us, and the call
    may be one that we have decided already.
    """

    event: str
    request: Mapping[str, JSON]
    prompting: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A person typed something; ``message`` has the Messages API's shape, with a ``message_id`` where there is one."""

    event: str
    session_id: str
    message: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Result:
    """A tool has run; ``answered`` is what the person answered to the host's own question tool, None elsewhere."""

    event: str
    request: Mapping[str, JSON]
    failed: bool = False
    answered: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A session is over."""

    event: str
    session_id: str


@dataclass(frozen=True, slots=True)
class Other:
    """Nothing that we need; the host goes on."""

    event: str


Event: TypeAlias = Call | Prompt | Result | Ended | Other
