"""Files that are none: what a process or a device shows is read by no path, pattern or folder that may reach it."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING

from lineclear.core.effects import Deed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.effects import Touch
    from lineclear.core.shell.reading import Reading

_NO_DISK = re.compile(r"/dev/(?:null|zero|full|u?random|tty|std(?:in|out|err)|(?:fd|shm|pts|mqueue|tcp|udp)(?:/|$))")
_SHOWING = "environ|mem|root|cwd|fd|task|map_files"
"""What in the folder of a process shows what it holds."""

_PROCESS = re.compile(rf"/proc/(?:[^/]+/)+(?:{_SHOWING})(?:/|$)|/proc/kcore")

_NUMBERED = re.compile(r"[0-9]+|(?:thread-)?self")
_SIMPLE_CLASS = re.compile(r"\[[!^]?[A-Za-z0-9_.-]+\]")
_WILD = re.compile(r"[*?]|\[[^]]*\]|\\")
_DIGITS = re.compile(r"[0-9]+")
_BELOW = (
    *(
        f"/proc/{process}/{name}"
        for process in ("0/task/0", "self/task/0", "thread-self", "0")
        for name in ("environ", "mem", "fd/0", "map_files/0-0")
    ),
    *(f"/dev/{kind}d{letter}0" for kind in ("s", "h", "v", "xv") for letter in ascii_lowercase),
    *(f"/dev/{name}" for name in ("nvme0n0p0", "mmcblk0p0", "dm-0", "md0", "loop0", "nbd0", "zram0", "sr0", "kmem")),
    *(f"/dev/{name}" for name in ("mapper/root", "input/event0", "hidraw0", "video0", "vcsa0", "disk/by-id")),
    "/dev/port",
)
"""How what a process or a device shows is called below the folder of all, with ``0`` for any number."""


def shown(touch: Touch) -> str | None:
    """Which special file a path is, or may be where it is a pattern; None where it is none."""
    views = touch.place.views if touch.place is not None else ()
    for view in views:
        if view.startswith("/dev/") and not _NO_DISK.match(view):
            return f"`{touch.spelled}` may be a device, which shows all that is on it"
        if view.startswith("/proc/") and _PROCESS.match(view):
            return f"`{touch.spelled}` shows a process"
        if touch.glob and _may_show(view):
            return f"`{touch.spelled}` may be what a process or a device shows"
    return None


def reaches_processes(reading: Reading, touches: Iterable[Touch]) -> bool:
    """Whether the folders that a command reads with all in them hold special files, by any name that it looks for."""
    return any(_reached(touch, reading.narrowing) for touch in touches if touch.recursive and touch.deed is Deed.READ)


def astray(touch: Touch) -> bool:
    """Whether names that were found anywhere may be those of special files in the directory in which they are read."""
    views = touch.place.views if touch.place is not None else ()
    return any(_special_folder(view) or (view == "/" and touch.spelled[:1] != "/") for view in views)


def hands_on(reading: Reading) -> bool:
    """Whether a command reads what the files in its folders hold, or runs another one for them."""
    return reading.recursive or any(bound.command for bound in reading.binding.bound)


def _reached(touch: Touch, narrowing: str | None) -> bool:
    for view in touch.place.views if touch.place is not None else ():
        if _special_folder(view):
            return True
        if view == "/":
            return narrowing is None or touch.spelled.strip("./") != "" or _finds(narrowing)
    return False


def _special_folder(view: str) -> bool:
    first, *others = view.split("/")[1:] or [""]
    if first and may_be(first, "proc"):
        return not (others and _named(others[0]) and not _NUMBERED.fullmatch(others[0]))
    return bool(first) and may_be(first, "dev") and not _NO_DISK.match(view)


def _finds(pattern: str) -> bool:
    """Whether what fits a pattern of names or paths may be a special file: all that it spells is in the path of one."""
    pieces = [_DIGITS.sub("0", piece) for piece in _WILD.split(pattern.rpartition("/")[2].lower())]
    return all(any(piece in path for path in _BELOW) for piece in pieces)


def _may_show(view: str) -> bool:
    first, *others = [part for part in view.split("/") if part] or [""]
    if "**" in first:
        return any(may_be(part, name) for part in others for name in _SHOWING.split("|")) or not others
    if not others:
        return False
    if not _named(first) and may_be(first, "dev"):
        return True
    if not may_be(first, "proc"):
        return False
    process, *inner = others
    if "**" in process or (not inner and not _named(process)):
        return "**" in process or may_be(process, "kcore")
    return (not _named(process) or _NUMBERED.fullmatch(process) is not None) and any(
        "**" in part or may_be(part, name) for part in inner for name in _SHOWING.split("|")
    )


def _named(part: str) -> bool:
    """Whether a part of a path is no pattern."""
    return _WILD.search(part) is None


def may_be(part: str, name: str) -> bool:
    """Whether a part of a pattern may be a name; a class of letters that isn't simple may be any letters."""
    return part == name if _named(part) else expression(part).match(name) is not None


@lru_cache(maxsize=1024)
def expression(part: str) -> re.Pattern[str]:
    """What matches the names that a part of a pattern may be."""
    if "[" in _SIMPLE_CLASS.sub("", part):
        part = part.partition("[")[0] + "*"
    return re.compile(translate(part.replace("[^", "[!").replace("\\", "*")))
