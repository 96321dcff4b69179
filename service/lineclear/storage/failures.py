"""What the driver's exceptions mean: a record is refused, or the database can't be used now; never anything milder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import asyncpg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

REFUSED = (
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
)
"""Classes 22, 23 and 54 of the SQL states: what was sent is at fault, and would be again."""

_UNAVAILABLE = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    SQLAlchemyError,
    OSError,
    TimeoutError,
)


class NotDurable(StorageUnavailable):
    """A commit wouldn't wait for the disk, and that can't be changed from here."""

    def __init__(self) -> None:
        super().__init__(
            "the database answers before a record is on its disk; give the service's role `synchronous_commit = on`"
        )


class RecordRefused(Exception):
    """The database won't take this record as it is, now or later; no verdict leaves for it."""


@contextmanager
def unavailable(doing: str) -> Iterator[None]:
    """Turn every failure of the driver into ``StorageUnavailable``, save refusals of what was sent.

    The message names what was being done and the kind of failure, never values: the driver's own texts quote those.
    """
    try:
        yield
    except REFUSED:
        raise
    except _UNAVAILABLE as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        raise StorageUnavailable(f"the database can't be used while {doing}: {_kind(cause)}") from error


def refusal(error: BaseException) -> str:
    """A word on why a record was refused, without its values."""
    return _kind(error)


def _kind(error: BaseException) -> str:
    state = getattr(error, "sqlstate", None)
    name = type(error).__name__
    if isinstance(error, asyncpg.UndefinedTableError | asyncpg.UndefinedColumnError):
        return f"{name} ({state}); run `lineclear db upgrade`"
    return f"{name} ({state})" if state else name
