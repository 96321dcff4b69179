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

_MAGIC = re.compile(r"^\([a-z,:!]*\)")
"""What git lets stand between the colon and a path (``:(icase)``)."""

_IN_SED = re.compile(r"[rRwW][ \t]*([^\s;}][^\n;}]*)")
_IN_AWK = re.compile(r'"((?:[^"\\\n]|\\.)+)"')
_SENT = re.compile(r"(?:^|=)[@<]([^;,]+)")


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


def _of_pattern(text: str) -> Iterable[Named]:
    return () if text.startswith("!") else ((name, Deed.READ) for name in fitting(text))


def _of_sent(text: str) -> Iterable[Named]:
    return ((match[1], Deed.READ) for match in _SENT.finditer(text))


def _of_url(text: str) -> Iterable[Named]:
    return ((text, Deed.READ),) if text.lower().startswith("file:") else ()


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
    Kind.GLOB: _of_pattern,
    Kind.SENT: _of_sent,
    Kind.URL: _of_url,
    Kind.SED: _of_sed,
    Kind.AWK: _of_awk,
    Kind.PATCH: patches.files,
}
