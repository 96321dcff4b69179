"""What a command touches and connects to, by what its words are for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import structs

from lineclear.core.effects import Deed, Host, Touch
from lineclear.core.shell.found import below
from lineclear.core.shell.kinds import CONDITIONS, CONNECTS, DEEDS, ENTERED, REMOTES, Kind
from lineclear.core.shell.languages.condition import read_condition
from lineclear.core.shell.pathwords import folders_of, hosts_in, paths_in, remote, touch_word, url_in, urls_within
from lineclear.core.shell.program import Outcome, Value
from lineclear.core.shell.simple import MAX_TOUCHES
from lineclear.core.shell.slots import Given
from lineclear.core.shell.variables import harmless, proxy
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import Environment
    from lineclear.core.shell.pathwords import Folders
    from lineclear.core.shell.reading import Reading

_UPWARD = re.compile(r"^(?:\.{0,2}/)+")
_MOST_LINES = 100
"""How many lines of an input that names paths are read."""

_SOURCES = frozenset({Kind.READ, Kind.MOVE, Kind.LINK, Kind.REMOTE})


def touches_of(reading: Reading, environment: Environment, by: int) -> list[Touch]:
    """Every path that a command touches, in each directory in which it may run."""
    found: list[Touch] = []
    for item in reading.given:
        found += _item_touches(item, reading, environment, by)
        if len(found) > MAX_TOUCHES:
            return found
    stdin = reading.binding.level.stdin
    if stdin is not None and reading.command.stdin is not None:
        told = reading.command.stdin
        for text in told.splitlines()[:_MOST_LINES] if stdin in DEEDS else [told]:
            found += _item_touches(Given(Value(stdin), Word(text, "<<")), reading, environment, by)
    for kind in CONDITIONS & reading.kinds:
        words = [item.word for item in reading.given if item.value.kind is kind]
        for word in read_condition(words, doubled=kind is Kind.CONDITION, evaluates=reading.evaluates) or ():
            found += touch_word(word, Deed.READ, environment, reading.folders, by=by)
    for _, value in _assigned(reading):
        for named, deed in paths_in(Kind.ANY, Word(value or "", value or "")):
            if deed is Deed.READ:
                found += touch_word(named, deed, environment, folders_of(reading.command.scope), by=by)
    for word in _put_into(reading):
        found += touch_word(word, Deed.WRITE, environment, reading.folders, by=by)
    if reading.outcome is not Outcome.READ:
        for path in _implied(reading):
            found += touch_word(Word(path, path), Deed.WRITE, environment, reading.folders, by=by)
    left = [*reading.placed.left, *reading.binding.undescribed]
    return found + undescribed(left, environment, reading.folders, by)


def hosts_of(reading: Reading, by: int) -> list[Host]:
    """Every host that a command connects to, as far as a word names it; what isn't described may hold URLs."""
    assigned = _assigned(reading)
    named: list[str] = []
    if reading.kinds & CONNECTS:
        named += [host for item in reading.given for host in hosts_in(item.value.kind, item.word)]
    loose = [*reading.placed.left, *reading.binding.undescribed]
    urls = [item for item in reading.given if "://" in item.word.shape]
    loose += [item.word for item in urls if _may_hold_urls(item, reading.outcome)]
    loose += [Word(text, text) for name, text in assigned if text and not proxy(name)]
    if reading.binding.level.stdin is not None and reading.command.stdin is not None:
        loose.append(Word(reading.command.stdin, "<<"))
    named += [url for word in loose for url in urls_within(word)]
    named += [text for name, text in assigned if text and proxy(name)]
    return [Host(name, by=by) for name in dict.fromkeys(named)]


def _may_hold_urls(item: Given, outcome: Outcome) -> bool:
    if item.value.kind is Kind.TEXT:
        return not item.option and outcome is Outcome.OTHER
    if item.value.kind in DEEDS:
        return item.option or outcome is Outcome.OTHER
    return item.value.kind in {Kind.ANY, Kind.CARRIED, Kind.CODE}


def _assigned(reading: Reading) -> list[tuple[str, str | None]]:
    """What is put into the environment, and isn't known to be harmless."""
    pairs = reading.command.assigned
    if Kind.ASSIGNMENT in reading.kinds:
        words = [item.word.shape.partition("=") for item in reading.given if item.value.kind is Kind.ASSIGNMENT]
        pairs = [*pairs, *((name.rstrip("+"), value) for name, _, value in words)]
    return [(name, value) for name, value in pairs if not harmless(name, value)]


