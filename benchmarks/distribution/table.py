"""What became of the calls, as Markdown: verdicts and codes by source, and single calls for a person to check."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from benchmarks.distribution.realinput import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.distribution.realinput import Asked

_VERDICTS = ("allow", "ask", "deny")
_LONGEST = 110
_RARE = 5
"""So many tools with a code are all shown."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A request and its answer: the HTTP status, and the body."""

    asked: Asked
    status: int
    answer: dict[str, Any]

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.status == HTTPStatus.OK and self.answer.get("verdict") in _VERDICTS


def by_source(answered: Sequence[Answered]) -> Iterator[str]:
    """A line for each source: how many calls, how many of each verdict, and the codes behind them."""
    yield "| source | calls | allow | ask | deny | codes |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for corpus in dict.fromkeys(one.asked.corpus for one in answered):
        of_corpus = [one for one in answered if one.asked.corpus == corpus]
        yield _line(f"**{corpus}**", of_corpus)
        for group in sorted({one.asked.group for one in of_corpus}):
            yield _line(group, [one for one in of_corpus if one.asked.group == group])


def each(answered: Iterable[Answered]) -> Iterator[str]:
    """A line for each call, with room for a person's judgement; of others' data only the arguments' names are shown."""
    yield "| row | call | verdict | code | right? |"
    yield "| --- | --- | --- | --- | --- |"
    for one in answered:
        body, answer = one.asked.body, one.answer
        given = body["tool_input"]
        shown = json.dumps(given) if one.asked.corpus == TOOLS else f"{{{', '.join(given)}}}"
        call = _cell(f"{body['tool_name']} {shown}")
        yield f"| {one.asked.row} | `{call}` | {answer.get('verdict')} | `{answer['code']}` | |"


def chosen(answered: Sequence[Answered], count: int) -> list[Answered]:
    """At most ``count`` of them, the same at every run: small corpora whole, else each tool and code once at most.

    Of a corpus whose tools and codes are too many, all with a rare code are taken, and of the others evenly.
    """
    corpora: dict[str, list[Answered]] = {}
    for one in answered:
        corpora.setdefault(one.asked.corpus, []).append(one)
    found: list[Answered] = []
    for place, rows in enumerate(sorted(corpora.values(), key=len)):
        share = (count - len(found)) // (len(corpora) - place)
        found += rows if len(rows) <= share else _telling(rows, share)
    return found


def _telling(rows: Sequence[Answered], share: int) -> list[Answered]:
    first: dict[tuple[str, str], Answered] = {}
    for one in rows:
        first.setdefault((one.asked.body["tool_name"], one.answer["code"]), one)
    codes = Counter(code for _, code in first)
    rare = [one for (_, code), one in first.items() if codes[code] <= _RARE][:share]
    others = [one for one in first.values() if one not in rare]
    left = min(share - len(rare), len(others))
    return rare + [others[index * len(others) // left] for index in range(left)]


def _line(name: str, answered: Sequence[Answered]) -> str:
    verdicts = Counter(str(one.answer.get("verdict")) for one in answered)
    codes = Counter(one.answer["code"] for one in answered)
    told = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    counts = " | ".join(str(verdicts[verdict]) for verdict in _VERDICTS)
    return f"| {name} | {len(answered)} | {counts} | {told} |"


def _cell(text: str) -> str:
    text = text.replace("|", "\\|").replace("`", "'").replace("\\n", " ")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
