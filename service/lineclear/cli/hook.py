"""``lineclear hook``: the shim by name. Configurations start its file directly, which is many times faster."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from lineclear import resources


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(hook)


def hook(
    context: typer.Context,
    host: Annotated[str, typer.Argument(help="The agent's program, as `lineclear install` names it.")],
) -> None:
    """Answer a hook: the payload comes on standard input. What follows the host is the shim's; see its first lines."""
    os.execv(sys.executable, [sys.executable, "-I", "-S", str(resources.shim()), host, *context.args])  # noqa: S606
