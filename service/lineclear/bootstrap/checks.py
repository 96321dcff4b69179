"""Policies that somebody would like to have are checked in a process of their own: what they cost, no call waits for.

Nothing of the service is in that process, so that whatever is checked, the policy in force stays what it is.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import structlog

from lineclear import resources
from lineclear.api.problems import Problem, ProblemCode
from lineclear.api.validate import CheckDocument, PlaceDocument
from lineclear.classifier.prompts import DIGEST
from lineclear.policyfiles import checking

if TYPE_CHECKING:
    from collections.abc import Mapping

WITHIN_S = 20.0
"""How long a check may take, in seconds; the shipped policy takes less than one."""

AT_ONCE = 2
"""So many checks may run at once; another one is refused."""

log = structlog.get_logger("lineclear.policies")

_TOO_LONG = f"checking took longer than {WITHIN_S:g} s; split the files, or run `lineclear policy lint` on them"
_FAILED = "checking failed; run `lineclear policy lint` on the files"
_DECODER = msgspec.json.Decoder(CheckDocument)


class Checks:
    """Checks files; ``within_s`` is how long one check may take."""

    def __init__(self, within_s: float = WITHIN_S) -> None:
        self._within_s = within_s
        self._running = 0

    async def check(self, files: Mapping[str, str]) -> CheckDocument:
        """What becomes of files by their names in a folder of policies. Raises ``Problem`` if too many run."""
        if self._running >= AT_ONCE:
            raise Problem(ProblemCode.OVERLOADED, f"{AT_ONCE} policies are being checked already; try again")
        self._running += 1
        try:
            with tempfile.TemporaryDirectory(prefix="lineclear-check-") as folder:
                await asyncio.to_thread(_write, Path(folder), files)
                return await self._checked(folder)
        finally:
            self._running -= 1

    async def _checked(self, folder: str) -> CheckDocument:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", checking.__name__, folder, str(resources.builtin()), DIGEST),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(self._within_s):
                told, _ = await process.communicate()
            return _DECODER.decode(told)
        except TimeoutError:
            return _not_valid(_TOO_LONG)
        except msgspec.MsgspecError:  # it ended without a word
            log.warning("policy_check_failed", status=process.returncode)
            return _not_valid(_FAILED)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def _not_valid(message: str) -> CheckDocument:
    return CheckDocument(version=None, errors=[PlaceDocument("load", "error", None, "", 1, 1, message)], findings=[])


def _write(folder: Path, files: Mapping[str, str]) -> None:
    (folder / "organisation").mkdir()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
