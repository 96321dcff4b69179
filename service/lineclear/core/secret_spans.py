"""Where the secrets of a text are: known formats, what carries them, and what is assigned to a secret's name."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import re2

from lineclear.core.secret_formats import CARRIERS, TOKENS
from lineclear.core.secret_names import NAME, is_secret

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Span:
    """A secret: from ``start`` to before ``end``, in characters; ``word`` as in ``redact.Mark``."""

    start: int
    end: int
    kind: str
    word: bool = False


class Search:
    """The search through the texts of one value, of bounded length: it looks at so many places, and at no more.

    Beyond them, a text in which anything at all is found is one secret as a whole.
    """

    def __init__(self, places: int = 2048) -> None:
        self._left = places

    def find(self, text: str) -> list[Span]:
        """The secrets of a text, apart from each other and in order; of two readings of one, the more exact kind.

        What redaction has put into a text before is no secret, and is never cut in two.
        """
        if not hits(text):
            return []
        if self._left <= 0:
            return _whole(text)
        done = [match.span() for match in _PLACEHOLDER.finditer(text)] if "[redacted:" in text else []
        found: list[Span] = []
        for span in _candidates(text, done):
            self._left -= 1
            if self._left < 0:
                return _whole(text)
            whole = _around(span, done)
            if not harmless(text[whole.start : whole.end]):
                found.append(whole)
        return _apart(found)


def hits(text: str) -> bool:
    """Whether a text may hold a secret: one pass for the many that don't.

    Of texts joined by line ends it says so if it does of any of them.
    """
    return _ANY.search(text.encode()) is not None


def harmless(value: str) -> bool:
    """Whether a value only names a secret, or none: a variable, a type, a pattern, what was redacted before."""
    bare = _PLACEHOLDER.sub("", value) if "[redacted:" in value else value
    return not any(map(str.isalnum, bare)) or _REFERENCE.match(value) is not None or _NO_VALUE.match(value) is not None


def _whole(text: str) -> list[Span]:
    return [] if harmless(text) else [Span(0, len(text), "text")]


_PLACEHOLDER = re2.compile(r"\[redacted:[a-z-]+\]")
_REFERENCE = re2.compile(r"\A(?:\$\{?[A-Z_][A-Z0-9_]*\}?|%[A-Z_][A-Z0-9_]*%|\$\(.*)\z")
_NO_VALUE = re2.compile(
    r"(?i)\A(?:none|null|nil|undefined|true|false|yes|no|any|object|optional|required|str|string|bytes|int|bool)[,;)]*\z"
)

_DOUBLE = r'"(?:[^"\\]|\\.)*"'
_SINGLE = r"'(?:[^'\\]|\\.)*'"
_ESCAPED = r"\\[\"'][^\"'\\]*\\[\"']"
# A quoted value may go on where the quote ends, as a shell's word does; it ends where an object's or a call's would.
_QUOTED = rf"(?:{_DOUBLE}|{_SINGLE}|{_ESCAPED})(?:[A-Za-z0-9_$@%+./^*!?#~-]|{_DOUBLE}|{_SINGLE})*"
# In a bare one a quote that a blank follows is the end of a quote that was opened before it.
_BARE = (
    r"(?:[^\s\"'`&;|<>\\]|\\[^\r\n]|\"\"|''|\"(?:[^\s\"\\]|\\.)(?:[^\"\\]|\\.)*\"|'(?:[^\s'\\]|\\.)(?:[^'\\]|\\.)*')+"
)

_ASSIGNMENTS = (
    rf"(?i)\b({NAME})\\?[\"']?[ \t]*(?:={{1,3}}>?|:=|!=|:)[ \t]*({_QUOTED}|{_BARE})",
    rf"(?i)(?:^|[\s\"'])(--?{NAME})[ \t]+({_QUOTED}|[^\s\"'`&;|<>\\-]{_BARE}|[^\s\"'`&;|<>\\-])",
    rf"(?i)<({NAME})>([^<]+)</",
)


def _compiled(pattern: str | bytes, *, mebibytes: int = 1) -> Any:
    """Compiled, with a bound on what hostile text can make the automaton remember."""
    options = re2.Options()
    options.max_mem = mebibytes << 20
    return re2.compile(pattern, options)


_ROWS = (*TOKENS, *CARRIERS)
_TOKENS = [(_compiled(row.pattern), row.kind) for row in TOKENS]
_CARRIERS = [(_compiled(row.pattern), row.kind) for row in CARRIERS]
_NAMED = [_compiled(pattern) for pattern in _ASSIGNMENTS]
# Of bytes, since nobody asks where: for a text, places in characters would be worked out.
_ANY = _compiled(
    "|".join(f"(?:{pattern})" for pattern in (*(row.pattern for row in _ROWS), *_ASSIGNMENTS)).encode(), mebibytes=16
)
_RANKS = {row.kind: -rank for rank, row in enumerate(reversed(_ROWS), 1)}


def _candidates(text: str, done: list[tuple[int, int]]) -> Iterator[Span]:
    for pattern, kind in _TOKENS:
        for match in pattern.finditer(text):
            start, end = match.span(pattern.groups)
            yield Span(start, end, kind)
    begun = {start for start, _ in done}
    for pattern, kind in _CARRIERS:
        for match in pattern.finditer(text):
            start, end = match.span(pattern.groups)
            # A value that was redacted ended there when it was: what follows is looked at for what it is itself.
            yield Span(start, end if start not in begun else start, kind)
    for pattern in _NAMED:
        for match in pattern.finditer(text):
            start, end = _inside(text, *match.span(2))
            yield Span(start, end if start not in begun and is_secret(match.group(1)) else start, "secret")


def _apart(found: list[Span]) -> list[Span]:
    apart: list[Span] = []
    for span in sorted(found, key=lambda span: span.start):
        if apart and span.start < apart[-1].end:
            last = apart[-1]
            kind = min(last.kind, span.kind, key=lambda kind: _RANKS.get(kind, 0))
            apart[-1] = Span(last.start, max(last.end, span.end), kind)
        else:
            apart.append(span)
    return apart


def _around(span: Span, done: list[tuple[int, int]]) -> Span:
    """A span with all of each placeholder that it begins or ends in."""
    start, end = span.start, span.end
    if done and start < end:
        before = bisect_right(done, start, key=itemgetter(0)) - 1
        if before >= 0 and done[before][1] > start:
            start = done[before][0]
        last = bisect_right(done, end - 1, key=itemgetter(0)) - 1
        if last >= 0 and done[last][1] > end:
            end = done[last][1]
    return Span(start, end, span.kind)


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the quotes, where one pair of them stands around it all."""
    width = 2 if text[start] == "\\" else 1
    quote = text[start : start + width]
    if quote[-1] in "\"'" and end - start >= 2 * width and text.find(quote, start + width, end) == end - width:
        return start + width, end - width
    return start, end
