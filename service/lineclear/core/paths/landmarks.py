"""Landmarks: the folders without which a machine, a person's home or the work at hand is gone."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.core.call import Platform
from lineclear.core.paths.addresses import absolute, names_of
from lineclear.core.paths.names import any_case, exact
from lineclear.core.paths.steps import Glob

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lineclear.core.paths.ground import Ground
    from lineclear.core.paths.trie import Step

_HOLD_HOMES = (("home",), ("users",), ("var", "home"), ("export", "home"))
_HOMES = (("root",), ("var", "root"))
_HOLD_DRIVES = (("mnt",), ("volumes",), ("cygdrive",), ("media",), ("media", "*"), ("run", "media", "*"))


def landmark(view: str, steps: Sequence[Step], ground: Ground) -> str | None:
    """Which landmark the steps of a path are or hold, in words; ``view`` is the path that they were taken from."""
    if not absolute(view):
        return _unmoored(steps)
    return (
        top(view, steps)
        or home_of(view, steps, ground)
        or _point(steps, "the working directory", ground.cwds, ground)
        or _point(steps, "a workspace root", ground.roots, ground)
        or _below_top(view, steps)
    )


def top(view: str, steps: Sequence[Step]) -> str | None:
    """The root of a file system, a drive or a network share."""
    if view.startswith("//"):
        return "a network share" if len(steps) <= 2 else None  # noqa: PLR2004 - server and share
    if not steps:
        return "the root directory"
    return "a drive" if view[1:3] == ":/" and len(steps) == 1 else None


def home_of(view: str, steps: Sequence[Step], ground: Ground) -> str | None:
    """A person's home, or a folder that holds one."""
    known = _point(steps, "the home directory", ground.homes, ground)
    if known is not None:
        return known
    return _customary_home(tuple(steps[1:] if view[1:3] == ":/" else steps))


@lru_cache(maxsize=1024)
def _customary_home(steps: tuple[Step, ...]) -> str | None:
    """What lies where systems put the homes of people."""
    if any(_is(steps, names) for names in _HOLD_HOMES):
        return "a folder that holds home directories"
    if any(_is(steps, names) for names in _HOMES) or any(_is(steps[:-1], names) for names in _HOLD_HOMES):
        return "a home directory"
    return None


def _below_top(view: str, steps: Sequence[Step]) -> str | None:
    if view[1:3] == ":/":
        return "a folder directly below a drive" if len(steps) == 2 else None  # noqa: PLR2004 - the drive and a name
    if len(steps) == 1:
        return "a direct child of the root directory"
    return "a drive" if any(_is(steps[:-1], names) for names in _HOLD_DRIVES) else None


def _unmoored(steps: Sequence[Step]) -> str | None:
    """The landmarks of a path from a directory or a home that isn't known."""
    from_home = bool(steps) and isinstance(steps[0], str) and steps[0][:1] == "~"
    if any(step != ".." for step in (steps[1:] if from_home else steps)):
        return None
    return "a home directory" if from_home else "the working directory or a folder that holds it"


def _point(steps: Sequence[Step], what: str, places: tuple[str, ...], ground: Ground) -> str | None:
    fold = exact if ground.platform is Platform.LINUX else any_case
    for place in places:
        names = names_of(place)
        if len(steps) <= len(names) and all(_same(step, name, fold) for step, name in zip(steps, names, strict=False)):
            return what if len(steps) == len(names) else f"a folder that holds {what}"
    return None


def _is(folder: Sequence[Step], names: tuple[str, ...]) -> bool:
    return len(folder) == len(names) and all(
        name == "*" or _same(step, name, any_case) for step, name in zip(folder, names, strict=True)
    )


def _same(step: Step, name: str, fold: Callable[[str], str]) -> bool:
    if isinstance(step, Glob):
        return _glob(fold(step.text), step.dotted).meets(fold(name))
    return fold(step) == fold(name)


@lru_cache(maxsize=256)
def _glob(text: str, dotted: bool) -> Glob:  # noqa: FBT001 - the glob's own field
    return Glob(text, dotted)
