"""What a command prints is known where it is nothing but names of what it found: then so is what they are handed to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from lineclear.core.effects import Deed
from lineclear.core.shell.kinds import DEEDS, Kind
from lineclear.core.shell.namedfiles import fitting
from lineclear.core.shell.program import Names
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lineclear.core.shell.program import Telling
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.simple import Redirect

_PROGRAMS = "/usr/bin/*"
"""Where programs lie: which of the folders is the same to whoever only reads them."""

_PROCESSES = re.compile(r"//*proc(?:/|$)")
"""Below it the environment of each process is found: what reads all of it shows that."""

_HOLLOW = re.compile(r"[$`]")

_DIGEST = "f00d"
"""What stands for any digest."""

_BLANK = re.compile(r"\s")

_NO_NAME = re.compile(r"[^A-Za-z0-9_.~@/+-]+")
"""What stands between names in a pattern of text."""


class FoundNames(Struct, frozen=True):
    """Names that were found. ``words`` are patterns for them, ``named`` what the text singles out among them.

    ``bare`` says that a name may begin with anything; ``whole``, that no name can be taken apart, because none holds a
    blank; ``closed``, that each ends with a NUL, so that it is whole to whoever looks for that.
    """

    words: tuple[Word, ...]
    named: tuple[Word, ...] = ()
    bare: bool = False
    whole: bool = False
    closed: bool = False
    count: bool = False
    """Its word stands for numbers from 0 on, if there are any."""

    def handed(self, raw: str, *, closed: bool = False, several: bool = True) -> Handed:
        """The names in place of a word; ``closed`` where whoever reads them looks for a NUL behind each."""
        torn = self.bare or not (self.whole or (self.closed and closed))
        words = tuple(_name(word, raw, several=several, torn=torn) for word in self.words)
        return Handed(words, self.named, count=self.count)

    def quoted(self, raw: str) -> Handed:
        """The names in place of a word in double quotes: one word, however many there are."""
        words = tuple(_name(word, raw, several=False, torn=self.bare) for word in self.words)
        return Handed(words, self.named, count=self.count)


class Handed(Struct, frozen=True):
    """The words that a command gets in place of one, and the paths that are singled out among them."""

    words: tuple[Word, ...]
    named: tuple[Word, ...] = ()
    number: bool = False
    """The one word is some number, below zero or not."""
    count: bool = False
    """There is a number from 0 on, or several, or nothing."""


def _name(word: Word, raw: str, *, several: bool, torn: bool) -> Word:
    """A pattern for names in place of a word: what is found is no text that anybody spelled, whatever its folder is."""
    if several:
        return structs.replace(word, raw=raw, several=True, torn=torn)
    return structs.replace(word, raw=raw, several=False, torn=torn, quoted=True, glob=True)


def _of_the_shell() -> Iterable[tuple[str, Handed]]:
    for number in ("$$", "$?", "$#"):
        for raw in (number, f'"{number}"'):
            yield raw, Handed((Word("1", raw),))
    for name in ("$0", "${0}"):
        for raw in (name, f'"{name}"'):
            yield raw, Handed((Word(_PROGRAMS, raw, quoted=True, glob=True, torn=True),))


_OF_THE_SHELL = dict(_of_the_shell())
"""What the shell itself puts in place of words: a number, or where it was started from, which may begin with a dash."""


def held(names: Mapping[str, Handed]) -> Iterable[tuple[str, Handed]]:
    """What stands for words that are variables which hold names, by how they are spelled."""
    for name, handed in names.items():
        several, single = (
            Handed(tuple(_name(word, word.raw, several=many, torn=word.torn) for word in handed.words), handed.named)
            for many in (True, False)
        )
        for raw in (f"${name}", f"${{{name}}}"):
            yield raw, several
            yield f'"{raw}"', single


def read_from(redirect: Redirect, scope: Scope) -> Handed | None:
    """What a redirect reads that names a loop's variable: a file that fits a pattern, or one that was found.

    Where a shell takes the name apart it reads nothing at all, for that is more than one.
    """
    if redirect.operator != "<":
        return None
    raw = redirect.raw
    pattern = scope.pattern(raw.strip('"'))
    if pattern is not None:
        return Handed((Word(pattern, raw, quoted=True, glob=True),))
    return dict(held(scope.names)).get(raw) if scope.names else None


def counted(scope: Scope) -> Iterable[tuple[str, Handed]]:
    """What stands for words that are variables which hold a number, or a number or nothing, by how they are spelled."""
    for name in (*scope.numbers, *scope.counts):
        for raw in (f"${name}", f"${{{name}}}"):
            yield raw, Handed((Word("1", raw, several=name in scope.counts),), number=True)
            yield f'"{raw}"', Handed((Word("1", f'"{raw}"'),), number=True)


def told(names: Mapping[str, Handed]) -> dict[str, Handed]:
    """The same names as far as a folder or what is singled out tells more of them than that they are somewhere."""
    found = {raw: _told(handed) for raw, handed in names.items() if not (handed.number or handed.count)}
    return {raw: structs.replace(names[raw], words=words) for raw, words in found.items() if words}


def _told(handed: Handed) -> tuple[Word, ...]:
    folders = [word for word in handed.words if word.shape.strip("./") and not word.shape.rstrip("/").endswith("/.")]
    return (*(structs.replace(word, several=True) for word in handed.named), *folders)


def _with_digest(known: Mapping[str, Handed]) -> Callable[[Word], Word]:
    """Words with a digest in place of the command that prints it, where that is one part of a word in quotes."""
    printed = [(raw, handed.words) for raw, handed in known.items() if raw.startswith(("$(", "`"))]
    said = [raw for raw, words in printed if [word.shape for word in words] == [_DIGEST]]

    def filled(word: Word) -> Word:
        if word.shape == HOLE or word.shape.count(HOLE) != 1 or not word.quoted or word.glob:
            return word
        if not any(raw in word.raw and not _HOLLOW.search(word.raw.replace(raw, "", 1)) for raw in said):
            return word
        return Word(word.shape.replace(HOLE, _DIGEST), word.raw)

    return filled


def in_place(words: Sequence[Word], known: Mapping[str, Handed], sign: str = "") -> tuple[list[Word], list[Word]]:
    """The words of a command with names in place of those that stand for them, and what is singled out in these.

    ``sign`` stands before each number.
    """
    found, named = list(words[:1]), list[Word]()
    for word in words[1:] if not known else map(_with_digest(known), words[1:]):
        handed = known.get(word.raw, _OF_THE_SHELL.get(word.raw)) if word.shape == HOLE else None
        if handed is None or (len(handed.words) > 1 and not handed.words[0].several):
            found.append(word)
        elif handed.number:
            found += [structs.replace(one, shape=sign + one.shape) for one in handed.words]
        else:
            found += handed.words
            named += handed.named
    return found, named


def found_by(reading: Reading) -> FoundNames | None:
    """The names that a command prints, None where that isn't known, or where it may print something else.

    The command must be one that is proven to only read.
    """
    binding, command = reading.binding, reading.command
    telling = next((one for one in binding.level.tells if _nothing_else(one, reading)), None)
    if telling is None or (telling.most is not None and len(binding.operands) > telling.most):
        return None
    if telling.names in {Names.NUMBER, Names.DIGESTS}:
        return _said(telling, reading.command.words[1:], binding.operands)
    closed = any(bound.spec.closes for bound in binding.bound)
    if telling.names is Names.PROGRAMS:
        if any("/" in word.shape or HOLE in word.shape or word.glob for word in binding.operands):
            return None  # a path is no name of a program, and is printed as it is
        return FoundNames((Word(_PROGRAMS, _PROGRAMS, quoted=True, glob=True),), whole=True)
    paths = read_by(reading)
    if telling.names is Names.HERE:
        return FoundNames((Word(".", "."),), tuple(paths), bare=True)
    if telling.names is Names.INPUT:
        fed = command.fed
        if fed is None or paths or command.stdin is not None:
            return None
        texts = [item.word for item in reading.given if item.value.kind is Kind.TEXT]
        return structs.replace(fed, named=(*fed.named, *_singled_out(texts, fed.words)), closed=fed.closed and closed)
    words = [word for path in paths for word in found_below(path, path.raw, None, several=True)]
    if not words:
        return None
    bare = all(path is not operand for path in paths for operand in binding.operands)
    return FoundNames(tuple(words), tuple(picked_by(reading)), bare=bare, closed=closed)


def _said(telling: Telling, words: Sequence[Word], operands: Sequence[Word]) -> FoundNames | None:
    """A number or digests, or operands as they are: no option stands among what is printed."""
    if any(not word.literal or _BLANK.search(word.shape) or word.shape[:1] == "-" for word in operands):
        return None
    if telling.given and not (operands and telling.given.issuperset(word.shape for word in operands)):
        return None
    if any(word.shape == "--" for word in words):
        return None
    count = telling.names is Names.NUMBER
    said = "1" if count else _DIGEST
    return FoundNames((Word(said, said),), whole=True, count=count)


def kept_by(reading: Reading) -> Handed | None:
    """What a command puts into its variables, where that is a name from its input or a part of one."""
    fed, keeps = reading.command.fed, reading.binding.level.keeps
    given = {bound.spec.name for bound in reading.binding.bound}
    return fed.handed("", several=False) if fed is not None and keeps and given <= keeps else None


def _nothing_else(telling: Telling, reading: Reading) -> bool:
    given = {bound.spec.name for bound in reading.binding.bound}
    listed = {*telling.options, *telling.needs}
    return given <= listed and (not telling.needs or bool(given & telling.needs))


def read_by(reading: Reading) -> list[Word]:
    """The operands that are read."""
    return [item.word for item in reading.given if not item.option and DEEDS.get(item.value.kind) == (Deed.READ,)]


def picked_by(reading: Reading) -> Iterable[Word]:
    """What the options of a command single out below the paths that it reads, whatever else may be meant too."""
    bound = [one for one in reading.binding.bound if one.value is not None and HOLE not in one.value.shape]
    for path in read_by(reading):
        if reading.narrowing is not None:
            yield from below(path, reading.narrowing)
        for one in bound:
            if one.value is not None and one.spec.narrows:
                yield from _named_below(path, one.value.shape)
    yield from _singled_out([one.value for one in bound if one.value and one.spec.picks], read_by(reading))


def _named_below(folder: Word, pattern: str) -> Iterable[Word]:
    """What a pattern of names spells out: a star in it names no hidden file."""
    if pattern.strip("*?/."):
        yield Word(f"{folder.shape.rstrip('/')}/{pattern.lstrip('/')}", folder.raw, glob=True)


def _singled_out(texts: Iterable[Word], words: Sequence[Word]) -> Iterable[Word]:
    """What patterns of text may pick: each name in them, below each path."""
    for text in texts:
        if HOLE not in text.shape:
            for name in _NO_NAME.split(text.shape.replace("\\", "")):
                if name.strip("./"):
                    yield from (Word(f"{_folder(word)}/{name.lstrip('/')}", text.raw) for word in words)


def _folder(word: Word) -> str:
    shape = word.shape
    return shape.rpartition("/")[0] if word.glob else shape.rstrip("/")


def found_below(root: Word, raw: str, narrowing: str | None, *, several: bool) -> Iterable[Word]:
    """What is found below a path: each a pattern of one path, or of ``several``."""
    if HOLE in root.shape or _PROCESSES.match(root.shape):
        yield Word(HOLE, raw, quoted=not several)
    elif narrowing is None:
        yield _name(Word(root.shape, raw, glob=root.glob), raw, several=several, torn=False)
    else:
        yield from (structs.replace(word, raw=raw, quoted=True, several=several) for word in below(root, narrowing))


def below(folder: Word, pattern: str) -> list[Word]:
    """What fits a pattern below a folder."""
    return [Word(f"{folder.shape.rstrip('/')}/{name}", folder.raw, glob=True) for name in fitting(pattern)]
