"""Conversations in Postgres: messages in the order in which they were heard, numbered from 1 without a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lineclear.core.joining import Said, unheard
from lineclear.core.redact import Redacted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import SessionKey
    from lineclear.engine.conversation import Heard
    from lineclear.engine.log import Session
    from lineclear.storage.database import Database

_LOCK = """
INSERT INTO sessions (principal, session_id, id, revision, started_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (principal, session_id) DO UPDATE SET messages = sessions.messages
RETURNING messages
"""
"""The session's row, made if there is none, held until the transaction ends: whoever else joins waits."""

_KEPT = "SELECT message_id, digest FROM session_messages WHERE principal = $1 AND session_id = $2 ORDER BY place"

_KEEP = """
INSERT INTO session_messages (principal, session_id, place, message_id, digest, typed, heard_at)
SELECT $1, $2, $3 + n, message_id, digest, typed::json, $7
FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS m(message_id, digest, typed, n)
"""
_COUNT = "UPDATE sessions SET messages = $3 WHERE principal = $1 AND session_id = $2"

_LATEST = """
SELECT place, typed
FROM session_messages
WHERE principal = $1 AND session_id = $2 AND (
    place = 1 OR place > (SELECT messages FROM sessions WHERE principal = $1 AND session_id = $2) - $3
)
ORDER BY place
"""


class PostgresMessages:
    """The conversations of all sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def join(self, fresh: Session, heard: Sequence[Heard]) -> int:
        """Keep those messages that aren't kept yet."""
        key = fresh.key
        async with self._database.lend("keeping messages") as connection, connection.transaction():
            count = await connection.fetchval(_LOCK, *key, fresh.id, fresh.revision, fresh.started_at)
            kept = [Said(row["message_id"], row["digest"]) for row in await connection.fetch(_KEPT, *key)]
            new = [heard[n] for n in unheard(kept, [one.said for one in heard])]
            if new:
                ids, digests = [one.said.message_id for one in new], [one.said.digest for one in new]
                typed = [msgspec.json.encode(one.typed).decode() for one in new]
                await connection.execute(_KEEP, *key, count, ids, digests, typed, fresh.started_at)
                await connection.execute(_COUNT, *key, count + len(new))
        return len(new)

    async def latest(self, session: SessionKey, most: int) -> tuple[Sequence[Redacted], int]:
        """The first message and the latest; what has been forgotten by its age counts as left out."""
        async with self._database.lend("reading messages") as connection, connection.transaction():
            rows = await connection.fetch(_LATEST, *session, most - 1)
        if not rows:
            return [], 0
        # What is kept has been through redaction on its way in.
        return [Redacted(msgspec.json.decode(row["typed"])) for row in rows], rows[-1]["place"] - len(rows)
