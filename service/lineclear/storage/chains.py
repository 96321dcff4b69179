"""A writer's chain in memory: it moves on when its link is known to be in the database, and never forks."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lineclear.engine.chain import Head
from lineclear.engine.ids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterator

    import asyncpg

    from lineclear.engine.chain import Batch, ChainKey, Link

_MOST_ENDED = 1_000
_MAC = "SELECT mac FROM audit_links WHERE writer = $1 AND sequence = $2"


class Chain:
    """One chain, for one batch at a time."""

    def __init__(self, key: ChainKey) -> None:
        self._key = key
        self._doubtful: Link | None = None
        self.head = Head(uuid7())
        """The last link that is known to be committed."""
        self.ended: deque[Head] = deque(maxlen=_MOST_ENDED)
        """The last links of chains before this one, which nothing follows: a checkpoint alone can vouch for them."""

    def next(self, batch: Batch) -> Link:
        """The link of a batch; until it is ``settled`` or ``refused``, whether it is in the database is in doubt."""
        self._doubtful = self._key.link(self.head, batch)
        return self._doubtful

    def settled(self, link: Link) -> None:
        """The link's transaction was committed."""
        self.head, self._doubtful = Head(link.writer, link.sequence, link.mac), None

    def refused(self) -> None:
        """The link's transaction was undone."""
        self._doubtful = None

    async def resolve(self, connection: asyncpg.Connection) -> None:
        """Find out what became of a link whose transaction ended without a word, before the next is made.

        A transaction that is still under way can't come in between: whichever link is second fails, as the first has
        its number. Where the number is somebody else's, the chain ends, and another begins.
        """
        if (link := self._doubtful) is None:
            return
        async with connection.transaction():
            mac = await connection.fetchval(_MAC, link.writer, link.sequence)
        if mac is None:
            self.refused()
        elif mac == link.mac:
            self.settled(link)
        else:
            self.restart()

    def restart(self) -> None:
        """End the chain where it is, and begin another."""
        self.ended.append(self.head)
        self.head, self._doubtful = Head(uuid7()), None


class Chains:
    """The chains of one process: as many as it ever writes batches at the same time; a group writer needs one."""

    def __init__(self, key: ChainKey) -> None:
        self._key = key
        self._idle: list[Chain] = []
        self._all: list[Chain] = []

    @contextmanager
    def lend(self) -> Iterator[Chain]:
        """A chain that nobody else has."""
        if not self._idle:
            self._all.append(chain := Chain(self._key))
        else:
            chain = self._idle.pop()
        try:
            yield chain
        finally:
            self._idle.append(chain)

    def heads(self) -> list[Head]:
        """How far the chains have come, by what this process knows itself."""
        heads = (head for chain in self._all for head in (*chain.ended, chain.head))
        return [head for head in heads if head.sequence]
