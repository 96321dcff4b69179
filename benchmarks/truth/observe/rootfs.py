"""The root folder of a run: the machine's programs, read-only, and otherwise only what is made here."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.truth.observe.samples import write_all, write_places
from benchmarks.truth.observe.sandbox import USER, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

MOUNTED = ("usr", "proc", "dev", "tmp", "home/dev", "run/trace", "sys")
SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64")
_WORLD_READS = stat.S_IROTH
_WORLD_ENTERS = stat.S_IROTH | stat.S_IXOTH
_ACCOUNTS = {
    "passwd": f"root:x:0:0:root:/root:/bin/bash\ndev:x:{USER}:{USER}:Dev:/home/dev:/bin/bash\n"
    "www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\nuser:x:1000:100:User:/home/user:/bin/bash\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": f"root:x:0:\nadm:x:4:\nmail:x:8:\nwww-data:x:33:\nstaff:x:50:\nusers:x:100:\naudio:x:29:dev\n"
    f"dev:x:{USER}:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "hostname": "truth\n",
    "resolv.conf": "",
}


def make(folder: Path) -> Sandbox:
    """Make the root folder and the samples below ``folder``, anew, and the sandbox that uses them."""
    root, outer, samples, traces = (folder / name for name in ("root", "outer", "samples", "traces"))
    for old in (root, outer, samples, traces):
        shutil.rmtree(old, ignore_errors=True)
        old.mkdir(parents=True)
    for name in MOUNTED:
        (root / name).mkdir(parents=True)
    for name in SYSTEM:
        _system(Path("/") / name, root / name)
    _settings(Path("/etc"), root / "etc")
    for name, text in _ACCOUNTS.items():
        (root / "etc" / name).unlink(missing_ok=True)
        (root / "etc" / name).write_text(text)
    for name in ("var/tmp", "var/lib", "var/spool", "var/mail", "boot"):
        (root / name).mkdir(parents=True, exist_ok=True)
    write_places(root)
    write_all(samples / "home", samples / "tmp", USER)
    return Sandbox(root, outer, samples, traces, tuple(_closed(Path("/usr"))))


def _system(theirs: Path, ours: Path) -> None:
    if theirs.is_symlink():
        ours.symlink_to(theirs.readlink())
    elif theirs.is_dir():
        ours.mkdir()


def _closed(folder: Path) -> Iterator[str]:
    """Folders that not everybody may enter."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            if entry.stat(follow_symlinks=False).st_mode & _WORLD_ENTERS == _WORLD_ENTERS:
                yield from _closed(Path(entry.path))
            else:
                yield entry.path


def _settings(theirs: Path, ours: Path) -> None:
    """Copy what everybody may read, links as links; the rest isn't there, so that a search meets no refusal."""
    ours.mkdir()
    for entry in os.scandir(theirs):
        mode = entry.stat(follow_symlinks=False).st_mode
        if entry.is_symlink():
            (ours / entry.name).symlink_to(Path(entry.path).readlink())
        elif stat.S_ISREG(mode) and mode & _WORLD_READS:
            shutil.copy2(entry.path, ours / entry.name)
        elif stat.S_ISDIR(mode) and mode & _WORLD_ENTERS == _WORLD_ENTERS:
            _settings(Path(entry.path), ours / entry.name)
