"""The strings of an input that no argument of the tool's catalogue entry speaks for: nobody vouches for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from lineclear.core.pointers import known_steps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import JSON
    from lineclear.core.tools import Argument


def unlisted(document: JSON, arguments: Iterable[Argument]) -> Iterator[tuple[str, str]]:
    """Each string that no pointer reaches, with the name of the key it stands under, as ``pointers.strings_in`` does.

    A list where the catalogue says one value, a value where it says a list, an argument of a newer version: all of
    them are found here, so that what the catalogue doesn't foresee is judged by its looks and not passed over.
    """
    pointers = [known_steps(argument.pointer) for argument in arguments]
    stack: list[tuple[str, JSON, list[tuple[str, ...]]]] = [("", document, pointers)]
    while stack:
        name, value, rests = stack.pop()
        if isinstance(value, str):
            yield name, value
        for step, key, child in reversed(_children(name, value)):
            below = [rest[1:] for rest in rests if rest[0] in {step, "*"}]
            if all(below):
                stack.append((key, child, below))


def _children(name: str, value: JSON) -> list[tuple[str, str, JSON]]:
    """The children of a value: the step that leads to each, the name of the key it stands under, and itself."""
    if isinstance(value, Mapping):
        return [(key, key, child) for key, child in value.items()]
    if isinstance(value, list | tuple):
        return [(str(index), name, child) for index, child in enumerate(value)]
    return []
