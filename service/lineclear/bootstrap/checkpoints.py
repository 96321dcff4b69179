"""Checkpoints leave the database: how far a chain has come is logged, and kept in a file if one is set."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NoReturn

import structlog

from lineclear.bootstrap.problem import CannotStart
from lineclear.engine.chain import microseconds
from lineclear.wire.checkpoints import as_fields, as_line, of_line
from lineclear.wire.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from uuid import UUID

    from lineclear.engine.chain import ChainKey, Checkpoint, Head

EVERY_S = 60.0
"""Seconds between two checkpoints of a chain that moves: so much may be cut off at its end without being missed."""

log = structlog.get_logger("lineclear.audit")


class Checkpoints:
    """What is exported of this process's own chains; ``heads`` tells them from memory, not from the database."""

    def __init__(self, place: Path | None, key: ChainKey, heads: Callable[[], Sequence[Head]]) -> None:
        """Raises ``CannotStart`` where ``place`` can't be written."""
        self._place = place
        self._key = key
        self._heads = heads
        self._told: dict[UUID, int] = {}
        if place is not None:
            append(place, ())

    async def run(self) -> NoReturn:
        """Tell each chain that has moved, again and again."""
        while True:
            await asyncio.sleep(EVERY_S)
            # Chains move while a file is written: how far they have come is asked where they move.
            await asyncio.to_thread(self._tell, self._moved())

    def tell(self) -> None:
        """Tell each chain that has moved since; a file that can't be written is told in the log, and tried again."""
        self._tell(self._moved())

    def _moved(self) -> list[Head]:
        return [head for head in self._heads() if self._told.get(head.writer) != head.sequence]

    def _tell(self, moved: Sequence[Head]) -> None:
        checkpoints = [made(self._key, head) for head in moved]
        for checkpoint in checkpoints:
            log.info("audit_checkpoint", **as_fields(checkpoint))
        if self._place is not None and checkpoints:
            try:
                append(self._place, checkpoints)
            except CannotStart as error:
                log.error("checkpoint_failed", reason=str(error))  # noqa: TRY400 - the reason is all there is
                return
        self._told |= {head.writer: head.sequence for head in moved}


def made(key: ChainKey, head: Head) -> Checkpoint:
    """A checkpoint of now."""
    return key.checkpoint(head, microseconds(datetime.now(UTC)))


def append(place: Path, checkpoints: Sequence[Checkpoint]) -> None:
    """Add checkpoints to a file, or in a folder to a file for each writer. Raises ``CannotStart``."""
    try:
        if place.is_dir():
            for checkpoint in checkpoints:
                _append(place / f"{checkpoint.writer}.jsonl", as_line(checkpoint))
        else:
            _append(place, b"".join(map(as_line, checkpoints)))
    except OSError as error:
        raise CannotStart(f"checkpoints can't be written to `{place}`: {_why(error)}") from None


def read(place: Path) -> Iterator[Checkpoint]:
    """The checkpoints of a file, or of all files in a folder. Raises ``CannotStart`` with the line that is none."""
    try:
        files = sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
        for file in files:
            with file.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    try:
                        yield of_line(line)
                    except Malformed as error:
                        raise CannotStart(f"{file}:{number}: {error}") from None
    except OSError as error:
        raise CannotStart(f"checkpoints can't be read from `{place}`: {_why(error)}") from None


def _append(file: Path, lines: bytes) -> None:
    """Add lines at the end of a file, which several processes may share: all of them, or none."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o640)
    try:
        if not lines:
            return
        _lock(descriptor)
        before = os.fstat(descriptor).st_size
        try:
            _write(descriptor, lines if _ends_a_line(descriptor, before) else b"\n" + lines)
            os.fsync(descriptor)
        except OSError:
            # Half a line would make one with the next, and neither could be read.
            with suppress(OSError):
                os.ftruncate(descriptor, before)
            raise
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Keep other processes from the file until it is closed, where the platform can."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 - there is none on Windows

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _ends_a_line(descriptor: int, size: int) -> bool:
    """Whether nobody was cut off in the middle of the last line, by a loss of power for one."""
    if size == 0:
        return True
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


def _write(descriptor: int, lines: bytes) -> None:
    written = 0
    while written < len(lines):
        written += os.write(descriptor, lines[written:])


def _why(error: OSError) -> str:
    return (error.strerror or "unknown error").lower()
