"""The embedded Postgres: one service, one data folder, one server that is reachable by a socket in it and no port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import socket
import sys
import time
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote

from lineclear.storage.binaries import MAJOR, Binaries, EmbeddedError, find, open_way

if TYPE_CHECKING:
    from pathlib import Path

_SOCKET = ".s.PGSQL.5432"
_LONGEST_SOCKET = 103 if sys.platform == "darwin" else 107
"""Bytes of a socket's path that the kernel takes: ``sizeof(sun_path)`` less its end."""

# No port: whoever reaches the socket may do anything, and only the folder's owner does. Its log quotes no values.
_OPTIONS = "-h '' -c log_error_verbosity=terse -c log_min_error_statement=panic -c log_checkpoints=off"

_NAME = "lineclear"
_LOOK_S = 1.0
_RECOVERS_WITHIN_S = 60.0
_ENDS_WITHIN_S = 10.0
"""How long the processes of a server that was killed may take to notice, and to let go of its memory."""
_PAUSE_S = 0.1


class Embedded:
    """A running server. Made by ``start``; all methods block, save ``supervise``."""

    def __init__(self, folder: Path, binaries: Binaries, lock: int) -> None:
        self._folder = folder
        self._binaries = binaries
        self._lock = lock
        self._log = folder / "postgres.log"

    @property
    def url(self) -> str:
        """Where it is reached, as ``LINECLEAR_DATABASE_URL`` would say it."""
        return f"postgresql://{_NAME}@/postgres?host={quote(str(self._folder), safe='')}"

    def running(self) -> bool:
        """Whether it runs."""
        return answers(self._folder)

    def ensure(self) -> None:
        """Start the server unless it runs. It recovers by itself from whatever ended it."""
        if self.running():
            return
        left = self._folder / "postmaster.pid"
        _reap(left)
        until = time.monotonic() + (_ENDS_WITHIN_S if left.exists() else 0)
        while not self._starts():
            if time.monotonic() > until:
                raise EmbeddedError(f"the embedded database doesn't start; see the end of `{self._log}`")
            time.sleep(_PAUSE_S)

    def _starts(self) -> bool:
        options = f"-k {shlex.quote(str(self._folder))} {_OPTIONS}"
        done = self._binaries.run(
            "pg_ctl", "start", "-w", "-D", str(self._folder), "-l", str(self._log), "-o", options, cwd=self._folder
        )
        return done.returncode == 0

    def recovered(self) -> None:
        """Wait until a server that was left behind takes sessions: it may be reading its log after a crash."""
        until = time.monotonic() + _RECOVERS_WITHIN_S
        # 1: it answers, and refuses.
        while self._binaries.run("pg_isready", "-q", "-h", str(self._folder), cwd=self._folder).returncode == 1:
            if time.monotonic() > until:
                raise EmbeddedError(f"the embedded database still recovers; start again later, or see `{self._log}`")
            time.sleep(_PAUSE_S)
        self.ensure()

    async def supervise(self) -> NoReturn:
        """Start the server again whenever it has ended, for as long as the task runs."""
        while True:
            await asyncio.sleep(_LOOK_S)
            if not self.running():
                with contextlib.suppress(EmbeddedError, OSError):  # the database is unavailable meanwhile, and says so
                    await asyncio.to_thread(self.ensure)

    def close(self) -> None:
        """Stop the server and free the folder."""
        self._binaries.run("pg_ctl", "stop", "-m", "fast", "-w", "-D", str(self._folder), cwd=self._folder)
        os.close(self._lock)


def answers(folder: Path) -> bool:
    """Whether somebody answers at a folder's socket: a process of the id that is kept there may be anybody's by now."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_LOOK_S)
        try:
            asking.connect(str(folder / _SOCKET))
        except OSError:
            return False
    return True


def start(folder: Path, *, production: bool) -> Embedded:
    """Start Postgres on ``folder``, made if there is none; raises ``EmbeddedError``.

    A server that a killed service left behind is taken over.
    """
    if production:
        raise EmbeddedError("the embedded database isn't for production; set LINECLEAR_DATABASE_URL")
    binaries = find()
    folder = folder.absolute()
    length = len(os.fsencode(folder / _SOCKET))
    if length > _LONGEST_SOCKET:
        raise EmbeddedError(
            f"`{folder}` is too long for a socket in it ({length} bytes, {_LONGEST_SOCKET} at most); "
            "set LINECLEAR_DATA_DIR to a shorter one"
        )
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _take(folder)
        try:
            return _started(folder, binaries, lock)
        except BaseException:
            os.close(lock)
            raise
    except OSError as error:
        raise EmbeddedError(
            f"`{folder}` can't be used for a database: {error}; set LINECLEAR_DATA_DIR to another folder"
        ) from error


def _started(folder: Path, binaries: Binaries, lock: int) -> Embedded:
    if binaries.account is not None:
        open_way(binaries.account, folder.parent, binaries.folder)
    if not folder.exists():
        _create(folder, binaries)
    _check_version(folder)
    server = Embedded(folder, binaries, lock)
    if server.running():
        server.recovered()
    else:
        server.ensure()
    return server


def _take(folder: Path) -> int:
    """Hold the folder for this process; the kernel lets go of it whatever ends the process."""
    import fcntl  # noqa: PLC0415 - there is none on Windows

    path = folder.with_name(folder.name + ".lock")
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise EmbeddedError(
            f"`{folder}` is in use by another running service; stop it, or set LINECLEAR_DATA_DIR to another folder"
        ) from None
    return lock


def _create(folder: Path, binaries: Binaries) -> None:
    """Make the folder beside its place and move it there, so that a kill leaves none that is half made."""
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    if binaries.account is not None:
        os.chown(new, binaries.account.uid, binaries.account.gid)
    data = new / "data"
    done = binaries.run(
        "initdb", "-D", str(data), "-U", _NAME, "--auth=trust", "--encoding=UTF8", "--locale=C", cwd=new
    )
    if done.returncode != 0:
        raise EmbeddedError(f"no database can be made in `{new}`: {done.stdout.strip()}")
    data.rename(folder)
    shutil.rmtree(new)


def _check_version(folder: Path) -> None:
    try:
        major = (folder / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise EmbeddedError(
            f"`{folder}` is no database's folder ({error}); set LINECLEAR_DATA_DIR to another"
        ) from error
    if major != str(MAJOR):
        raise EmbeddedError(
            f"`{folder}` was made by Postgres {major}, this is {MAJOR}; export from it with the version that made it, "
            "or set LINECLEAR_DATA_DIR to another folder"
        )


def _reap(pid_file: Path) -> None:
    """Take note of a server's end: where the service is the container's first process, it is its child by then."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        os.waitpid(int(pid_file.read_text().splitlines()[0]), os.WNOHANG)
