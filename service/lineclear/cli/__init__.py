"""The command line, one module a verb; a verb's module is imported when that verb is called, and not before."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from typing import Annotated

import typer

from lineclear import __version__
from lineclear.cli.failure import FAILED, Failure

VERBS = {
    "serve": "Run the service.",
    "check": "Decide requests from standard input, without a service.",
    "analyze": "Say what shell commands would do, without running them.",
    "policy": "Work on policies.",
    "report": "Say what would have been asked or denied, had it been enforced.",
    "db": "Look after the database.",
    "audit": "Look through the log, and export it.",
    "keys": "Make, list and revoke keys.",
    "config": "Look at the settings.",
    "install": "Plug into an agent's program.",
    "doctor": "See whether an agent's hook works.",
    "hook": "Answer an agent's hook.",
}
"""Each verb and what it does. Its module has the same name, and a function ``add`` that adds it to the program."""


_INTERRUPTED = 130
"""What shells make of SIGINT."""


def main() -> None:
    """Run the program; what goes wrong in an expected way is told in a line or a few, not in a traceback.

    Whatever goes wrong ends with 2: the framework's and Python's own 1 would tell of a finding.
    """
    try:
        composed(next((word for word in sys.argv[1:] if not word.startswith("-")), None))()
    except Failure as failure:
        print(f"lineclear: {failure}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # whoever read what is printed has left
            sys.exit(FAILED)
        raise
    except Exception:  # noqa: BLE001 - told in full
        traceback.print_exc()
        sys.exit(FAILED)


def composed(verb: str | None) -> typer.Typer:
    """The program with one verb in full, and of the others what its help tells."""
    made = typer.Typer(
        name="lineclear",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback()(_program)
    for name, summary in VERBS.items():
        if name == verb:
            import_module(f"lineclear.cli.{name}").add(made)
        else:
            made.command(name, help=summary)(_elsewhere)
    return made


def _elsewhere() -> None:
    raise AssertionError("a verb that isn't called is never run")


def _version(asked: bool) -> None:
    if asked:
        print(f"lineclear {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Decides tool calls of software agents: allow, deny or ask, with the reason."""
