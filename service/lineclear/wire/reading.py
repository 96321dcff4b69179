"""Reading a body: JSON of a known form, or ``Malformed`` with a JSON pointer to what doesn't fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from lineclear.wire.errors import Malformed, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON

T = TypeVar("T")

MAX_DEPTH = 64
"""Deepest nesting of a body."""
_TOO_DEEP = Problem("", "too_deep", f"the body is nested deeper than {MAX_DEPTH}")


def read(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    """The value of a body; raises ``Malformed``."""
    try:
        value = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Malformed([_problem(str(error))]) from None
    except RecursionError:
        raise Malformed([_TOO_DEEP]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed([Problem("", "not_json", f"the body isn't JSON in UTF-8: {error}")]) from None
    if b"\\u" in body:
        _refuse_what_no_text_holds(msgspec.to_builtins(value))
    return value


def refuse_depth(*documents: object) -> None:
    """Raise ``Malformed`` where arrays and objects are nested deeper than ``MAX_DEPTH``."""
    if any(_too_deep(document) for document in documents):
        raise Malformed([_TOO_DEEP])


def _refuse_what_no_text_holds(document: JSON) -> None:
    """NUL and lone surrogates, which escapes can smuggle into JSON: no program and no database takes them."""
    for text in _texts_in(document):
        if "\0" in text:
            raise Malformed([Problem("", "nul", "a text holds a NUL character")])
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise Malformed([Problem("", "surrogate", "a text holds a lone surrogate")])


def _texts_in(document: JSON) -> Iterator[str]:
    """Every text of a document, names of keys too."""
    stack: list[JSON] = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from value
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _problem(message: str) -> Problem:
    """The message of msgspec, `Expected … - at `$.a[0]``, taken apart into a pointer and a text."""
    text, _, place = message.partition(" - at `")
    pointer = (
        place.rstrip("`").removeprefix("$").replace("[...]", "/*").replace("[", "/").replace("]", "").replace(".", "/")
    )
    code = "missing" if "missing required field" in text else "invalid"
    return Problem(pointer, code, text[:1].lower() + text[1:])


def _too_deep(document: object) -> bool:
    """Whether arrays and objects are nested deeper than ``MAX_DEPTH``; walked without recursion."""
    level = [document]
    for _ in range(MAX_DEPTH):
        level = [child for value in level for child in _children(value)]
        if not level:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
