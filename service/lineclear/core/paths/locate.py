"""From a spelled path to its place. Every path of a call goes through here, and nothing is looked up on a disk."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.core.paths.addresses import absolute
from lineclear.core.paths.ground import Ground, ground_of
from lineclear.core.paths.place import Place
from lineclear.core.paths.short_names import doubtful
from lineclear.core.paths.spelling import Family, Spelling, read

if TYPE_CHECKING:
    from lineclear.core.call import Environment


def locate(spelled: str, environment: Environment, cwd: str | None) -> Place:
    """The place of a path as a tool or a shell word spells it.

    A leading ``~`` is a home; one that is quoted in a shell is spelled ``./~`` here. ``cwd`` is the directory in which
    a relative path is read: absolute, relative to the one in which the call starts and that nobody named (``.``,
    ``src``), or None where it can't be known.
    """
    ground = ground_of(environment)
    base = _base if ground.heavy else _kept_base
    trails = [_trail(read(spelled, one), one, ground, base(one, ground, cwd)) for one in ground.families]
    first = trails[0]
    lexical = first.collapsed()
    text = lexical.text
    real, vouched = ground.links.real(first)
    alternate = None
    if len(trails) > 1:
        other = trails[-1].collapsed().text
        alternate = None if other == text else other
        if real is None:
            real, vouched = ground.links.real(trails[-1])
    return Place(
        spelled,
        text,
        real,
        vouched,
        alternate=alternate,
        adrift=lexical.relative and cwd is None,
        doubtful=not vouched and ground.windows and any(doubtful(step) for step in trails[-1].steps),
    )


def inside(place: Place, environment: Environment, *, writing: bool) -> bool:
    """Whether a place provably lies in the workspace, by every view of it.

    For ``writing``, a place that the caller didn't resolve counts only in a trusted repository. Without a directory,
    a relative path that doesn't climb is inside, and every other outside.
    """
    if place.adrift or place.doubtful or (writing and not place.vouched and not environment.repository_trusted):
        return False
    ground = ground_of(environment)
    return all(_view_inside(view, ground) for view in place.views)


def within(path: str, folder: str, ground: Ground) -> bool:
    """Whether a normalised path is a folder or lies in it, whole names compared."""
    path, folder = ground.key(path), ground.key(folder)
    return path == folder or path.startswith(folder if folder.endswith("/") else folder + "/")


def _view_inside(view: str, ground: Ground) -> bool:
    if absolute(view):
        return any(within(view, root, ground) for root in ground.roots)
    return not ground.cwds and view[:1] != "~" and view.split("/", 1)[0] != ".."


def _trail(spelling: Spelling, family: Family, ground: Ground, base: Spelling | None) -> Spelling:
    """The spelling from where it starts: ``base`` if it is relative, as far as that is known."""
    anchor = spelling.anchor
    if anchor == "":
        return spelling if base is None else Spelling(base.anchor, base.steps + spelling.steps)
    if anchor[0] == "~":
        return _from_home(spelling, family, ground)
    if anchor == "/":
        return _rooted(spelling, family, ground, base)
    if anchor[-1] != ":":
        return spelling
    if base is not None and base.anchor == f"{anchor}/":
        return Spelling(base.anchor, base.steps + spelling.steps)
    return Spelling("", ("..", *spelling.steps))


def _base(family: Family, ground: Ground, cwd: str | None) -> Spelling | None:
    """The directory to start from; None where it isn't known. A relative one starts from where nobody knows."""
    if cwd is None:
        return None
    base = read(cwd, family)
    return (base if base.relative else _trail(base, family, ground, ground.bases[family])).collapsed()


_kept_base = lru_cache(maxsize=512)(_base)


def _rooted(spelling: Spelling, family: Family, ground: Ground, base: Spelling | None) -> Spelling:
    """A path from a root: on Windows that of a drive, which the shells of Unix spell as the first folder."""
    if family is Family.POSIX:
        return spelling
    steps = spelling.steps
    if ground.posix_shell and steps and len(steps[0]) == 1 and steps[0].isascii() and steps[0].isalpha():
        return Spelling(f"{steps[0].upper()}:/", steps[1:])
    if base is not None and base.anchor[1:] == ":/":
        return Spelling(base.anchor, steps)
    return spelling


def _from_home(spelling: Spelling, family: Family, ground: Ground) -> Spelling:
    """A path from a home. Another person's is taken to lie beside the known one, which proves nothing."""
    if not ground.homes:
        return spelling
    home = read(ground.homes[0], family)
    if spelling.anchor == "~" or (home.steps and spelling.anchor[1:] == home.steps[-1]):
        return Spelling(home.anchor, home.steps + spelling.steps)
    return spelling
