"""Checkpoints as lines of JSON, which stand in a file of their own or among the lines of a log."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations
from typing import Annotated
from uuid import UUID  # noqa: TC003 - the same

import msgspec

from lineclear.engine.chain import Checkpoint, microseconds, moment_of
from lineclear.wire.errors import Malformed, Problem

Whole = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
"""A whole number as the database has them; there is no hash over another."""


class CheckpointLine(msgspec.Struct):
    """A checkpoint, its hashes in hexadecimal. What else a line has, as logs do, isn't the checkpoint's."""

    writer: UUID
    sequence: Whole
    mac: str
    at: datetime
    key: str
    seal: str


_DECODER = msgspec.json.Decoder(CheckpointLine)


def as_fields(checkpoint: Checkpoint) -> dict[str, object]:
    """What a line tells."""
    return {
        "writer": str(checkpoint.writer),
        "sequence": checkpoint.sequence,
        "mac": checkpoint.mac.hex(),
        "at": moment_of(checkpoint.at).isoformat(),
        "key": checkpoint.key,
        "seal": checkpoint.seal.hex(),
    }


def as_line(checkpoint: Checkpoint) -> bytes:
    """A line, with its end."""
    return msgspec.json.encode(as_fields(checkpoint)) + b"\n"


def of_line(line: bytes) -> Checkpoint:
    """The checkpoint of a line. Raises ``Malformed``."""
    try:
        read = _DECODER.decode(line)
        mac, seal = bytes.fromhex(read.mac), bytes.fromhex(read.seal)
        return Checkpoint(read.writer, read.sequence, mac, microseconds(read.at), read.key, seal)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError, TypeError) as error:
        raise Malformed([Problem("", "invalid", f"it is no checkpoint: {error}")]) from None
