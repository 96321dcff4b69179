"""What a command touches and connects to, by what its words are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.effects import Deed, Host, Touch
from lineclear.core.shell.kinds import CONDITIONS, Kind
from lineclear.core.shell.languages.condition import read_condition
from lineclear.core.shell.namedfiles import fitting
from lineclear.core.shell.pathwords import folders_of, host_of, path_like, paths_in, touch_word, url_in
from lineclear.core.shell.program import Outcome, Value
from lineclear.core.shell.slots import Given
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.call import Environment
    from lineclear.core.shell.pathwords import Folders
    from lineclear.core.shell.reading import Reading

_SOURCES = frozenset({Kind.READ, Kind.MOVE, Kind.LINK, Kind.REMOTE})


def touches_of(reading: Reading, environment: Environment, by: int) -> list[Touch]:
    """Every path that a command touches, in each directory in which it may run."""
    found: list[Touch] = []
    for item in reading.given:
        found += _item_touches(item, reading, environment, by)
    if reading.binding.level.stdin is Kind.PATCH and reading.command.stdin is not None:
        body = Word(reading.command.stdin, "<<")
        found += _item_touches(Given(Value(Kind.PATCH), body), reading, environment, by)
    for kind in CONDITIONS & {item.value.kind for item in reading.given}:
        words = [item.word for item in reading.given if item.value.kind is kind]
        for word in read_condition(words, doubled=kind is Kind.CONDITION) or ():
            found += touch_word(word, Deed.READ, environment, reading.folders, by=by)
    for word in _put_into(reading.given):
        found += touch_word(word, Deed.WRITE, environment, reading.folders, by=by)
    if reading.outcome is not Outcome.READ:
        for path in _implied(reading):
            found += touch_word(Word(path, path), Deed.WRITE, environment, reading.folders, by=by)
    return found + undescribed(reading.placed.left, environment, reading.folders, by)


def hosts_of(reading: Reading, by: int) -> list[Host]:
    """Every host that a command connects to, as far as a word names it."""
    named = (host_of(item.value.kind, item.word) for item in reading.given)
    return [Host(name, by=by) for name in named if name is not None]


def undescribed(words: Iterable[Word], environment: Environment, folders: Folders, by: int) -> list[Touch]:
    """Words of which nobody knows what they are for: what looks like a path is read, at least."""
    found: list[Touch] = []
    for word in words:
        if (path := path_like(word)) is not None:
            found += touch_word(path, Deed.READ, environment, folders, by=by)
    return found


def urls_in(words: Iterable[Word], by: int) -> list[Host]:
    """Words of an unknown program that are URLs."""
    found = (url_in(word) for word in words)
    return [Host(url, by=by) for url in found if url is not None]


def _item_touches(item: Given, reading: Reading, environment: Environment, by: int) -> list[Touch]:
    found: list[Touch] = []
    folders = folders_of(reading.command.scope) if item.value.kind is Kind.FOLDER else reading.folders
    for path, deed in paths_in(item.value.kind, item.word):
        words, wide = [path], reading.recursive or item.value.recursive
        if deed is not Deed.READ:
            if reading.dry_run:
                continue
            if wide and reading.narrowing is not None and HOLE not in path.shape:
                words, wide = below(path, reading.narrowing), False
        for word in words:
            found += touch_word(word, deed, environment, folders, by=by, recursive=wide)
    return found


def below(folder: Word, pattern: str) -> list[Word]:
    """What fits a pattern below a folder."""
    return [Word(f"{folder.shape.rstrip('/')}/{name}", folder.raw, glob=True) for name in fitting(pattern)]


def _implied(reading: Reading) -> list[str]:
    paths = [*reading.binding.level.writes, *reading.placed.writes]
    for bound in reading.binding.bound:
        paths += bound.spec.writes
    return paths


def _put_into(given: Sequence[Given]) -> list[Word]:
    """Where a target may be a folder, what is put into it keeps its name there."""
    targets = [item.word for item in given if item.value.into and not item.word.glob]
    sources = [item.word for item in given if item.value.kind in _SOURCES and not item.option]
    found: list[Word] = []
    for target in targets:
        folder = target.shape.rstrip("/")
        for source in sources:
            name = source.shape.rstrip("/").rpartition("/")[2]
            if name not in {"", ".", ".."} and HOLE not in name and not folder.endswith(name):
                found.append(Word(f"{folder}/{name}", target.raw, glob=source.glob))
    return found
