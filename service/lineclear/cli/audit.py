"""``lineclear audit``: whether the log is what its writers wrote, and the log as a file."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from lineclear.bootstrap import auditing, checkpoints
from lineclear.bootstrap.export import Export, Span
from lineclear.bootstrap.problem import CannotStart
from lineclear.cli.counted import counted
from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.former_secrets import FormerSecrets  # noqa: TC001 - the framework reads the annotations
from lineclear.cli.output import Output
from lineclear.cli.quoted import visible
from lineclear.cli.settled import settled
from lineclear.cli.spans import before_now
from lineclear.engine.audit import Audit, unvouched
from lineclear.engine.chain import Head, microseconds, moment_of
from lineclear.engine.log import StorageUnavailable
from lineclear.wire.audited import FileAudit
from lineclear.wire.checkpoints import as_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

    from lineclear.engine.audit import Finding, Tally
    from lineclear.engine.chain import ChainKey, Checkpoint
    from lineclear.settings import Settings

app = typer.Typer(help="Look through the log, and export it.", no_args_is_help=True, rich_markup_mode=None)

_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.add_typer(app, name="audit")


@app.command()
def verify(
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option("--checkpoints", help="Exported checkpoints: a file, or a folder of them; may be given again."),
    ] = None,
    file: Annotated[Path | None, typer.Option(help="An exported file; the database if none.")] = None,
    former: FormerSecrets = None,
    began: Annotated[
        datetime | None,
        typer.Option(help="When the chain began, UTC: older records are counted, not vouched for."),
    ] = None,
    output: Annotated[Output, typer.Option(help="How to print what is found; JSON is a line each.")] = Output.TEXT,
) -> None:
    """Find what was changed, removed, inserted, reordered or cut off in the log.

    The exit status is 1 where it isn't intact, and 2 where it can't be looked through.
    """
    settings, told = settled(), _Told(output)
    with _unverified():
        keys = auditing.keys(settings, former or ())
        known = [one for place in checkpoint or () for one in checkpoints.read(place)]
        start = None if began is None else microseconds(began.replace(tzinfo=UTC))
        if file is not None:
            tally = _verify_file(told, keys, file)
        else:
            tally = asyncio.run(_verify(settings, told, keys, known, start))
    told.tally(tally)
    if tally.findings:
        raise typer.Exit(FOUND)


@app.command("checkpoint")
def checkpoint_(
    to: Annotated[
        Path | None, typer.Option(help="File to add to, or a folder; standard output if none, or `-`.")
    ] = None,
    former: FormerSecrets = None,
) -> None:
    """Print how far each chain in the database has come, sealed, to be kept where the database isn't.

    A chain whose last link isn't its writer's is told instead, and the status then is 1.
    """
    file = _file(to)
    with _unverified():
        made, refused = asyncio.run(_checkpoints(former or ()))
        if file is not None:
            checkpoints.append(file, made)
    if file is None:
        _write(b"".join(map(as_line, made)))
    for finding in refused:
        print(_line(finding), file=sys.stderr)
    if refused:
        raise typer.Exit(FOUND)


@app.command()
def export(
    since: Annotated[str | None, typer.Option(help="How far to go back: `90m`, `24h`, `7d`; all if none.")] = None,
    until: Annotated[str | None, typer.Option(help="How long ago to end: `1d`; now if none.")] = None,
    session: Annotated[str | None, typer.Option(help="Of one session only, by its own name.")] = None,
    to: Annotated[Path | None, typer.Option(help="File to write, anew; standard output if none, or `-`.")] = None,
) -> None:
    """Write recorded decisions as JSON lines, with the links that vouch for them; `policy replay --file` reads them."""
    first = _EARLIEST if since is None else before_now(since)
    last = datetime.now(UTC) + timedelta(days=1) if until is None else before_now(until)
    span = Span(microseconds(first), microseconds(last), session)
    with _unverified(), _opened(_file(to)) as out:
        done = asyncio.run(_export(span, out))
    print(f"{counted(done.records, 'record')} and {counted(done.links, 'link')} exported", file=sys.stderr)


async def _verify(
    settings: Settings, told: _Told, keys: Mapping[str, ChainKey], known: list[Checkpoint], began: int | None
) -> Tally:
    async with auditing.archive(settings) as archive:
        audit = Audit(archive, keys, known, began)
        async for finding in audit.findings():
            told.finding(finding)
        return audit.tally


def _verify_file(told: _Told, keys: Mapping[str, ChainKey], file: Path) -> Tally:
    with file.open("rb") as lines:
        audit = FileAudit(lines, keys)
        for finding in audit.findings():
            told.finding(finding)
    return audit.tally


async def _checkpoints(former: Sequence[Path]) -> tuple[list[Checkpoint], list[Finding]]:
    """Checkpoints of the chains whose end somebody with a key vouches for; what is wrong with those of others."""
    settings = settled()
    key, keys = auditing.key(settings), auditing.keys(settings, former)
    made: list[Checkpoint] = []
    refused: list[Finding] = []
    async with auditing.archive(settings) as archive:
        async for link in archive.last_links():
            if wrong := list(unvouched(keys, link)):
                refused += wrong
            else:
                made.append(checkpoints.made(key, Head(link.writer, link.sequence, link.mac)))
    return made, refused


async def _export(span: Span, out: BinaryIO) -> Export:
    settings = settled()
    key = auditing.key(settings)
    async with auditing.archive(settings) as archive:
        export = Export(archive, key, span)
        async for line in export.lines():
            with _writing():
                out.write(line)
        with _writing():
            out.flush()
        return export


class _Told:
    """Prints findings, each as it is found."""

    def __init__(self, output: Output) -> None:
        self._json = output is Output.JSON

    def finding(self, finding: Finding) -> None:
        if self._json:
            _write(msgspec.json.encode(finding) + b"\n")
            return
        print(_line(finding))

    def tally(self, tally: Tally) -> None:
        if self._json:
            _write(msgspec.json.encode({"intact": not tally.findings, **asdict(tally)}) + b"\n")
        else:
            print("\n".join(_summary(tally)))


def _line(finding: Finding) -> str:
    of = [f"decision {finding.decision}"] if finding.decision else []
    if finding.writer is not None:
        of.append(f"link {finding.sequence} of writer {finding.writer}")
    return visible(f"{finding.fault}: {', '.join([*of, finding.detail])}")  # it may quote whoever wrote into the log


def _summary(tally: Tally) -> Iterator[str]:
    links, writers = counted(tally.links, "link"), counted(tally.writers, "writer")
    yield f"{counted(tally.records, 'record')} as linked, by {links} of {writers}"
    if tally.dropped_before is not None:
        before = moment_of(tally.dropped_before)
        yield (
            f"dropped for its age: all before {before:%Y-%m-%d}; {tally.shortened} chains are looked at from their "
            f"first kept link on, {tally.dropped} records of kept links are gone"
        )
    if tally.unlinked_before:
        yield f"{tally.unlinked_before} records are from before the chain began; nothing vouches for them"
    yield f"NOT INTACT: {counted(tally.findings, 'finding')}" if tally.findings else "intact"


@contextlib.contextmanager
def _unverified() -> Iterator[None]:
    try:
        yield
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        what = f"`{error.filename}`" if error.filename else "standard output"
        raise Failure(f"{what}: {_why(error)}") from None


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """What it is written to may be full, or have left: no fault of the database, in whose block it happens."""
    try:
        yield
    except OSError as error:
        raise Failure(f"the export can't be written: {_why(error)}") from None


def _why(error: OSError) -> str:
    return (error.strerror or "unknown error").lower()


def _file(to: Path | None) -> Path | None:
    """The file to write; None for standard output, which `-` names too."""
    return None if to is None or str(to) == "-" else to


@contextlib.contextmanager
def _opened(to: Path | None) -> Iterator[BinaryIO]:
    if to is None:
        yield sys.stdout.buffer
        return
    # What agents were asked to do is nobody else's to read.
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with _writing(), os.fdopen(descriptor, "wb") as out:
        yield out


def _write(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()
