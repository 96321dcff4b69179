"""The bodies of all requests but decisions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from lineclear.core.course import Answer, Result
from lineclear.core.standing import Scope
from lineclear.wire.errors import Malformed, Problem
from lineclear.wire.reading import read, refuse_depth
from lineclear.wire.request import MessageWire, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.core.call import JSON

Outcome = Literal["executed", "failed", "unknown", "approved", "rejected"]

MAX_FILES = 500
"""Most policy files that are checked together."""

MAX_REASON = 500
"""Longest reason, in characters, that a person gives for something."""


class OutcomeWire(msgspec.Struct):
    """What became of a call, or what a person said to a question; ``scope`` is how far an approval reaches."""

    outcome: Outcome
    scope: Scope = Scope.ONCE


class MessagesWire(msgspec.Struct):
    """What the user typed, in the shapes of the Messages API."""

    messages: Annotated[list[MessageWire], msgspec.Meta(min_length=1)]


class ResetWire(msgspec.Struct):
    """Why a breaker is closed."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON)]


class PolicyFilesWire(msgspec.Struct):
    """Policy files, text by name: ``organisation/…`` and ``teams/<name>/…``, as they would lie in the folder.

    As in a case file, ``policy_text`` or ``policy`` is the organisation's only file.
    """

    files: Annotated[dict[str, str], msgspec.Meta(max_length=MAX_FILES)] = {}
    policy_text: str | None = None
    policy: dict[str, Any] | None = None


class CloseWire(msgspec.Struct):
    """Nothing is needed to close a session."""


_OUTCOME = msgspec.json.Decoder(OutcomeWire)
_MESSAGES = msgspec.json.Decoder(MessagesWire)
_RESET = msgspec.json.Decoder(ResetWire)
_POLICY_FILES = msgspec.json.Decoder(PolicyFilesWire)
_POLICY_FILE = re.compile(r"(?:organisation|teams/[^/\\\x00-\x1f]{1,100})/[^/\\\x00-\x1f]{1,100}\.ya?ml")
_LONGEST_NAME_BYTES = 255
_RESULTS = {result.value: result for result in Result}


def outcome(body: bytes) -> tuple[Result | Answer, Scope]:
    """What is reported, and for an approval its scope; raises ``Malformed``."""
    told = read(_OUTCOME, body)
    return _RESULTS.get(told.outcome) or Answer(told.outcome), told.scope


def messages(body: bytes) -> Sequence[JSON]:
    """The messages of a body; raises ``Malformed``."""
    told = read(_MESSAGES, body)
    refuse_depth([one.content for one in told.messages])
    return said(told.messages)


def policy_files(body: bytes) -> Mapping[str, str]:
    """Policy files by name; raises ``Malformed``, also for a name that would lie elsewhere."""
    told = read(_POLICY_FILES, body)
    given = [files for files in (told.files, _alone(told.policy_text), _alone(_laid_out(told.policy))) if files]
    if len(given) != 1:
        raise Malformed([Problem("", "invalid", "give `files`, `policy_text` or `policy`, and only one of them")])
    (files,) = given
    wrong = [name for name in files if not _is_policy_file(name)]
    if wrong:
        form = "a file's name is `organisation/<file>.yaml` or `teams/<name>/<file>.yaml`; no other is read"
        raise Malformed([Problem(f"/files/{_escaped(name)}", "file_name", form) for name in wrong])
    return files


def _is_policy_file(name: str) -> bool:
    # File systems count bytes, and none takes more of them in a name.
    fits = all(len(part.encode()) <= _LONGEST_NAME_BYTES for part in name.split("/"))
    return fits and _POLICY_FILE.fullmatch(name) is not None and "/." not in name


def _alone(text: str | None) -> Mapping[str, str]:
    return {} if text is None else {"organisation/policy.yaml": text}


def _laid_out(policy: dict[str, Any] | None) -> str | None:
    """A policy that came as JSON, an entry a line, so that its places can be told."""
    if policy is None:
        return None
    refuse_depth(policy)
    return msgspec.json.format(msgspec.json.encode(policy), indent=2).decode()


def reason(body: bytes) -> str:
    """The reason of a reset; raises ``Malformed``."""
    return read(_RESET, body).reason


def _escaped(key: str) -> str:
    """A key as a part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")
