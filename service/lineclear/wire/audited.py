"""An exported file is looked through without a database: it is what was exported, and that is what writers linked."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from lineclear.engine.audit import Fault, Finding, Tally, same, unvouched
from lineclear.engine.chain import Link, microseconds
from lineclear.wire.errors import Malformed
from lineclear.wire.exported import EndLine, chained, columns_of, is_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from lineclear.engine.chain import ChainKey


class FileAudit:
    """One look through a file's lines, which keeps no more of it than the links of one page."""

    def __init__(self, lines: Iterable[bytes], keys: Mapping[str, ChainKey]) -> None:
        self._lines = lines
        self._keys = keys
        self._hash = hashlib.sha256()
        self._told: dict[tuple[UUID, int], tuple[Link, bytes]] = {}
        self._records = 0
        self._writers: set[UUID] = set()
        self.tally = Tally()

    def findings(self) -> Iterator[Finding]:
        """What is wrong, as it is found; ``tally`` is complete after the last."""
        for finding in self._all():
            self.tally.findings += 1
            yield finding

    def _all(self) -> Iterator[Finding]:
        ended, linking = False, True
        for number, line in enumerate(self._lines, 1):
            if ended:
                yield Finding(Fault.FILE_CHANGED, f"line {number} stands behind the end")
                return
            try:
                if is_record(line):
                    linking = False
                    yield from self._record(line)
                elif isinstance(told := chained(line), EndLine):
                    ended = True
                    yield from self._end(told)
                    continue
                else:
                    if not linking:
                        self._told.clear()
                    linking = True
                    yield from self._link(told)
            except Malformed as error:
                yield Finding(Fault.FILE_CHANGED, f"line {number}: {error}")
            self._hash.update(line)
        if not ended:
            yield Finding(Fault.FILE_CHANGED, "its end is missing")

    def _record(self, line: bytes) -> Iterator[Finding]:
        columns = columns_of(line)
        record = columns[0]
        self._records += 1
        link, hashed = self._told.get((record, microseconds(columns[1])), (None, b""))
        if link is None:
            yield Finding(Fault.RECORD_UNLINKED, "no link tells this record", decision=record)
        elif not same(columns, link.columns, hashed):
            detail = "its columns aren't those that were linked"
            yield Finding(Fault.RECORD_CHANGED, detail, link.writer, link.sequence, record)
        else:
            self.tally.records += 1

    def _link(self, link: Link) -> Iterator[Finding]:
        self.tally.links += 1
        self._writers.add(link.writer)
        self.tally.writers = len(self._writers)
        batch = link.batch
        told = zip(zip(batch.ids, batch.moments, strict=False), batch.digests, strict=False)
        self._told |= {which: (link, hashed) for which, hashed in told}
        yield from unvouched(self._keys, link)

    def _end(self, end: EndLine) -> Iterator[Finding]:
        content = ["export", self._records, self.tally.links, self._hash.digest()]
        if end.key not in self._keys:
            yield Finding(Fault.KEY_UNKNOWN, f"no key that was given is named `{end.key[:32]}`")
        elif not self._keys[end.key].sealed(content, bytes.fromhex(end.mac)):
            yield Finding(Fault.FILE_CHANGED, "it isn't what was exported: lines were changed, removed or added")
