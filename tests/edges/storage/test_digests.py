"""What is stored is what was hashed, to the last digit: nothing on its way to the database changes a column."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from contracts.records import CHAIN, an_entry
from lineclear.core.redact import Redacted
from lineclear.engine.log import Outcome
from lineclear.storage.log import PostgresLog
from support.auditing import audited

TEXT = "'; -- \\ \u202e \U0001f980 {1,2} NULL %s $1 \x1b[0m \u2028 \" é e\u0301 \x7f\t\r\n"
ODD = {
    "a text": {"tool_name": TEXT, "mode": TEXT, "rules": (TEXT, "", "NULL", "é")},
    "JSON": {"request": Redacted({TEXT: [TEXT, {"": TEXT}], "\u2028": None})},
    "numbers in JSON": {"answer": Redacted({"n": [-0.0, 1e308, 5e-324, 2**63, 10**40, 0.1 + 0.2, 1.0, -1]})},
    "a duration of many digits": {"duration_ms": 0.1 + 0.2},
    "a long one": {"duration_ms": 1.7976931348623157e308},
    "a tiny one": {"duration_ms": 5e-324},
    "a whole one": {"duration_ms": 3},
    "the last microsecond": {"decided_at": datetime(2026, 11, 29, 23, 59, 59, 999999, tzinfo=UTC)},
    "a moment long ago": {"decided_at": datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC)},
    "another zone": {"decided_at": datetime(2026, 11, 29, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=5, minutes=45)))},
    "an expiry": {"expires_at": datetime(2026, 11, 29, 12, 0, 0, 5, tzinfo=timezone(timedelta(hours=-3)))},
    "an episode": {"episode": 2**31 - 1},
    "something long": {"request": Redacted({"text": "é" * 200_000})},
}


@pytest.mark.parametrize("changes", ODD.values(), ids=ODD.keys())
async def test_an_odd_record_is_intact(database, database_url, changes):
    assert list(await PostgresLog(database, CHAIN).commit([an_entry(**changes)])) == [Outcome.WRITTEN]
    found, tally = await audited(database_url)
    assert (found, tally.records) == (set(), 1)
