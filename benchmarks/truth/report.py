"""The report: counts first, then each failure by itself, then the rest by cause."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.truth.confirm import Standing
from benchmarks.truth.proven import Outcome
from benchmarks.truth.reviewed import DOUBTED, REASONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from benchmarks.truth.analysis import Opinion
    from benchmarks.truth.confirm import Judged
    from benchmarks.truth.corpora import Row
    from benchmarks.truth.proven import Tried

_WORD = re.compile(r"`.*`")
_SHOWN = 25
"""How many causes and missing programs are printed; all are in the files."""


def of_proven(found: Mapping[str, tuple[Row, Tried]]) -> Iterator[str]:
    """Part one, for people."""
    yield f"proven: {len(found)} different commands of the corpora are called proven"
    counts = Counter(one.outcome for _, one in found.values())
    for outcome in Outcome:
        yield f"  {counts[outcome]:6}  {outcome.value}"
    for row, one in found.values():
        if one.outcome in {Outcome.UNSAFE, Outcome.REVIEWED}:
            yield f"{one.outcome.name}  {row.id}  {one.why}"
            yield f"        {_line(row.command)}"
    missing = Counter(one.why for _, one in found.values() if one.outcome is Outcome.NOT_INSTALLED)
    yield from _most("not installed here", missing)


def of_doubted(rows: Iterable[Row], opinions: Mapping[str, Opinion]) -> Iterator[str]:
    """Proven commands of which their authors say that one should ask, each with the reason why that isn't needed."""
    doubted = [row for row in rows if row.verdict in DOUBTED and opinions[row.command].proven]
    yield f"proven, though their authors would ask: {len(doubted)}"
    for row in doubted:
        yield f"  {row.id}  {REASONS.get(row.id, 'NOT LOOKED AT')}"
        yield f"        {_line(row.command)}"


def of_denominator(name: str, judged: Mapping[str, Judged]) -> Iterator[str]:
    """What the truth run alone says of a corpus."""
    yield f"{name}: {len(judged)} different commands"
    counts = Counter(one.standing for one in judged.values())
    for standing in Standing:
        yield f"  {counts[standing]:6}  {standing.value}"
    classes = Counter(one.why for one in judged.values() if one.standing is Standing.FORBIDDEN)
    yield from _most("of classes that aren't to be proven", classes)


def of_share(name: str, judged: Mapping[str, Judged], opinions: Mapping[str, Opinion]) -> Iterator[str]:
    """How much of what is confirmed is proven, and what is in the way of the rest."""
    confirmed = [command for command, one in judged.items() if one.standing is Standing.CONFIRMED]
    rest = [opinions[command] for command in confirmed if not opinions[command].proven]
    yield f"{name}: {_share(len(confirmed) - len(rest), len(confirmed))} of the confirmed commands are proven"
    yield from _most("not proven, by cause", Counter(_cause(opinion.why) for opinion in rest))
    for command, one in judged.items():
        if one.standing is Standing.FORBIDDEN and opinions[command].proven:
            yield f"  proven, though it {one.why}: {_line(command)}"


def _most(title: str, counts: Counter[str]) -> Iterable[str]:
    if counts:
        yield f"  {title}:"
        for what, count in counts.most_common(_SHOWN):
            yield f"    {count:6}  {what}"
        if len(counts) > _SHOWN:
            yield f"            and {len(counts) - _SHOWN} more"


def _cause(why: str) -> str:
    """A cause without the word that it is about, where every command has another one."""
    return _WORD.sub("a word", why) if why.startswith("the value of") or why.endswith("be an option") else why


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f}%)" if whole else "0 of 0"


def _line(command: str) -> str:
    return command.replace("\n", "\\n")[:200]
