"""Names are kept as they are, since things are found again by them: so none may be, or hold, a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.redact import redact
from lineclear.core.secret_spans import hits
from lineclear.wire.errors import Malformed, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAME = 256
"""Longest name or id, in characters."""


def refuse_secrets(names: Iterable[tuple[str, str | None]]) -> None:
    """Raise ``Malformed`` where a name, given with its JSON pointer, would have to be redacted."""
    given = [(pointer, name) for pointer, name in names if name is not None]
    if hits("\n".join(name for _, name in given)):
        faults = [_secret(pointer) for pointer, name in given if redact(name)[1]]
        if faults:
            raise Malformed(faults)


def session_name(name: str) -> str:
    """A session's name that didn't come in a body. Raises ``Malformed`` where a body's would."""
    if not 0 < len(name) <= MAX_NAME or "\0" in name:
        raise Malformed([Problem("/session_id", "invalid", f"a name has 1 to {MAX_NAME} characters, and no NUL")])
    refuse_secrets([("/session_id", name)])
    return name


def _secret(pointer: str) -> Problem:
    return Problem(pointer, "secret", "it looks like a secret, and names are kept as they are; name it otherwise")
