"""Carrying out a plan on an agent's configuration: backups kept, one rename a file, and the way back."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lineclear.hosts.setup import making
from lineclear.hosts.setup.edits import added, entries_of_ours, removed
from lineclear.hosts.setup.plans import Merge, Plan, Whole
from lineclear.hosts.setup.tree import Unfit

_OWN, _EVERYBODYS, _EXECUTABLE = 0o600, 0o644, 0o755
"""Modes of new files: in a person's folders, where every user's program must read them, and of programs."""
_ALL_USERS = "/etc"
_KEPT, _NONE = "bak", "none"
"""Endings of backups: what was there, and that nothing was."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to a file; ``text`` is what it holds now, None where it is gone."""

    what: str
    file: Path
    text: str | None
    backup: Path | None = None


def place(file: str, home: Path, project: Path) -> Path:
    """Where a file of a plan lies."""
    if file.startswith("~/"):
        return home / file[2:]
    return project / file.removeprefix("./")


def written(plan: Plan, home: Path, project: Path, *, pretend: bool) -> tuple[Change, ...]:
    """Carry a plan out; what is so already stays as it is. Raises ``Unfit`` before any change, and ``OSError``."""
    wanted = [(step, place(step.file, home, project)) for step in plan.steps]
    texts = [_wanted(step, file) for step, file in wanted]
    changes = []
    for (step, file), (before, text) in zip(wanted, texts, strict=True):
        if before == text and not pretend:
            continue
        backup = None if pretend else _backed_up(step, file, before, text)
        if not pretend:
            _write(file, text, executable=isinstance(step, Whole) and step.executable)
        changes.append(Change("wrote", file, text, backup))
    return tuple(changes)


def undone(plan: Plan, home: Path, project: Path) -> tuple[Change, ...]:
    """Take a plan's entries out: by the backup where nobody has edited since, else entry by entry."""
    return tuple(
        change for step in plan.steps if (change := _undone(step, place(step.file, home, project))) is not None
    )


def _wanted(step: Merge | Whole, file: Path) -> tuple[str | None, str]:
    """What a file holds, and what it shall hold."""
    before = _read(file)
    if isinstance(step, Whole):
        if before is not None and not _ours(step, file, before):
            raise Unfit(f"{file} is there already and isn't ours; move it, or call the hook from it (see --print)")
        return before, step.content
    try:
        return before, added(before or "", step.entries, step.extra)
    except Unfit as error:
        raise Unfit(f"{file}: {error}") from None


def _undone(step: Merge | Whole, file: Path) -> Change | None:
    now = _read(file)
    if now is None:
        return None
    if not _ours(step, file, now):
        edited = isinstance(step, Whole) and making.SHIM in now
        return Change("left alone, since somebody has edited it:", file, now) if edited else None
    kept, none = _backups(file, now)
    if kept.exists():
        text = kept.read_bytes().decode("utf-8")
        _write(file, text, executable=False)
        kept.unlink()
        return Change("restored", file, text)
    if none.exists() or isinstance(step, Whole):
        file.resolve().unlink()
        none.unlink(missing_ok=True)
        return Change("removed", file, None)
    text = removed(now, tuple(step.entries))
    _write(file, text, executable=False)
    return Change("took our entries out of", file, text)


def _ours(step: Merge | Whole, file: Path, text: str) -> bool:
    """Whether there is something of ours in a file; one that is ours alone must be as we write it."""
    if isinstance(step, Merge):
        return entries_of_ours(text, tuple(step.entries)) > 0
    return making.file(text, step.content) or any(backup.exists() for backup in _backups(file, text))


def _backups(file: Path, text: str) -> tuple[Path, Path]:
    """Where the backup of a file lies that holds a text now: what was there, and the mark that nothing was."""
    kept, none = (file.with_name(f"{file.name}.lineclear-{_hash(text)}.{ending}") for ending in (_KEPT, _NONE))
    return kept, none


def _backed_up(step: Merge | Whole, file: Path, before: str | None, text: str) -> Path | None:
    """Keep what a file held, named after what it will hold, so that it is known whether somebody edited since."""
    file.parent.mkdir(parents=True, exist_ok=True)
    kept, none = _backups(file, text)
    if before is not None and _ours(step, file, before):
        for earlier, later in zip(_backups(file, before), (kept, none), strict=True):
            if earlier.exists():
                earlier.replace(later)
        return None
    target = none if before is None else kept
    _write(target, before or "", executable=False)
    if file.exists():
        target.chmod(file.stat().st_mode & 0o777)
    return target


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise Unfit(f"{file} is no UTF-8; mend it, or use --print and add the entries by hand") from None


def _write(file: Path, text: str, *, executable: bool) -> None:
    """Write in one step: who reads meanwhile sees the old or the new. A link keeps standing for its target."""
    target = file.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    there = target.stat() if target.exists() else None
    new = _EVERYBODYS if target.is_relative_to(_ALL_USERS) else _OWN
    mode = _EXECUTABLE if executable else new if there is None else there.st_mode & 0o777
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as written_anew:
            written_anew.write(text.encode("utf-8"))
        Path(name).chmod(mode)
        if there is not None and os.geteuid() == 0:
            os.chown(name, there.st_uid, there.st_gid)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
