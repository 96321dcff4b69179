"""The policy in force on this replica: reloaded when its files change, checked aside, swapped in one step.

What can't be loaded changes nothing: the last good policy stays, and a warning says so.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from watchfiles import awatch
from watchfiles._rust_notify import WatchfilesRustInternalError

from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, compiled
from lineclear.policyfiles.problems import PolicyError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from lineclear.core.policy import Policy
    from lineclear.policyfiles.sources import Source

    Look = tuple[tuple[str, str, int, int, int], ...]

LOOK_EVERY_MS = 1000
"""How often the folder is looked at where the system reports nothing: network file systems, a link that moved."""

QUIET_S = 0.25
"""How long the files must have stood still before they are read, so that none is read half-written."""

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Loaded:
    """A policy that came into force; ``mended`` where the files before it had been refused."""

    policy: Policy
    mended: bool


class Policies:
    """A folder of policies, its policy in force, and what is wrong with its files since."""

    def __init__(
        self,
        folder: Path,
        builtin: Path,
        *,
        prompts: str = "",
        on_refusal: Callable[[PolicyError], None] = lambda _: None,
        on_load: Callable[[Loaded], None] = lambda _: None,
    ) -> None:
        """Load a folder on a built-in layer. Raises ``PolicyError``: without a first policy nothing is in force.

        ``prompts`` names the classifier's words; ``on_refusal`` is told of each later change that was refused,
        ``on_load`` of each that wasn't, even where it means the same. Both are called in a thread of their own.
        """
        self._folder = folder
        self._beneath = Beneath.read(builtin, prompts)
        self._on_refusal = on_refusal
        self._on_load = on_load
        self._seen = _look(folder)
        self._current = compiled(self._beneath, _still(folder))
        self._refused: PolicyError | None = None

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return self._folder

    @property
    def current(self) -> Policy:
        """The policy in force."""
        return self._current

    @property
    def warnings(self) -> Sequence[str]:
        """A line for each problem of the files as they stand, if they were refused."""
        if self._refused is None:
            return ()
        return tuple(f"policy not reloaded: {problem}" for problem in self._refused.problems)

    def reload(self) -> bool:
        """Read the files again; false where they were refused and the last good policy stays."""
        try:
            found = compiled(self._beneath, _still(self._folder))
        except PolicyError as error:
            return self._refuse(error)
        except Exception as error:  # noqa: BLE001 - a fault of ours is no reason to go on without a word
            told = f"reading the files failed ({type(error).__name__}); undo the last change and report this"
            refusal = PolicyError([Problem(str(self._folder), 1, 1, told)])
            refusal.__cause__ = error
            return self._refuse(refusal)
        mended, self._refused = self._refused is not None, None
        self._current = found
        self._on_load(Loaded(found, mended))
        return True

    async def watch(self) -> NoReturn:
        """Reload whenever the files change, for as long as the task runs."""
        while True:
            # The folder is gone for now, or the system watches no more of them: looking at it needs neither.
            with suppress(OSError, WatchfilesRustInternalError):
                async for _ in awatch(
                    self._folder, watch_filter=None, rust_timeout=LOOK_EVERY_MS, yield_on_timeout=True
                ):
                    if await self._reloaded():
                        break  # a link may lead elsewhere now: watch what it leads to
            await asyncio.sleep(QUIET_S)
            await self._reloaded()

    def _refuse(self, error: PolicyError) -> bool:
        self._refused = error
        self._on_refusal(error)
        return False

    async def _reloaded(self) -> bool:
        """Read the files again if they differ from those last read, once they stand still; whether they did."""
        seen = await asyncio.to_thread(_look, self._folder)
        if seen == self._seen:
            return False
        while True:
            await asyncio.sleep(QUIET_S)
            again = await asyncio.to_thread(_look, self._folder)
            if again == seen:
                self._seen = seen
                await asyncio.to_thread(self.reload)
                return True
            seen = again


def _still(folder: Path) -> tuple[Source, ...]:
    """The files as they stand at one moment: what changes while it is read is read again. Raises ``PolicyError``."""
    for _ in range(_TRIES):
        before = _look(folder)
        try:
            found = sources.organisation(folder)
        except PolicyError:
            if _look(folder) == before:
                raise
        else:
            if _look(folder) == before:
                return found
        time.sleep(QUIET_S)
    told = "the files change faster than they can be read; write them elsewhere, and put them here in one step"
    raise PolicyError([Problem(str(folder), 1, 1, told)])


def look(paths: Iterable[Path]) -> Look:
    """What can be seen of files without reading them; links are followed. Two looks differ where a file does."""
    found = []
    for path in paths:
        with suppress(OSError):  # gone between listing and looking
            status = path.stat()
            # A file can be put in place of another with its time and size, but not without a change of the inode.
            times = (status.st_mtime_ns, status.st_ctime_ns, status.st_size)
            found.append((str(path), str(path.resolve()), *times))
    return tuple(found)


def _look(folder: Path) -> Look:
    return look(sources.looked_at(folder))
