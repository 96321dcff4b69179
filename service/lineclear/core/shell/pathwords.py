"""Words that are paths, hosts or URLs: where they lead from each directory that may be the current one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import ada_url
from msgspec import structs

from lineclear.core.effects import Deed, Touch
from lineclear.core.paths.locate import locate
from lineclear.core.shell.braces import TooManyWords, expand_braces
from lineclear.core.shell.kinds import CONNECTS, DEEDS, REMOTES, Kind
from lineclear.core.shell.namedfiles import files_named
from lineclear.core.shell.words import HOLE, SOMETHING, Word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import Environment
    from lineclear.core.shell.scope import Scope

Folders = tuple[str | None, ...]
"""The directories in which a relative path may be read."""

_REMOTE = re.compile(r"(?:[^/:]*@)?\[?[^/:\s]*\]?:(?!\\)")
_PATH_LIKE = re.compile(r"\S*[./~]")
_NO_FILES = re.compile(r"/dev/(?:null|tty|stdout|stderr|zero|full|fd/[12])")
_INPUT = frozenset({"/dev/stdin", "/dev/fd/0"})
"""What is written there goes into the file that the input is."""
_DEFAULT = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*:?[-=+]([^{}$`]*)\}")
_UNQUOTED = str.maketrans("", "", "\"'\\")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"`<>()\[\]{},;]+")
_NO_HOST = re.compile(rf"(?:[A-Za-z][A-Za-z0-9+.-]*:/+)?(?:[^/?#]*@)?{HOLE}(?:[:/?#]|$)")
_NO_PORT = re.compile(rf":{HOLE}(?=[/?#]|$)")
_ROUTE = re.compile(r"(?:\[[^\]]*\]|[^:]*):[0-9*]*:([^,]*)|(?:[^:]*:)?[0-9]+:([^:]+):[0-9]+")
_SPREAD = re.compile(r"\{[^{}]*[,.][^{}]*\}|\[\w-\w")
_RANGE = re.compile(r"\[(\w+)-(\w+)\]")
_NETWORK = re.compile(r"/dev/(?:tcp|udp)/([^/]+)/(.*)")


class FolderPattern(str):
    """A directory that is known by a pattern only."""

    __slots__ = ()


def folders_of(scope: Scope) -> Folders:
    """Every directory in which the scope's shell may be."""
    certain = (scope.cwd, *(other for other in scope.others if other != scope.cwd))
    return certain if scope.likely is None or scope.likely in certain else (*certain, scope.likely)


def enter(word: Word, environment: Environment, folders: Folders) -> Folders:
    """The directories that a word leads to from each of some."""
    if not word.literal:
        return (None,)
    reached: dict[str | None, None] = {}
    for folder in folders:
        place = locate(spelled(word), environment, folder)
        reached[None if place.adrift else place.lexical] = None
    return tuple(reached)


def likely(word: Word, environment: Environment, folder: str | None) -> str | None:
    """The directory that a word leads to as far as it is known, a pattern perhaps; None if nothing of it is."""
    known = _known(word.shape) if HOLE in word.shape else spelled(word)
    if not known:
        return None
    place = locate(known, environment, folder).lexical
    return FolderPattern(place) if word.glob or isinstance(folder, FolderPattern) else place


def spelled(word: Word) -> str:
    """A word as paths are spelled: a quoted tilde is no home."""
    return f"./{word.shape}" if word.shape[:1] == "~" and word.raw[:1] != "~" else word.shape


def touch_word(
    word: Word,
    deed: Deed,
    environment: Environment,
    folders: Folders,
    *,
    by: int | None,
    recursive: bool = False,
    redirect: bool = False,
) -> list[Touch]:
    """The touches of one word that is a path."""
    if HOLE in word.shape:
        unknown = Touch(word.raw, None, deed, recursive=recursive, redirect=redirect, by=by)
        found = [unknown]
        if tail := _tail(word.shape):
            found.append(structs.replace(unknown, place=locate(tail, environment, None), glob=True))
        if known := _known(word.shape):
            places = folders if known[0] not in "/~" and word.shape[0] != HOLE else (None,)
            found += [
                structs.replace(unknown, place=locate(known, environment, folder), glob=word.glob) for folder in places
            ]
        if (other := _with_defaults(word.raw)) is not None:
            found += [structs.replace(unknown, place=locate(other, environment, folder)) for folder in folders]
        return found
    path = spelled(word)
    if not path or _no_file(path, deed, redirect=redirect):
        return []
    if path[0] in "/~":
        folders = folders[:1]
    return [
        Touch(
            path,
            locate(path, environment, folder),
            deed,
            recursive,
            word.glob or isinstance(folder, FolderPattern),
            redirect,
            by,
        )
        for folder in folders
    ]


