"""The adapters of the ports beside the decision log, over one store each."""

from __future__ import annotations

from types import SimpleNamespace

from contracts.records import CHAIN
from lineclear.storage.answers import PostgresAnswers
from lineclear.storage.leases import PostgresLeases
from lineclear.storage.listing import PostgresListing
from lineclear.storage.log import PostgresLog
from lineclear.storage.memory import Kept, MemoryLog
from lineclear.storage.memory_books import (
    MemoryAnswers,
    MemoryLeases,
    MemoryListing,
    MemoryMessages,
    MemorySessions,
)
from lineclear.storage.messages import PostgresMessages
from lineclear.storage.sessions import PostgresSessions

STORES = ("memory", "postgres", "pgbouncer")


def opened(request):
    """All adapters over the store that a parametrised fixture asks for."""
    if request.param == "memory":
        kept = Kept()
        answers = MemoryAnswers(kept)
        return SimpleNamespace(
            log=MemoryLog(kept),
            answers=answers,
            leases=MemoryLeases(),
            messages=MemoryMessages(kept),
            sessions=MemorySessions(kept),
            listing=MemoryListing(kept, answers),
        )
    database = request.getfixturevalue("pooled_database" if request.param == "pgbouncer" else "database")
    return SimpleNamespace(
        log=PostgresLog(database, CHAIN),
        answers=PostgresAnswers(database),
        leases=PostgresLeases(database),
        messages=PostgresMessages(database),
        sessions=PostgresSessions(database),
        listing=PostgresListing(database),
    )
