"""An exported file that anybody touched isn't what was exported, and the audit says so without a database."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from uuid import uuid4

import msgspec
import pytest

from contracts.records import CHAIN, a_record
from lineclear.core.redact import Redacted
from lineclear.engine.audit import Fault
from lineclear.engine.chain import Batch, ChainKey, Head, digest, microseconds
from lineclear.wire.audited import FileAudit
from lineclear.wire.columns import values_of
from lineclear.wire.exported import EndLine, as_line, link_line, of_line

KEY = ChainKey(CHAIN)
RECORDS = [a_record(tool_use_id=f"t-{n}", redactions=Redacted({})) for n in range(4)]


def batch(records):
    ids, moments = [one.id for one in records], [microseconds(one.decided_at) for one in records]
    return Batch(ids, moments, [digest(values_of(one)) for one in records])


def chain():
    """Two links of two records each, each link before its records."""
    first = KEY.link(Head(uuid4()), batch(RECORDS[:2]))
    second = KEY.link(Head(first.writer, 1, first.mac), batch(RECORDS[2:]))
    return [link_line(first), *map(as_line, RECORDS[:2]), link_line(second), *map(as_line, RECORDS[2:])]


def ended(lines, records=4, links=2, key=KEY):
    whole = [line + b"\n" for line in lines]
    content = ["export", records, links, hashlib.sha256(b"".join(whole)).digest()]
    return [*whole, msgspec.json.encode(EndLine(records, links, key.name, key.seal(content).hex())) + b"\n"]


FILE = ended(chain())


def faults(lines, *keys):
    audit = FileAudit(lines, {key.name: key for key in (KEY, *keys)})
    found = {finding.fault for finding in audit.findings()}
    assert (audit.tally.findings == 0) == (not found)
    return found


def test_an_export_is_intact_and_holds_the_records_as_they_were():
    assert faults(FILE) == set()
    audit = FileAudit(FILE, {KEY.name: KEY})
    assert not list(audit.findings())
    assert (audit.tally.writers, audit.tally.links, audit.tally.records) == (1, 2, 4)
    assert [of_line(line) for line in FILE if b'"line"' not in line] == RECORDS


TOUCHED = {
    "the end is cut off": FILE[:-1],
    "nothing is left": [],
    "a record is gone": FILE[:2] + FILE[3:],
    "a link is gone": FILE[1:],
    "both batches changed places": [*FILE[3:6], *FILE[:3], FILE[-1]],
    "a record is there twice": [*FILE[:2], *FILE[1:]],
    "a line stands behind the end": [*FILE, FILE[1]],
    "a line that is none": [*FILE[:1], b"{\n", *FILE[1:]],
    "a line of no kind": [*FILE[:1], b'{"line":"other"}\n', *FILE[1:]],
    "a space": [FILE[0], FILE[1].replace(b"{", b"{ ", 1), *FILE[2:]],
    "an end of another file": [*FILE[:-1], ended(chain())[-1]],
    "an end that is no hash": [*FILE[:-1], FILE[-1].replace(b'"mac":"', b'"mac":"x')],
    "a number that is too large to be hashed": [FILE[0].replace(b'"sequence":1', b'"sequence":%d' % 10**30), *FILE[1:]],
    "a moment that is": [FILE[0].replace(b'"moments":[', b'"moments":[%d,' % 10**30), *FILE[1:]],
    "a moment of no zone": [FILE[0], FILE[1].replace(b'56Z"', b'56"').replace(b'56+00:00"', b'56"'), *FILE[2:]],
    "a count that is too large": [*FILE[:-1], FILE[-1].replace(b'"records":4', b'"records":%d' % 10**30)],
    "a change of a record": [FILE[0], FILE[1].replace(b'"mode":"default"', b'"mode":"auto"'), *FILE[2:]],
}


@pytest.mark.parametrize("lines", TOUCHED.values(), ids=TOUCHED.keys())
def test_a_file_that_was_touched_is_not_what_was_exported(lines):
    assert Fault.FILE_CHANGED in faults(lines)


def test_what_was_exported_of_a_log_that_was_touched_is_told():
    """The end vouches for the export, the links for the log that it was of."""
    changed = [as_line(replace(RECORDS[0], verdict="allow")), *chain()[2:]]
    assert faults(ended([chain()[3], *changed])) == {Fault.RECORD_UNLINKED}
    lines = chain()
    assert faults(ended([lines[0], as_line(replace(RECORDS[0], verdict="allow")), *lines[2:]])) == {
        Fault.RECORD_CHANGED
    }
    assert faults(ended([*lines, as_line(replace(RECORDS[0], id=uuid4()))], records=5)) == {Fault.RECORD_UNLINKED}
    assert faults(ended([lines[0].replace(b'"sequence":1', b'"sequence":7'), *lines[1:]])) == {Fault.LINK_CHANGED}


def test_another_key_vouches_for_nothing():
    forger = ChainKey(b"another")
    assert faults(ended(chain(), key=forger)) == {Fault.KEY_UNKNOWN}
    assert faults(ended(chain(), key=forger), forger) == set()
