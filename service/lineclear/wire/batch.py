"""The calls of one model turn as JSON: one that doesn't fit is a problem in its place, never a failure of the rest."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, cast

import msgspec

from lineclear.core.schedule import schedule
from lineclear.wire.answer import as_mapping
from lineclear.wire.errors import Malformed, Problem
from lineclear.wire.request import decode as decode_request

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lineclear.core.call import Role, Stated
    from lineclear.engine.decide import Answer

MAX_DECISIONS = 64
"""Most calls of one batch."""
MAX_COPIED = 2_097_152
"""Most characters that `defaults` come to beyond its first call: each copy is read, judged and recorded like a body."""


def decode(body: bytes) -> Iterator[Stated | Malformed]:
    """The stated calls of a batch, each made when it is asked for: its own fields over those of ``defaults``.

    Raises ``Malformed`` at once where the frame itself is wrong.
    """
    # The standard library's parser takes what ours refuses (half a surrogate pair, NaN), so that one call which holds
    # such a thing doesn't make the whole batch unreadable; written out again, that call alone is refused.
    try:
        batch = json.loads(body.decode("utf-8"), parse_int=_whole)
    except RecursionError:
        raise Malformed([Problem("", "too_deep", "the body is nested too deeply")]) from None
    except ValueError as error:
        raise Malformed([Problem("", "not_json", f"the body isn't JSON in UTF-8: {error}")]) from None
    if not isinstance(batch, dict):
        raise Malformed([Problem("", "invalid", "expected an object with `decisions`")])
    if "decisions" not in batch:
        raise Malformed([Problem("/decisions", "missing", "object missing required field `decisions`")])
    decisions, defaults = batch["decisions"], batch.get("defaults", {})
    if not isinstance(decisions, list):
        raise Malformed([Problem("/decisions", "invalid", "expected an array")])
    if len(decisions) > MAX_DECISIONS:
        raise Malformed([Problem("/decisions", "invalid", f"expected an array of at most {MAX_DECISIONS} calls")])
    if not isinstance(defaults, dict):
        raise Malformed([Problem("/defaults", "invalid", "expected an object")])
    if len(json.dumps(defaults)) * (len(decisions) - 1) > MAX_COPIED:
        too_long = f"copied into each call they come to more than {MAX_COPIED} characters; send fewer calls at once"
        raise Malformed([Problem("/defaults", "too_long", too_long)])
    return (_call(defaults, one) for one in decisions)


def encode(results: Sequence[Answer | bytes], role: Role) -> bytes:
    """The JSON of a batch: decisions, cut to what the role may see, and problems, which come as their own JSON.

    The schedule names every call once, in order: what is no decision stands alone, and what isn't allowed keeps its
    place, since a person may yet approve it.
    """
    shown: list[object] = []
    side_by_side: list[bool] = []
    for result in results:
        if isinstance(result, bytes):
            shown.append(msgspec.Raw(result))
            side_by_side.append(False)
        else:
            fields = as_mapping(result, role)
            shown.append(fields)
            obligations = cast("dict[str, object]", fields["obligations"])
            side_by_side.append(obligations["concurrency_safe"] is True)
    return msgspec.json.encode({"results": shown, "schedule": schedule(side_by_side)})


def _whole(digits: str) -> int | float:
    """A whole number; one that is too long to be read becomes one that is refused."""
    try:
        return int(digits)
    except ValueError:
        return math.inf


def _call(defaults: dict[str, Any], one: object) -> Stated | Malformed:
    if not isinstance(one, dict):
        return Malformed([Problem("", "invalid", "expected an object, a decision request")])
    try:
        return decode_request(json.dumps(defaults | one).encode())
    except Malformed as error:
        return error
    except RecursionError:
        return Malformed([Problem("", "too_deep", "the call is nested too deeply")])
