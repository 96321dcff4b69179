"""A record as its columns: the one flat form that the table, the chain's digests and exported lines share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

import msgspec

from lineclear.core.call import SessionKey
from lineclear.core.redact import Redacted
from lineclear.engine.log import Record

COLUMNS = tuple(
    name
    for field in fields(Record)
    for name in (("principal", "session_id") if field.name == "session" else (field.name,))
)
"""Their names, in the order of their values; what is added comes last (see ``lineclear.engine.chain``)."""

JSON_COLUMNS = ("rules", "request", "answer", "redactions")
"""Those that are JSON, as text."""

_FIELDS = attrgetter(*(field.name for field in fields(Record)))
_JSON_PLACES = tuple(COLUMNS.index(name) for name in JSON_COLUMNS)
_DURATION = COLUMNS.index("duration_ms")


def values_of(record: Record) -> tuple[Any, ...]:
    """The columns' values; raises ``ValueError`` and ``TypeError`` for what no database can hold."""
    identity, moment, session, *rest = _FIELDS(record)
    values = [identity, moment, *session, *rest]
    for place in _JSON_PLACES:
        values[place] = json_text(values[place])
    # As the column has it: a whole number would have another digest.
    values[_DURATION] = float(values[_DURATION])
    return tuple(values)


def record_of(row: Mapping[str, Any]) -> Record:
    """The record of a row that has all columns."""
    values = {name: row[name] for name in COLUMNS}
    session = SessionKey((values.pop("principal"), values.pop("session_id")))
    # What is in the log has been through redaction on its way in.
    values |= {name: Redacted(msgspec.json.decode(values[name])) for name in JSON_COLUMNS}
    values["rules"] = tuple(values["rules"])
    return Record(session=session, **values)


def json_text(value: object) -> str:
    """A JSON value as it is kept; raises ``TypeError`` and ``ValueError`` for what is none."""
    return msgspec.json.encode(value, enc_hook=_plain).decode()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a record holds a `{type(value).__name__}`, which is no JSON value")
