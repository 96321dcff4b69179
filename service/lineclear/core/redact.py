"""Redaction as a type: storage, logs, the classifier and replies take only what has been through it."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NewType, cast

import re2

from lineclear.core.secret_names import is_secret
from lineclear.core.secret_spans import Search, Span, harmless, hits

if TYPE_CHECKING:
    from lineclear.core.call import JSON

Redacted = NewType("Redacted", object)
"""A JSON value without secrets. Only ``redact`` makes one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One redaction: where it stands in the redacted value, and what kind of secret stood there.

    ``pointer`` is a JSON pointer to the string; with ``#`` behind it, to the name of the key that it leads to.
    ``start`` and ``length``, in characters, are of what stands there now. ``word`` says that the secret was one plain
    word, which can hold nothing but itself: no command, no sentence, no way up a path.
    """

    pointer: str
    kind: str
    start: int
    length: int
    word: bool


class RedactionError(Exception):
    """A value can't be redacted: there is no record of it and no verdict. The message holds nothing of the value."""


def redact(value: JSON) -> tuple[Redacted, tuple[Mark, ...]]:
    """A JSON value with each secret replaced by ``[redacted:<kind>]``, and where that was.

    The same value gives the same result, and a result is left as it is. Raises ``RedactionError``.
    """
    try:
        if _clean(value):
            return Redacted(value), ()
        marks: list[Mark] = []
        return Redacted(_Walk(marks).value(value, "", secret=False)), tuple(marks)
    except (ValueError, TypeError, RecursionError, re2.error) as error:
        raise RedactionError(f"a value can't be redacted: {type(error).__name__}") from None


def _clean(value: JSON) -> bool:
    """Whether there is nothing to redact, found in one pass over all texts at once."""
    texts: list[str] = []
    stack: list[JSON] = [value]
    while stack:
        now = stack.pop()
        # By the concrete types first: most values are one of these, and asking the abstract ones takes far longer.
        if isinstance(now, str):
            texts.append(now)
        elif not isinstance(now, (list, tuple)) and isinstance(now, (dict, Mapping)):
            if not _clean_keys(tuple(now)) or (("value" in now or "Value" in now) and _named_value(now) is not None):
                return False
            stack.extend([child for child in now.values() if type(child) not in _ATOMS])
        elif isinstance(now, (list, tuple, Sequence)):
            stack.extend(now)
            if now and type(now[0]) is str:
                if len(now) == 2 and _is_named(now):  # noqa: PLR2004 - a pair
                    return False
                if (words := _command_line(now)) is not None:
                    texts.append(_line(words))
        elif now is not None and not isinstance(now, (bool, int, float)):
            raise TypeError
    return not hits("\n".join(texts))


def _command_line(values: Sequence[JSON]) -> Sequence[str] | None:
    """A list that may be a command's words, in which an option's secret is a word of its own; None for any other."""
    for value in values:
        if type(value) is str and value[:1] == "-":
            words = [word for word in values if isinstance(word, str)]
            return words if len(words) == len(values) else None
    return None


def _line(words: Sequence[str]) -> str:
    """Words in one line, of the same length, each of them one word to whoever looks for secrets there."""
    return " ".join(word.translate(_ONE_WORD) for word in words)


_MOST_WORDS = 2048
"""Of more words than this with a secret among them, all together are one."""
_ONE_WORD = str.maketrans(dict.fromkeys(" \t\r\n\f\v\"'`&;|<>\\", "_"))
_ATOMS = frozenset({type(None), bool, int, float})


def _clean_keys(keys: tuple[str, ...]) -> bool:
    """Whether no key says that a secret stands under it, or is one; most objects have keys that were seen before."""
    return _judged(keys) if sum(map(len, keys)) <= _LONGEST_KEPT else _judged.__wrapped__(keys)


_LONGEST_KEPT = 512


@lru_cache(maxsize=512)
def _judged(keys: tuple[str, ...]) -> bool:
    return not any(map(is_secret, keys)) and not hits("\n".join(keys))


def _named_value(value: Mapping[str, JSON]) -> str | None:
    """The key of a value that an object says is a secret: ``{"name": "DB_PASSWORD", "value": …}``, as lists have it."""
    for held in ("value", "Value"):
        if held in value and any(isinstance(name := value.get(key), str) and is_secret(name) for key in _NAMES):
            return held
    return None


_NAMES = ("name", "key", "Name", "Key")


def _is_named(pair: JSON) -> bool:
    """Whether what stands in a list is a name with its secret, as lists of headers have them."""
    return isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str) and is_secret(pair[0])  # noqa: PLR2004 - a pair


