"""Which decision an event without a call id is about: the latest on the same call in its session, moments ago."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.canonical import keyed_hash
from lineclear.engine.record import session_key

if TYPE_CHECKING:
    from lineclear.core.call import Key, Stated
    from lineclear.engine.decide import Engine
    from lineclear.engine.log import Record

WITHIN_S = 60
"""How long after a decision an event may be about it, in seconds."""
_LOOKED_AT = 20


async def twin(engine: Engine, stated: Stated, key: Key) -> Record | None:
    """The record of the same call, None where there is none so recent. Raises ``StorageUnavailable``."""
    wanted = (stated.tool_name, keyed_hash(engine.input_key, stated.tool_input))
    now = engine.now()
    for record in reversed(await engine.log.recent(session_key(key, stated.session_id), _LOOKED_AT)):
        if (now - record.decided_at).total_seconds() > WITHIN_S:
            return None
        if (record.tool_name, record.input_sha256) == wanted:
            return record
    return None
