"""``lineclear install``: plug into an agent's own program, without touching anything else in its configuration."""

from __future__ import annotations

import getpass
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear import resources
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.secret import kept
from lineclear.cli.configured import Change, undone, written
from lineclear.cli.failure import Failure
from lineclear.cli.keys import made
from lineclear.cli.settled import reach, settled
from lineclear.core.call import Role
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.plans import Way, plan, scopes
from lineclear.hosts.setup.tree import Unfit

if TYPE_CHECKING:
    from lineclear.hosts.setup.plans import Plan
    from lineclear.settings import Settings


class Fail(StrEnum):
    """What the hook does where it gets no answer."""

    ASK = "ask"
    BLOCK = "block"
    OPEN = "open"


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command()(install)


def install(
    host: Annotated[str, typer.Argument(help="The agent's program: " + ", ".join(HOSTS) + ".")],
    scope: Annotated[str | None, typer.Option(help="Whose configuration: user, project, local or managed.")] = None,
    show: Annotated[bool, typer.Option("--print", help="Print what would be written, and write nothing.")] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take it out again.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Have the program post by itself, where it can.")] = False,
    fail: Annotated[Fail, typer.Option(help="What happens to a call where the service gives no answer.")] = Fail.ASK,
    key_file: Annotated[Path | None, typer.Option(help="A file with a host's key; without it one is made.")] = None,
) -> None:
    """Plug into an agent's program: make it a key and add hooks to its configuration, of which a backup is kept.

    Running it again changes nothing; `--uninstall` restores what was there.
    """
    if host not in HOSTS:
        raise Failure(f"there is no host `{host}`; there are {', '.join(HOSTS)}")
    chosen = scope or scopes(host)[0]
    if chosen not in scopes(host):
        raise Failure(f"`{host}` has no scope `{chosen}`; it has {', '.join(scopes(host))}")
    settings = settled()
    key = key_file or settings.data_dir / "keys" / f"host-{host}.key"
    planned = plan(host, chosen, _way(settings, host, key.absolute(), fail, http=http))
    try:
        if uninstall:
            _tell(undone(planned, Path.home(), Path.cwd()), "nothing of Lineclear's is there")
            return
        changes = written(planned, Path.home(), Path.cwd(), pretend=True)
        if show:
            print("\n".join(f"{change.file}:\n{change.text}" for change in changes))
            return
        if key_file is None:
            _key(host, key)
        _tell(written(planned, Path.home(), Path.cwd(), pretend=False), "it is set up already")
    except Unfit as error:
        raise Failure(str(error)) from None
    except BrokenPipeError:  # whoever read what is printed has left
        raise
    except OSError as error:
        raise Failure(f"`{error.filename}` can't be read or written: {error.strerror}") from None
    _advise(planned, host, key, http=http, for_all=chosen == "managed" and key_file is None)


def _way(settings: Settings, host: str, key: Path, fail: Fail, *, http: bool) -> Way:
    way = reach(settings)
    if http and not (HOSTS[host].abilities.speaks_http and host == "claude-code"):
        raise Failure(f"`{host}` can't post by itself; leave out --http")
    if http and settings.uds is not None:
        raise Failure("--http needs a port; the setting `uds` names a socket")
    shim = (sys.executable, "-I", "-S", str(resources.shim()))
    return Way(shim, (*way, "--key-file", str(key)), fail.value, way[1] if http else None)


def _key(host: str, file: Path) -> None:
    """A key of the host's own, in a file that only this user reads; one that is there stays."""
    if not file.exists():
        secret = made(Role.HOST, f"{_user()}:{host}")
        try:
            kept(file, lambda: secret)
        except CannotStart as error:
            raise Failure(str(error)) from None


def _user() -> str:
    """Whose agent it is; in containers users often have a number only."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


def _tell(changes: tuple[Change, ...], nothing: str) -> None:
    for change in changes:
        print(f"{change.what} {change.file}" + (f" (backup: {change.backup})" if change.backup else ""))
    if not changes:
        print(nothing)


def _advise(planned: Plan, host: str, key: Path, *, http: bool, for_all: bool) -> None:
    for line in planned.advice:
        print(f"note: {line}")
    if for_all:
        print(f"note: only you can read {key}; --key-file names one that the users of {host} can read")
    if http:
        print(f'note: start {HOSTS[host].abilities.title} with LINECLEAR_KEY="$(cat {key})" in its environment')
    if os.name == "nt":
        print("note: the hook's program runs on Linux and macOS; on Windows use --http")
    print(f"see it work: lineclear doctor {host}")
