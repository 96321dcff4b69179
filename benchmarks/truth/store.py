"""What was observed is kept by the command's digest, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from benchmarks.truth.observe.events import Event
from benchmarks.truth.observe.sandbox import PATH, End, Ran, Run
from benchmarks.truth.observe.watched import Kind

if TYPE_CHECKING:
    from typing import TextIO

_OBSERVER = Path(__file__).with_name("observe")
_NOT_FOUND = re.compile(r"([\w.+-]+): command not found")


def revision() -> str:
    """A digest of the observer: what an older one saw counts no more."""
    digest = hashlib.sha256()
    for path in sorted(_OBSERVER.iterdir()):
        if path.suffix in {".py", ".sh"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Store:
    """Runs on disk, a line each; added to, never rewritten. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        self._revision = revision()
        self._runs = dict(_kept(path, self._revision))
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream: TextIO = path.open("a", encoding="utf-8")

    def get(self, command: str) -> Run | None:
        """What was seen of a command, None if it wasn't run yet."""
        return self._runs.get(_key(command))

    def put(self, run: Run) -> None:
        """Keep a run."""
        line = json.dumps({"revision": self._revision, "key": _key(run.command), "run": asdict(run)})
        with self._lock:
            self._runs[_key(run.command)] = run
            self._stream.write(line + "\n")
            self._stream.flush()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _key(command: str) -> str:
    return hashlib.sha256(command.encode("utf-8", "surrogatepass")).hexdigest()


def _installed_since(run: Run) -> bool:
    return any(shutil.which(name, path=PATH) is not None for name in _NOT_FOUND.findall(run.errors))


def _kept(path: Path, wanted: str) -> list[tuple[str, Run]]:
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            kept = json.loads(line)
        except json.JSONDecodeError:  # the last line of a run that was killed
            continue
        if kept["revision"] == wanted and not _installed_since(run := _run(kept["run"])):
            found.append((kept["key"], run))
    return found


def _run(kept: dict[str, Any]) -> Run:
    events = tuple(Event(**{**event, "kind": Kind(event["kind"])}) for event in kept["events"])
    programs = tuple(Ran(**program) for program in kept["programs"])
    return Run(**{**kept, "end": End(kept["end"]), "events": events, "programs": programs})
