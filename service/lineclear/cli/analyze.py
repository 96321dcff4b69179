"""``lineclear analyze``: what a shell command would do, without running it; no service, no database, no model."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.oneword import TAKES_ALL, only
from lineclear.cli.policy_folder import loaded
from lineclear.core.call import Dialect, Environment, Platform
from lineclear.core.shell.account import account

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from lineclear.core.policy import Policy
    from lineclear.core.shell.account import Account, Part

_PLATFORMS = {"linux": Platform.LINUX, "darwin": Platform.MACOS, "win32": Platform.WINDOWS}


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command(context_settings=TAKES_ALL)(analyze)


def analyze(
    context: typer.Context,
    command: Annotated[str | None, typer.Argument(help="One command, in quotes; a picture of it is printed.")] = None,
    jsonl: Annotated[
        str | None, typer.Option(metavar="FILE", help='Lines `{"command": …}`, `-` for standard input; JSON lines out.')
    ] = None,
    cwd: Annotated[
        Path | None, typer.Option(help="Where it would run, and the only workspace root; this folder if not given.")
    ] = None,
    trusted_repository: Annotated[
        bool, typer.Option("--trusted-repository", help="The repository there is vouched for.")
    ] = False,
    shell: Annotated[Dialect, typer.Option(help="The shell that would run it.")] = Dialect.BASH,
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
) -> None:
    """Say whether shell commands are proven to only read, and what each of their parts would do.

    Nothing is run. The exit status is 0 whatever the answers are; 1 where a line holds no command, which gets an error
    in its place; 2 where nothing could be done.

    Example: lineclear analyze 'cd src && grep -rn foo . | head'
    """
    only("analyze", command, context.args)
    if (command is None) == (jsonl is None):
        raise Failure("give either a command or `--jsonl FILE`")
    start = str((cwd or Path.cwd()).absolute())
    environment = Environment(
        cwd=start,
        roots=(start,),
        home=str(Path.home()),
        platform=_PLATFORMS.get(sys.platform, Platform.UNKNOWN),
        dialect=shell,
        repository_trusted=trusted_repository,
    )
    policy = loaded(policies).policy
    if command is not None:
        print("\n".join(_picture(account(command, environment, policy))))
        return
    with _opened(jsonl or "-") as lines:
        if not _answer(lines, environment, policy):
            raise typer.Exit(FOUND)


def _answer(lines: BinaryIO, environment: Environment, policy: Policy) -> bool:
    clean = True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        told: dict[str, object]
        try:
            told = _told(account(_command(line), environment, policy))
        except ValueError as error:
            clean, told = False, {"error": f"line {number}: {error}"}
        sys.stdout.buffer.write(_encoded(told) + b"\n")
        sys.stdout.buffer.flush()  # whoever asks line by line waits for this one
    return clean


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below; only opening it is a fault of what was typed
    except OSError as error:
        raise Failure(f"can't read `{name}`: {error.strerror}") from None
    with file:
        yield file


def _command(line: bytes) -> str:
    """The command of a line. Raises ``ValueError``."""
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("this isn't JSON in UTF-8") from None
    found = read.get("command") if isinstance(read, dict) else None
    if not isinstance(found, str):
        raise ValueError('this isn\'t an object with a text `command`, like {"command": "ls"}')  # noqa: TRY004 - of a line
    return found


def _encoded(told: dict[str, object]) -> bytes:
    """A line of JSON; halves of characters, which UTF-8 doesn't hold, are spelled by their numbers."""
    try:
        return json.dumps(told, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(told).encode()


def _told(found: Account) -> dict[str, object]:
    parts = [{key: value for key, value in asdict(part).items() if key not in {"text", "why"}} for part in found.parts]
    return {"command": found.command, "read_only": found.read_only, "reason": found.reason, "parts": parts}


def _picture(found: Account) -> Iterator[str]:
    yield f"read-only: {found.read_only}  ({_line(found.reason)})"
    for part in found.parts:
        yield ""
        yield f"  {_line(part.text) or '(redirects alone)'}"
        yield from _rows(part)


def _rows(part: Part) -> Iterator[str]:
    words = " ".join("…" if word is None else json.dumps(word, ensure_ascii=False) for word in part.words)
    rows = {
        "words": [words],
        "reads": part.reads,
        "writes": part.writes,
        "executes": part.executes,
        "network": part.network,
        "not proven": [part.why] * bool(part.why),
    }
    for name, values in rows.items():
        for value in values:
            yield f"    {name:<11} {_line(value)}"


def _line(text: str) -> str:
    """A text as one line, in which nothing moves the cursor."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