class _Walk:
    """One value's way through redaction; ``marks`` gathers what was done."""

    def __init__(self, marks: list[Mark]) -> None:
        self._marks = marks
        self._search = Search()

    def value(self, value: JSON, pointer: str, *, secret: bool) -> JSON:
        if isinstance(value, str):
            text, found = self._whole(value) if secret else self._text(value)
            self._mark(pointer, found)
            return text
        if isinstance(value, Mapping):
            return self._object(value, pointer)
        if isinstance(value, Sequence):
            if not secret and (words := _command_line(value)) is not None:
                return self._command(words, pointer)
            return [self._item(child, f"{pointer}/{n}", secret=secret) for n, child in enumerate(value)]
        if value is None or isinstance(value, bool | int | float):
            return value
        raise TypeError

    def _item(self, value: JSON, pointer: str, *, secret: bool) -> JSON:
        if secret or not _is_named(value):
            return self.value(value, pointer, secret=secret)
        name, held = cast("Sequence[JSON]", value)
        return [self.value(name, f"{pointer}/0", secret=False), self.value(held, f"{pointer}/1", secret=True)]

    def _object(self, value: Mapping[str, JSON], pointer: str) -> JSON:
        redacted: dict[str, JSON] = {}
        same: dict[str, int] = {}
        named = _named_value(value)
        for name, child in value.items():
            first, found = self._text(name)
            shown = first
            while shown in redacted:  # counted, since a caller may send any number of names that look alike now
                same[first] = number = same.get(first, 0) + 1
                shown = f"{first}'{number if number > 1 else ''}"
            below = f"{pointer}/{shown.replace('~', '~0').replace('/', '~1')}"
            self._mark(f"{below}#", found)
            redacted[shown] = self.value(child, below, secret=is_secret(name) or name == named)
        return redacted

    def _command(self, words: Sequence[str], pointer: str) -> JSON:
        """Each word by itself, and where it holds nothing, by what it is beside the others."""
        if not hits("\n".join((*words, _line(words)))):
            return list(words)
        if len(words) > _MOST_WORDS:
            text, found = _replaced(words[0], [Span(0, len(words[0]), "text")], [])
            self._mark(f"{pointer}/0", found)
            return [text]
        # A word that is a secret by itself says nothing of its neighbours: a header is no option's value.
        beside = deque(self._search.find(_line(["x" * len(word) if hits(word) else word for word in words])))
        redacted: list[JSON] = []
        begin = 0
        for number, word in enumerate(words):
            end = begin + len(word)
            own: list[Span] = []
            while beside and beside[0].start < end:
                span = beside[0]
                if span.end > begin:
                    own.append(Span(max(span.start, begin) - begin, min(span.end, end) - begin, span.kind))
                if span.end > end:
                    break
                beside.popleft()
            text, found = self._text(*_replaced(word, own, []))
            self._mark(f"{pointer}/{number}", found)
            redacted.append(text)
            begin = end + 1
        return redacted

    def _mark(self, pointer: str, found: list[Span]) -> None:
        self._marks.extend(Mark(pointer, span.kind, span.start, span.end - span.start, span.word) for span in found)

    def _whole(self, text: str) -> tuple[str, list[Span]]:
        """A text that is a secret by its name."""
        return self._text(text) if harmless(text) else _replaced(text, [Span(0, len(text), "secret")], [])

    def _text(self, text: str, done: Sequence[Span] = ()) -> tuple[str, list[Span]]:
        """A text without its secrets, and where they were; some may have been taken out already."""
        marks = list(done)
        for _ in range(_MOST_PASSES):
            spans = self._search.find(text)
            if not spans:
                return text, marks
            text, marks = _replaced(text, spans, marks)
        return _replaced(text, [Span(0, len(text), "text")], [])


_MOST_PASSES = 8
"""A redaction may lay bare the edge of another secret; in practice the second pass finds nothing."""


def _replaced(text: str, spans: list[Span], marks: list[Span]) -> tuple[str, list[Span]]:
    """The text with placeholders for spans, and all its marks: the earlier ones, moved, and the new ones."""
    kept = [mark for mark in marks if not _within(mark, spans)]
    pieces: list[str] = []
    now: list[Span] = []
    read = written = 0
    for span, new in sorted([*((s, True) for s in spans), *((m, False) for m in kept)], key=lambda pair: pair[0].start):
        shown = f"[redacted:{span.kind}]" if new else text[span.start : span.end]
        pieces += (text[read : span.start], shown)
        begins = written + span.start - read
        written = begins + len(shown)
        now.append(Span(begins, written, span.kind, _is_word(text[span.start : span.end]) if new else span.word))
        read = span.end
    pieces.append(text[read:])
    return "".join(pieces), now


_WORD = re2.compile(r"\A[A-Za-z0-9_./+=~:%-]+\z")


def _is_word(secret: str) -> bool:
    return _WORD.match(secret) is not None and ".." not in secret


def _within(mark: Span, spans: list[Span]) -> bool:
    before = bisect_right(spans, mark.start, key=lambda span: span.start) - 1
    return before >= 0 and spans[before].end > mark.start