def _no_file(path: str, deed: Deed, *, redirect: bool) -> bool:
    """Whether nothing happens to a file: a program reads its input for a dash, and some devices keep no text."""
    if path == "-":
        return deed is Deed.READ and not redirect
    if path in _INPUT:
        return deed is Deed.READ
    return deed not in {Deed.REMOVE, Deed.MOVE} and _NO_FILES.fullmatch(path) is not None


def _with_defaults(raw: str) -> str | None:
    """The word with what stands for unset variables in their places (``${x:-.git}/config``), None if that isn't all."""
    text = _DEFAULT.sub(r"\1", raw)
    return None if text == raw or "$" in text or "`" in text else text.translate(_UNQUOTED)


def _tail(shape: str) -> str:
    """What a path that isn't known ends in for certain, behind where it begins if that is known; empty if in nothing.

    ``"$x/.env"`` is a ``.env`` somewhere, whatever the variable holds.
    """
    behind = shape.rpartition(HOLE)[2]
    if "/" not in behind.rstrip("/"):
        return ""
    return shape.replace(HOLE, "*") if shape[0] in "/~" else behind.partition("/")[2]


def _known(shape: str) -> str:
    """What is certain of a path that isn't known, with what no pattern spells in place of holes; empty if nothing is.

    ``"$HOME/.ssh/$x"`` lies in ``.ssh``, and ``"$x.pem"`` is a ``.pem`` somewhere, whatever the variable holds.
    """
    if shape[0] == HOLE and "/" in shape:
        shape = shape.partition("/")[2]
    return shape.replace(HOLE, SOMETHING) if shape.replace(HOLE, "").strip("./~") else ""


def paths_in(kind: Kind, word: Word) -> Iterable[tuple[Word, Deed]]:
    """The paths in a word, by what it is for, and what is done to each."""
    if (named := files_named(kind, word.shape)) is not None:
        patterns = kind in {Kind.GLOB, Kind.TREE}  # quoted or not, the program itself expands them
        return [
            (Word(path, word.raw, word.quoted, word.glob or (patterns and any(map(path.__contains__, "*?[")))), deed)
            for path, deed in named
        ]
    if kind in REMOTES and remote(word.shape):
        return ()
    return [(word, deed) for deed in DEEDS.get(kind, ())]


def remote(text: str) -> bool:
    """Whether a text of the form ``host:path`` or a URL names another machine."""
    return "://" in text or _REMOTE.match(text) is not None


def hosts_in(kind: Kind, word: Word) -> Iterable[str]:
    """What a word connects to."""
    if kind not in CONNECTS or (kind in REMOTES and not remote(word.shape)):
        return ()
    texts = [word.shape]
    if kind is Kind.REROUTED and (route := _ROUTE.match(word.shape)) is not None:
        texts = [route[1] or route[2]]
    elif kind is Kind.URL and _SPREAD.search(word.shape):
        texts = _spread(word.shape)
    return [host for text in texts if (host := named_host(text)) is not None]


def _spread(url: str) -> list[str]:
    """The URLs that a list or a range in one stands for, which some programs try one after the other."""
    spelled = _RANGE.sub(r"{\1..\2}", url)
    try:
        return [url, *(text for text, _ in expand_braces(spelled, "u" * len(spelled)))]
    except TooManyWords:
        return [url]


def named_host(text: str) -> str | None:
    """A text that names a host whatever its holes are (``https://x.y/$id``), None where the host is one of them."""
    if HOLE not in text:
        return text
    if _NO_HOST.match(text) is not None:
        return None
    return _NO_PORT.sub(":0", text).replace(HOLE, "unknown")


def url_in(word: Word) -> str | None:
    """A URL that a word of an unknown program is, or ends in behind an equals sign."""
    if HOLE in word.shape or "://" not in word.shape:
        return None
    for text in (word.shape, word.shape.partition("=")[2]):
        if "://" in text and ada_url.check_url(text) and not text.startswith("file:"):
            return text
    return None


def urls_within(word: Word) -> Iterable[str]:
    """Every URL in a word of which nobody knows what it is for."""
    if "://" not in word.shape:
        return ()
    urls = (url for url in _URL.findall(word.shape) if not url.lower().startswith("file:"))
    return [named for url in urls if (named := named_host(url)) is not None]


def path_like(word: Word) -> bool:
    """Whether a text looks like a path: no URL, and with a slash, a dot or a tilde before any blank."""
    return _PATH_LIKE.match(word.shape) is not None and url_in(word) is None


def network_path(path: str) -> str | None:
    """The host of a path that the shell itself turns into a connection."""
    found = _NETWORK.match(path)
    return named_host(f"{found[1]}:{found[2]}") if found else None
