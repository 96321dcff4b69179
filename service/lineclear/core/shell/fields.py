"""The fields of a description, each checked where it is read."""

from __future__ import annotations

from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from lineclear.core.shell.program import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from enum import Enum

    _E = TypeVar("_E", bound=Enum)

_EFFECTS = {"read": Outcome.READ, "edit": Outcome.EDIT, "other": Outcome.OTHER}


class DescriptionError(ValueError):
    """A description that doesn't fit the schema; ``key`` names the part that is wrong, ``path`` all it lies in."""

    def __init__(self, key: str, message: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.key = key
        self.path = path


@contextmanager
def under(*keys: str) -> Iterator[None]:
    """What is wrong in this block lies under some keys."""
    try:
        yield
    except DescriptionError as error:
        raise DescriptionError(error.key, str(error), (*keys, *error.path)) from error


def known(mapping: Mapping[str, object], keys: frozenset[str], where: str) -> None:
    """Refuse a key that isn't one of some, naming the nearest."""
    for key in mapping:
        if key not in keys:
            raise DescriptionError(str(key), f"unknown key `{key}` in {where}{_meant(key, keys)}")


def _meant(value: object, words: Iterable[str]) -> str:
    near = get_close_matches(str(value), list(words), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def mapping_of(value: object, key: str) -> Mapping[str, object]:
    """A value that must be a mapping with texts for keys."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise DescriptionError(key, f"`{key}` must be a mapping of names")
    return value


def texts(mapping: Mapping[str, object], key: str) -> tuple[str, ...]:
    """A text, or a list of texts; numbers count as texts, since YAML makes them of some."""
    value = mapping.get(key, ())
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, (str, int)) for item in value):
        raise DescriptionError(key, f"`{key}` must be a text or a list of texts")
    return tuple(str(item) for item in value)


def flag(mapping: Mapping[str, object], key: str, *, default: bool = False) -> bool:
    """A truth value."""
    value = mapping.get(key, default)
    if not isinstance(value, bool):
        raise DescriptionError(key, f"`{key}` must be true or false")
    return value


def count(mapping: Mapping[str, object], key: str) -> int:
    """A number from 0 on."""
    value = mapping.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise DescriptionError(key, f"`{key}` must be a number")
    return value


def outcome(mapping: Mapping[str, object], key: str) -> Outcome | None:
    """What something amounts to, None where nothing is said."""
    value = mapping.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or value not in _EFFECTS:
        raise _none_of(key, value, _EFFECTS)
    return _EFFECTS[value]


def choice(mapping: Mapping[str, object], key: str, choices: type[_E], default: _E | None) -> _E:
    """One of a closed list of words."""
    value = mapping.get(key)
    if value is None and default is not None:
        return default
    for choice in choices:
        if choice.value == value:
            return choice
    raise _none_of(key, value, [str(choice.value) for choice in choices])


def _none_of(key: str, value: object, words: Iterable[str]) -> DescriptionError:
    return DescriptionError(key, f"`{key}` must be one of: {', '.join(words)}; not `{value}`{_meant(value, words)}")