def undescribed(words: Iterable[Word], environment: Environment, folders: Folders, by: int) -> list[Touch]:
    """Words of which nobody knows what they are for: each path in them may be read and written.

    There are no more than some above the limit, which show that it was passed.
    """
    found: list[Touch] = []
    for word in words:
        if url_in(word) is not None:
            continue
        for path, deed in paths_in(Kind.ANY, word):
            if deed is Deed.READ:
                read = _supposed(touch_word(path, deed, environment, folders, by=by))
                found += [*read, *(structs.replace(touch, deed=Deed.WRITE) for touch in read)]
        if len(found) > MAX_TOUCHES:
            break
    return found


def _supposed(touches: Iterable[Touch]) -> list[Touch]:
    return [structs.replace(touch, supposed=True) for touch in touches]


def urls_in(words: Iterable[Word], by: int) -> list[Host]:
    """The URLs in the words of an unknown program."""
    return [Host(url, by=by) for word in words for url in urls_within(word)]


def _item_touches(item: Given, reading: Reading, environment: Environment, by: int) -> list[Touch]:
    kind = item.value.kind
    if kind in {Kind.ANY, Kind.CARRIED}:
        return undescribed([item.word], environment, reading.folders, by)
    found: list[Touch] = []
    folders = folders_of(reading.command.scope) if kind in ENTERED else reading.folders
    if kind is Kind.TEXT and item.word.glob:  # the shell lists the folder, and the second of several is an operand
        listed = item.word
        if reading.binding.level.only_texts and not listed.quoted:
            listed = _listed(listed)
        if listed.quoted:  # one text, which a loop over the pattern began and other values go on
            listed = structs.replace(listed, shape=listed.shape.replace(HOLE, "*"))
        found += touch_word(listed, Deed.READ, environment, folders, by=by)
    for path, deed in paths_in(kind, item.word):
        words, wide = [path], reading.recursive or item.value.recursive
        if deed is not Deed.READ:
            if reading.dry_run or (item.value.dash and path.shape == "-") or _unpacked(item, reading):
                continue
            if wide and reading.narrowing is not None and HOLE not in path.shape:
                words, wide = below(path, reading.narrowing), False
        for word in words:
            found += touch_word(word, deed, environment, folders, by=by, recursive=wide)
    for end in item.value.strips:
        if item.word.shape.endswith(end):
            made = Word(item.word.shape.removesuffix(end), item.word.raw, glob=item.word.glob)
            found += touch_word(made, Deed.WRITE, environment, folders, by=by)
    return _supposed(found) if kind is Kind.CODE else found


def _listed(word: Word) -> Word:
    """The folder of which a pattern of any names lists all (``echo a/*``); the pattern itself where it says more."""
    steps = word.shape.split("/")
    while len(steps) > 1 and not any(map(str.isalnum, steps[-1])):
        steps.pop()
    shape = "/".join(steps) or "/"
    return structs.replace(word, shape=shape if any(map(str.isalnum, shape)) else ".")


def _unpacked(item: Given, reading: Reading) -> bool:
    """Whether an archive is only read."""
    binding = reading.binding
    reads = item.value.kind is Kind.REMOTE_ARCHIVE and not binding.faults
    return reads and any(bound.spec.unpacks for bound in binding.bound)


def _implied(reading: Reading) -> list[str]:
    paths = [*reading.binding.level.writes, *reading.placed.writes]
    for bound in reading.binding.bound:
        paths += bound.spec.writes
    return paths


def _put_into(reading: Reading) -> list[Word]:
    """Where a target may be a folder, what is put into it keeps its name there, or all of its path."""
    given, specs = reading.given, [bound.spec for bound in reading.binding.bound]
    stated = [spec.saves for spec in specs if spec.saves is not None]
    saves = any(stated) if stated else reading.binding.level.saves
    targets = [item.word for item in given if item.value.into and not item.word.glob and not _elsewhere(item)]
    if not saves and not targets:
        return []
    sources = [item.word for item in given if item.value.kind in _SOURCES and not item.option]
    if saves:
        sources += [item.word for item in given if item.value.kind is Kind.URL]
        targets = targets or [Word(".", ".")]
    whole = any(spec.whole for spec in specs)
    return [
        Word(f"{target.shape.rstrip('/')}/{name}", target.raw, glob=source.glob)
        for target in targets
        for source in sources
        for name in _names_there(source.shape, whole=whole)
        if HOLE not in name and not target.shape.rstrip("/").endswith(name)
    ]


def _elsewhere(item: Given) -> bool:
    return item.value.kind in REMOTES and remote(item.word.shape)


def _names_there(source: str, *, whole: bool) -> Iterable[str]:
    """What a source may be called where it is put; of a URL, also as it is when it is decoded."""
    if "://" in source:
        name = source.partition("?")[0].partition("#")[0].rpartition("/")[2]
        return dict.fromkeys((name, unquote(name)))
    name = source.rstrip("/").rpartition("/")[2]
    names = {} if name in {"", ".", ".."} else {name: None}
    return {**names, _UPWARD.sub("", source): None} if whole else names
