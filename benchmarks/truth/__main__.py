"""``python -m benchmarks.truth``: the truth run, from the sandbox's own trial to the report."""

from __future__ import annotations

import argparse
import fcntl
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import given
from benchmarks.truth import corpora, probes, report, shfmt
from benchmarks.truth.analysis import Analysis, Opinion
from benchmarks.truth.confirm import Judged, judge
from benchmarks.truth.observe import prerequisites, rootfs
from benchmarks.truth.pool import run_all
from benchmarks.truth.proven import Outcome, Tried, labelled, tried
from benchmarks.truth.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchmarks.truth.corpora import Row
    from benchmarks.truth.observe.sandbox import Sandbox

HELD, UNSAFE, NOT_POSSIBLE = 0, 1, 2


class Truth:
    """One truth run. The files that it leaves lie in ``folder``."""

    def __init__(self, folder: Path, sandbox: Sandbox, rows: list[Row], *, workers: int, minutes: float) -> None:
        self._folder, self._sandbox, self._rows, self._workers = folder, sandbox, rows, workers
        self._until = time.monotonic() + minutes * 60
        self._store = Store(folder / "runs.jsonl")

    def denominators(self) -> dict[str, dict[str, Judged]]:
        """What is confirmed as read-only, said and written down before the analysis is asked."""
        chosen = corpora.denominators(self._rows)
        self._run(row.command for rows in chosen.values() for row in rows)
        judged = {
            name: {row.command: judge(self._store.get(row.command), row.command) for row in rows}
            for name, rows in chosen.items()
        }
        self._write("denominators.json", {name: _plain(rows) for name, rows in judged.items()})
        for name, rows in judged.items():
            _say(report.of_denominator(name, rows))
        return judged

    def shares(self, judged: Mapping[str, Mapping[str, Judged]], analysis: Analysis) -> None:
        """How much of it the analysis proves."""
        for name, rows in judged.items():
            opinions = {command: analysis.opinion(command) for command in rows}
            self._write(f"unproven-{name}.json", {c: o.why for c, o in opinions.items() if not o.proven})
            _say(report.of_share(name, rows, opinions))

    def proven(self, analysis: Analysis) -> int:
        """Run all that is called proven. Returns how many commands turn out unsafe."""
        opinions: dict[str, tuple[Row, Opinion]] = {}
        harmful: dict[str, tuple[Row, Tried]] = {}
        said = {command: analysis.opinion(command) for command in dict.fromkeys(row.command for row in self._rows)}
        for row in self._rows:
            opinion = said[row.command]
            if opinion.proven and row.harmful:
                harmful[row.command] = row, labelled(row)
            elif opinion.proven:
                opinions.setdefault(row.command, (row, opinion))
        self._run(command for command in opinions if command not in harmful)
        found = {c: (row, tried(self._store.get(c), opinion.programs)) for c, (row, opinion) in opinions.items()}
        found |= harmful
        self._write("proven.json", {c: {"id": row.id, **asdict(one)} for c, (row, one) in found.items()})
        _say(report.of_proven(found))
        _say(report.of_doubted(self._rows, said))
        _say(shfmt.report({command: analysis.effects(command) for command in opinions}))
        return sum(one.outcome is Outcome.UNSAFE for _, one in found.values())

    def _run(self, commands: Iterable[str]) -> None:
        left = run_all(commands, self._sandbox, self._store, workers=self._workers, until=self._until)
        if left:
            print(f"the time is up with {left} commands not run; the same command goes on from here", file=sys.stderr)

    def _write(self, name: str, what: dict[str, Any]) -> None:
        (self._folder / name).write_text(json.dumps(what, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> int:
    """Run the parts that are asked for."""
    options = _options()
    reason = prerequisites.missing()
    if reason is None and not all((options.corpora / name).is_file() for name in corpora.FILES):
        reason = f"no corpora in `{options.corpora}`; set LINECLEAR_CORPORA to the folder that holds them"
    if reason is not None:
        print(f"truth: {reason}", file=sys.stderr)
        return NOT_POSSIBLE
    options.build.mkdir(parents=True, exist_ok=True)
    lock = (options.build / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print(
            f"truth: another run uses `{options.build}`; wait for it, or choose another folder with --build",
            file=sys.stderr,
        )
        return NOT_POSSIBLE
    with lock:
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    sandbox = rootfs.make(options.build.resolve())
    fault = probes.fault(sandbox, options.build.resolve())
    if fault is not None:
        print(f"truth: {fault}; nothing of the corpora is run", file=sys.stderr)
        return NOT_POSSIBLE
    print(f"the sandbox holds: {len(probes.PROBES)} attacks of our own held off")
    rows = corpora.rows(options.corpora)
    truth = Truth(options.build, sandbox, rows, workers=options.workers, minutes=options.minutes)
    judged = truth.denominators() if options.part != "proven" else {}
    if options.part == "denominators":
        return HELD
    analysis = Analysis()
    truth.shares(judged, analysis)
    return UNSAFE if truth.proven(analysis) else HELD


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("part", nargs="?", default="all", choices=("all", "proven", "denominators"))
    parser.add_argument("--minutes", type=float, default=30, help="how long commands may be run in all (%(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="how many commands run at once (%(default)s)")
    parser.add_argument("--corpora", type=Path, default=given.corpora(), help="folder of the corpora (%(default)s)")
    parser.add_argument("--build", type=Path, default=Path("build/truth"), help="what is kept (%(default)s)")
    return parser.parse_args()


def _plain(rows: Mapping[str, Judged]) -> dict[str, list[str]]:
    return {command: [one.standing.name.lower(), one.why] for command, one in rows.items()}


def _say(lines: Iterable[str]) -> None:
    print("\n".join(lines), end="\n\n", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
