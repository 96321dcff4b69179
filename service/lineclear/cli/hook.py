"""``lineclear hook``: the shim by name. Configurations start its file directly, which is many times faster."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from lineclear import resources
from lineclear.cli.settled import reach, settled


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(hook)


def hook(
    context: typer.Context,
    host: Annotated[str, typer.Argument(help="The agent's program, as `lineclear install` names it.")],
) -> None:
    """Answer a hook: the payload comes on standard input. What follows the host is the shim's; see its first lines.

    Without an address it asks the one in the settings; without a key it takes the host's own, else the first one made.
    """
    words, settings = list(context.args), settled()
    if not {"--url", "--socket"} & set(words):
        words += reach(settings)
    keys = [settings.data_dir / "keys" / name for name in (f"host-{host}.key", "host.key")]
    key = next((key for key in keys if key.is_file()), None)
    if key is not None and "--key-file" not in words and "LINECLEAR_KEY" not in os.environ:
        words += ["--key-file", str(key)]
    os.execv(sys.executable, [sys.executable, "-I", "-S", str(resources.shim()), host, *words])  # noqa: S606
