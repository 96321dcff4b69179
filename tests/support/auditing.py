"""An audit of a database as tests ask for one: which kinds of faults it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contracts.records import CHAIN
from lineclear.engine.audit import Audit
from lineclear.engine.chain import ChainKey
from lineclear.storage.archive import looked_through

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.engine.audit import Fault, Tally
    from lineclear.engine.chain import Checkpoint
    from lineclear.storage.log import PostgresLog

SECRET = ChainKey(CHAIN)


async def audited(
    url: str,
    *,
    keys: Sequence[ChainKey] = (SECRET,),
    checkpoints: Sequence[Checkpoint] = (),
    began: int | None = None,
) -> tuple[set[Fault], Tally]:
    async with looked_through(url) as archive:
        audit = Audit(archive, {key.name: key for key in keys}, checkpoints, began)
        found = {finding.fault async for finding in audit.findings()}
    assert (audit.tally.findings == 0) == (not found)
    return found, audit.tally


def checkpoints_of(log: PostgresLog) -> list[Checkpoint]:
    return [SECRET.checkpoint(head, 0) for head in log.heads()]
