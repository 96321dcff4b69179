"""A redirect opens a file: which, for what, and whether that is known well enough for a proof."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from lineclear.core.effects import Deed, Host, Touch
from lineclear.core.shell.found import read_from
from lineclear.core.shell.pathwords import folders_of, network_path, touch_word
from lineclear.core.shell.proof import unfit
from lineclear.core.shell.special import astray
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import Environment
    from lineclear.core.shell.found import Handed
    from lineclear.core.shell.pathwords import Folders
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.simple import Redirect

_DEEDS = {"<": Deed.READ, "<&": Deed.READ, ">>": Deed.WRITE, "&>>": Deed.WRITE}
"""What a redirect does to its file; one that isn't here overwrites it."""

_COPIES = frozenset({">&", "<&"})
_DESCRIPTOR = re.compile(r"[0-9]+|-")
"""What both bash and zsh take for one; `2-`, which bash moves, is a file to zsh."""
_ONE_READING = re.compile(r"[\w./+:,@%-]*")
"""A name that means the same however often it is expanded: bash expands the one behind ``>&`` twice, quoted or not, and
runs what stands in it (``>&'$(rm a)'``)."""


class Opened(Struct, frozen=True):
    """What a redirect touches and connects to.

    ``clear`` is false where it connects or leads somewhere that isn't known, ``readable`` where the text names no
    single file, or may name one by what it runs, so that its structure isn't known either.
    """

    touches: Sequence[Touch] = ()
    host: Host | None = None
    clear: bool = True
    readable: bool = True


def open_file(redirect: Redirect, scope: Scope, environment: Environment, by: int | None) -> Opened:
    """What a redirect opens in a shell; ``by`` is the index of the command that it is for, None if it is for none."""
    folders = folders_of(scope)
    word = redirect.target
    known = word is not None and HOLE not in word.shape
    if not known and (handed := read_from(redirect, scope)) is not None:
        return _read(handed, folders, environment, by)
    if word is None or not known:
        pattern = scope.pattern(redirect.raw)
        if pattern is not None:
            word = Word(pattern, redirect.raw, glob=True)
        elif word is None:
            word = Word(HOLE, redirect.raw)
    readable = redirect.target is not None
    if redirect.operator in _COPIES:
        if _DESCRIPTOR.fullmatch(word.shape):
            return Opened(clear=known, readable=readable)
        readable = readable and known and _ONE_READING.fullmatch(word.shape) is not None
    deed = _DEEDS.get(redirect.operator, Deed.OVERWRITE)
    host = network_path(word.shape)
    if host is not None:
        deed = Deed.WRITE  # both ways at once, and a part of its own that a rule must cover
    touches = touch_word(word, deed, environment, folders, by=by, redirect=True)
    clear = known and host is None and all(unfit(touch) is None for touch in touches)
    return Opened(touches, None if host is None else Host(host, by=by), clear, readable)


def _read(handed: Handed, folders: Folders, environment: Environment, by: int | None) -> Opened:
    """Files of which it is known how their names are made."""
    touches: list[Touch] = []
    for word in (*handed.words, *handed.named):
        touches += touch_word(word, Deed.READ, environment, folders, by=by, redirect=True)
    return Opened(touches, clear=not any(unfit(touch) or astray(touch) for touch in touches))
