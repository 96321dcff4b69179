"""Critical paths: what can't be replaced if it is destroyed. Judged by the deed, whatever program does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.effects import Deed
from lineclear.core.paths.addresses import absolute, known_as, names_of
from lineclear.core.paths.devices import is_device, is_windows_device
from lineclear.core.paths.expansions import expansions
from lineclear.core.paths.ground import Ground, ground_of
from lineclear.core.paths.landmarks import landmark
from lineclear.core.paths.steps import Glob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import Environment
    from lineclear.core.effects import Touch
    from lineclear.core.paths.trie import Step

_DESTROYS = frozenset({Deed.REMOVE, Deed.MOVE, Deed.OVERWRITE})
_SCRATCH = (["tmp"], ["private", "tmp"])
"""Folders that may be emptied although they lie directly below the root."""

_UNKNOWN = "a target that can't be known, with all that it holds"


def critical(touch: Touch, environment: Environment) -> str | None:
    """What a touch would destroy that can't be replaced, in words for people; None if it is nothing such.

    A device is hurt by writing, everything else by removing, moving or overwriting. A glob that names nothing
    (``*``, ``.*``) and is removed with all that it holds empties the folder before it.
    """
    if touch.deed is Deed.READ:
        return None
    destroys = touch.deed in _DESTROYS
    unknown = touch.place is None or touch.place.adrift
    if touch.place is not None:
        ground = ground_of(environment)
        for view in touch.place.views:
            what = _device(view, touch, ground) or (_destroyed(view, touch, ground) if destroys else None)
            if what is not None:
                return f"{what} (`{view}`)"
    return _UNKNOWN if destroys and unknown and touch.recursive else None


def _device(view: str, touch: Touch, ground: Ground) -> str | None:
    if not absolute(view):
        return None
    if is_windows_device(view) or any(
        is_device(names, touch.deed, glob=touch.glob) for names in known_as(names_of(view), ground)
    ):
        return "a device"
    return None


def _destroyed(view: str, touch: Touch, ground: Ground) -> str | None:
    names = names_of(view)
    for known in known_as(names, ground) if absolute(view) else (names,):
        for steps in expansions(known, glob=touch.glob, windows=ground.windows):
            what = landmark(view, steps, ground)
            if what is not None:
                return what
            folder = _emptied(steps)
            if folder is not None and (touch.recursive or touch.deed is Deed.MOVE) and folder not in _SCRATCH:
                what = landmark(view, folder, ground)
                if what is not None:
                    return f"all that is in {what}"
    return None


def _emptied(steps: Sequence[Step]) -> list[Step] | None:
    """The folder of which a path's last steps name everything, None if they name something."""
    kept = list(steps)
    while kept and isinstance(kept[-1], Glob) and not any(letter.isalnum() for letter in kept[-1].text):
        kept.pop()
    return kept if len(kept) < len(steps) else None
