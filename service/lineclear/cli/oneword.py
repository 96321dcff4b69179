"""A shell command is typed as one word; one that was typed without quotes is shown with them."""

from __future__ import annotations

import shlex

from lineclear.cli.failure import Failure

TAKES_ALL = {"allow_extra_args": True, "ignore_unknown_options": True}
"""For a verb that takes a command: a word that is no option of its own is one of the command's."""


def only(verb: str, command: str | None, others: list[str]) -> None:
    """Refuse what isn't one word, saying what to type. A dash alone is a word."""
    if command is not None and command.startswith("-") and command != "-":
        raise Failure(f"there is no option `{command}`; see `lineclear {verb} --help`")
    if others:
        typed = shlex.join([command or "", *others])
        raise Failure(f"a command is one word; put it in quotes: `lineclear {verb} {shlex.quote(typed)}`")
