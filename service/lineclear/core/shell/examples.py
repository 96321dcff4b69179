"""A description's examples are analysed for real: knowledge that isn't tried is a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.call import Dialect, Environment, Platform
from lineclear.core.shell.analysis import analyse

if TYPE_CHECKING:
    from lineclear.core.shell.program import Program
    from lineclear.core.shell.programs import Programs

WORKSPACE = Environment(
    cwd="/work/repo",
    roots=("/work/repo",),
    home="/home/dev",
    platform=Platform.LINUX,
    dialect=Dialect.BASH,
    repository_trusted=True,
)
"""Where examples are tried: the fixed defaults that rules' examples have too."""


def check_examples(program: Program, programs: Programs) -> list[str]:
    """What is wrong with a program's examples, one message each; empty if nothing is."""
    errors: list[str] = []
    for command in program.read_only:
        effects = analyse(command, WORKSPACE, programs)
        if not effects.read_only:
            whys = [item.why for item in effects.commands if item.why]
            reason = str(effects.doubt) if effects.doubt is not None else whys[0] if whys else "it writes"
            errors.append(f"example `{command}` of `{program.name}` isn't proven to only read: {reason}")
    errors.extend(
        f"example `{command}` of `{program.name}` is proven to only read, but must not be"
        for command in program.not_read_only
        if analyse(command, WORKSPACE, programs).read_only
    )
    return errors
