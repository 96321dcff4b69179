"""What a person answered to a host's own question tool, as one text; total for any JSON value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.call import JSON


def answers(response: JSON) -> str | None:
    """The answers in a question tool's response, None where it holds none.

    Only the answers are a person's words: the questions, and the choices that were offered, are the model's. So an
    answer that repeats an offered choice says no more than that it was chosen.
    """
    given = response.get("answers") if isinstance(response, Mapping) else None
    if not isinstance(given, Mapping):
        return None
    texts = [value for value in given.values() if isinstance(value, str) and value.strip()]
    return "\n".join(texts) or None
