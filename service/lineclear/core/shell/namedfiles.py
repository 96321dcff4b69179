"""Words that name files without being paths: revisions, scripts, patches, patterns, forms. Each file, and its deed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core import patches
from lineclear.core.effects import Deed
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.languages.awk import awk_only_prints
from lineclear.core.shell.languages.sed import sed_only_prints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Named = tuple[str, Deed]

_MOST_COLONS = 4
"""How many colons of a word are looked behind."""

_MOST_MARKS = 8
"""At how many marks a word is taken apart of which nobody knows what it is for."""

_ROOTS = frozenset({"/", "~", ".", ".."})

_MAGIC = re.compile(r"^\([a-z,:!]*\)")
"""What git lets stand between the colon and a path (``:(icase)``)."""

_IN_SED = re.compile(r"[rRwW][ \t]*([^\s;}][^\n;}]*)")
_IN_AWK = re.compile(r'"((?:[^"\\\n]|\\.)+)"')
_NO_NAMES = re.compile(r"[=:,@]")
_SHORT_OPTION = re.compile(r"-[A-Za-z0-9](?=[^A-Za-z0-9-])|^-[A-Za-z](?=[A-Za-z0-9][^=:,@]*/)")
_IN_CODE = re.compile(r"[^\s'\"`()\[\]{}<>,;=|&!]+")
_QUOTED = re.compile(r"'([^'\n]+)'|\"([^\"\n]+)\"|`([^`\n]+)`")
_BEFORE_NAMES = "<>|+&@ "
_REPORTED = re.compile(r"%output\{(?:>>)?([^}]+)\}")
_SENT = re.compile(r"^[^=]*[@<]([^;,]+)|=[@<]([^;,]+)")


def files_named(kind: Kind, text: str) -> Iterable[Named] | None:
    """The files that a word of a kind names, None where it is a path itself, or of no kind that names files."""
    read = _FORMS.get(kind)
    return None if read is None else read(text)


def fitting(pattern: str) -> Iterable[str]:
    """What a pattern of names means that isn't expanded by a shell: there a star stands for a leading dot too."""
    yield pattern
    folder, slash, name = pattern.rpartition("/")
    if name.startswith("*"):
        rest = name.lstrip("*")
        yield f"{folder}{slash}{rest if rest.startswith('.') else f'.*{rest}'}"


def _of_revision(text: str) -> Iterable[Named]:
    """``HEAD:src/a.py``, ``:0:a``, ``1,5:a``: a path may begin behind each colon; without one, all may be a path."""
    parts = text.split(":", _MOST_COLONS)
    for at in range(1, len(parts)):
        if path := _MAGIC.sub("", ":".join(parts[at:])).removeprefix("./"):
            yield path, Deed.READ
    if len(parts) == 1:
        yield text, Deed.READ


def _of_any(text: str) -> Iterable[Named]:
    """The word, what an option's letter stands before, and what its marks set off: an option alone is no path."""
    pieces = dict.fromkeys([text, _SHORT_OPTION.sub("", text), *_NO_NAMES.split(text, _MOST_MARKS)])
    for piece in pieces:
        if (not piece.startswith("-") and any(map(str.isalnum, piece))) or piece in _ROOTS:
            yield piece, Deed.READ
            yield piece, Deed.WRITE


def _of_pattern(text: str) -> Iterable[Named]:
    return () if text.startswith("!") else ((name, Deed.READ) for name in fitting(text))


def _of_sent(text: str) -> Iterable[Named]:
    return ((match[1] or match[2], Deed.READ) for match in _SENT.finditer(text))


def _of_report(text: str) -> Iterable[Named]:
    yield from ((match[1], Deed.WRITE) for match in _REPORTED.finditer(text))
    if text.startswith("@"):
        yield text[1:], Deed.READ


def _of_url(text: str) -> Iterable[Named]:
    return ((text, Deed.READ),) if text.lower().startswith("file:") else ()


def _of_code(text: str) -> Iterable[Named]:
    """What is quoted in code, and what has a slash in it or begins as a path does: each may be a file."""
    quoted = ("".join(match.groups("")).strip(_BEFORE_NAMES) for match in _QUOTED.finditer(text))
    bare = (word for word in _IN_CODE.findall(text) if "/" in word or word[0] in ".~")
    for name in dict.fromkeys((*quoted, *bare)):
        if any(map(str.isalnum, name)):
            yield name, Deed.READ
            yield name, Deed.WRITE


def _of_sed(script: str) -> Iterable[Named]:
    """What ``r`` and ``w`` name. That it reads like one is enough, in a script that doesn't only print."""
    if sed_only_prints(script):
        return
    for match in _IN_SED.finditer(script):
        yield from ((match[1].strip(), deed) for deed in (Deed.READ, Deed.WRITE))


def _of_awk(script: str) -> Iterable[Named]:
    """The texts in a program that doesn't only print: each may be a file that it reads or writes."""
    if awk_only_prints(script):
        return
    for match in _IN_AWK.finditer(script):
        yield from ((match[1], deed) for deed in (Deed.READ, Deed.WRITE))


_FORMS: dict[Kind, Callable[[str], Iterable[Named]]] = {
    Kind.TREE: _of_revision,
    Kind.ANY: _of_any,
    Kind.CARRIED: _of_any,
    Kind.GLOB: _of_pattern,
    Kind.SENT: _of_sent,
    Kind.REPORT: _of_report,
    Kind.URL: _of_url,
    Kind.SED: _of_sed,
    Kind.AWK: _of_awk,
    Kind.CODE: _of_code,
    Kind.PATCH: patches.files,
}
