"""The policy in force on this replica: reloaded when its files change, checked aside, swapped in one step.

What can't be loaded changes nothing: the last good policy stays, and a warning says so.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from watchfiles import awatch

from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, compiled
from lineclear.policyfiles.problems import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from lineclear.core.policy import Policy

    Look = tuple[tuple[str, str, int, int], ...]

LOOK_EVERY_MS = 1000
"""How often the folder is looked at where the system reports nothing: network file systems, a link that moved."""

QUIET_S = 0.25
"""How long the files must have stood still before they are read, so that none is read half-written."""


class Policies:
    """A folder of policies, its policy in force, and what is wrong with its files since."""

    def __init__(
        self,
        folder: Path,
        builtin: Path,
        *,
        prompts: str = "",
        on_refusal: Callable[[PolicyError], None] = lambda _: None,
    ) -> None:
        """Load a folder on a built-in layer. Raises ``PolicyError``: without a first policy nothing is in force.

        ``prompts`` names the classifier's words; ``on_refusal`` is told of each later change that was refused.
        """
        self._folder = folder
        self._beneath = Beneath.read(builtin, prompts)
        self._on_refusal = on_refusal
        self._seen = _look(folder)
        self._current = compiled(self._beneath, sources.organisation(folder))
        self._refused: PolicyError | None = None

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
            found = compiled(self._beneath, sources.organisation(self._folder))
        except PolicyError as error:
            self._refused = error
            self._on_refusal(error)
            return False
        self._refused = None
        self._current = found
        return True

    async def watch(self) -> NoReturn:
        """Reload whenever the files change, for as long as the task runs."""
        while True:
            with suppress(OSError):  # the folder is gone for now, or moved; the next look finds it
                async for _ in awatch(
                    self._folder, watch_filter=None, rust_timeout=LOOK_EVERY_MS, yield_on_timeout=True
                ):
                    if await self._changed():
                        await asyncio.to_thread(self.reload)
                        break  # a link may lead elsewhere now: watch what it leads to
            await asyncio.sleep(QUIET_S)
            if not self._folder.is_dir() and await self._changed():
                await asyncio.to_thread(self.reload)

    async def _changed(self) -> bool:
        """Whether the files differ from those last read, and stand still."""
        look = _look(self._folder)
        if look == self._seen:
            return False
        while True:
            await asyncio.sleep(QUIET_S)
            again = _look(self._folder)
            if again == look:
                self._seen = look
                return True
            look = again


def _look(folder: Path) -> Look:
    """What can be seen of the files without reading them; links are followed."""
    found = []
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        with suppress(OSError):  # gone between listing and looking
            status = path.stat()
            found.append((str(path), str(path.resolve()), status.st_mtime_ns, status.st_size))
    return tuple(found)
