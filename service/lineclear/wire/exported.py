"""Recorded decisions as lines of JSON, with the chain's links behind them: written by an export, read by a replay."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints
from uuid import UUID  # noqa: TC003 - msgspec reads the annotations

import msgspec

from lineclear.engine.chain import Batch, Link
from lineclear.engine.log import Record
from lineclear.wire.checkpoints import Whole  # noqa: TC001 - msgspec reads the annotations
from lineclear.wire.columns import COLUMNS, JSON_COLUMNS, record_of, values_of
from lineclear.wire.errors import Malformed, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence


def _fields() -> list[tuple[str, Any] | tuple[str, Any, Any]]:
    hints = get_type_hints(Record)
    types = {"principal": str, "session_id": str} | hints | dict.fromkeys(JSON_COLUMNS, msgspec.Raw)
    types["decided_at"] = Annotated[datetime, msgspec.Meta(tz=True)]
    defaults = {field.name: field.default for field in fields(Record) if field.default is not MISSING}
    return [(name, types[name], defaults[name]) if name in defaults else (name, types[name]) for name in COLUMNS]


_RECORD = msgspec.json.Decoder(msgspec.defstruct("RecordLine", _fields()))
_SHAPES = {"rules": list[str]} | dict.fromkeys(("request", "answer", "redactions"), dict[str, Any])


class LinkLine(msgspec.Struct, tag_field="line", tag="link", forbid_unknown_fields=True):
    """A link, its hashes in hexadecimal."""

    writer: UUID
    sequence: Whole
    previous: str
    ids: list[UUID]
    moments: list[Whole]
    digests: list[str]
    columns: Whole
    key: str
    mac: str


class EndLine(msgspec.Struct, tag_field="line", tag="end", forbid_unknown_fields=True):
    """The last line: how many there were of each kind, and a keyed hash over all of them."""

    records: Whole
    links: Whole
    key: str
    mac: str


_CHAINED = msgspec.json.Decoder(LinkLine | EndLine)
_CHAINS = b'{"line":'


def as_line(record: Record) -> bytes:
    """A record's line, without its end."""
    return line_of(values_of(record))


def line_of(values: Sequence[Any]) -> bytes:
    """The line of a record's columns: what is JSON in them stands there to the letter."""
    row = dict(zip(COLUMNS, values, strict=True))
    for name in JSON_COLUMNS:
        # Outside of strings, where none can stand, the end of a line means no more than a space.
        row[name] = msgspec.Raw(row[name].replace("\n", " ").replace("\r", " ").encode())
    return msgspec.json.encode(row)


def of_line(line: bytes) -> Record:
    """The record of a line. Raises ``Malformed``."""
    return record_of(dict(zip(COLUMNS, columns_of(line), strict=True)))


def columns_of(line: bytes) -> tuple[Any, ...]:
    """The columns of a record's line. Raises ``Malformed``."""
    try:
        read = _RECORD.decode(line)
        row = {name: getattr(read, name) for name in COLUMNS}
        for name, shape in _SHAPES.items():
            msgspec.json.decode(row[name], type=shape)
            row[name] = bytes(row[name]).decode()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed([Problem("", "invalid", f"it is no recorded decision: {error}")]) from None
    return tuple(row.values())


def is_record(line: bytes) -> bool:
    """Whether a line is a record's, and not the chain's."""
    return not line.startswith(_CHAINS)


def link_line(link: Link) -> bytes:
    """A link's line."""
    batch = link.batch
    return msgspec.json.encode(
        LinkLine(
            link.writer,
            link.sequence,
            link.previous.hex(),
            list(batch.ids),
            list(batch.moments),
            [digest.hex() for digest in batch.digests],
            link.columns,
            link.key,
            link.mac.hex(),
        )
    )


def chained(line: bytes) -> Link | EndLine:
    """The link of a line, or the export's end. Raises ``Malformed``."""
    try:
        read = _CHAINED.decode(line)
        if isinstance(read, EndLine):
            bytes.fromhex(read.mac)
            return read
        batch = Batch(read.ids, read.moments, [bytes.fromhex(digest) for digest in read.digests])
        whose = read.writer, read.sequence, bytes.fromhex(read.previous)
        return Link(*whose, batch, read.columns, read.key, bytes.fromhex(read.mac))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Malformed([Problem("", "invalid", f"it is no link of the chain: {error}")]) from None
