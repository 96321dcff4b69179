"""Devices: files behind which a disk or the machine itself is, and the few that nobody can hurt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.effects import Deed
from lineclear.core.paths.steps import glob_of

if TYPE_CHECKING:
    from lineclear.core.paths.addresses import Names

_HARMLESS = frozenset(
    {"null", "zero", "full", "random", "urandom", "tty", "stdin", "stdout", "stderr", "fd", "pts", "ptmx", "tcp", "udp"}
)
"""Devices to which anybody may write."""

_NO_DEVICES = frozenset({"shm", "mqueue"})
"""Folders that only lie among the devices."""

_WINDOWS_HARMLESS = frozenset({"nul", "con", "pipe", "conin$", "conout$"})


def is_device(names: Names, deed: Deed, *, glob: bool) -> bool:
    """Whether the names of an absolute path lead to a device that a deed could hurt."""
    if len(names) < 2 or names[0].casefold() != "dev":  # noqa: PLR2004 - /dev and what is in it
        return False
    name = names[1].casefold()
    if name in _NO_DEVICES:
        return False
    if glob and glob_of(name) is not None:
        return True
    return name not in _HARMLESS or deed in {Deed.REMOVE, Deed.MOVE}


def is_windows_device(view: str) -> bool:
    """Whether a normalised path leads to one of Windows' devices (``//./PhysicalDrive0``)."""
    return view.startswith("//./") and view[4:].split("/", 1)[0].casefold() not in _WINDOWS_HARMLESS
