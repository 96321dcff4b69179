"""OpenCode's patterns in this format's words: what allows means no more than there, what denies or asks no less.

There a star is any run of characters, slashes and blanks included, a question mark one character, and all else itself;
a path is compared as it lies below the worktree. Source: "Permissions" of OpenCode's manual, the sections "Wildcards",
"Home Directory Expansion" and "Available Permissions".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.rules.rule import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPECIAL = frozenset("\\'\"`;&|<>()[]{}$~?#!")
_HOME = re.compile(r"(?:~|\$HOME)(?=/|$)")
_HOST = re.compile(r"https?://((?:\*\.)?[^/*?#@]+)/\*")


class NoCounterpart(ValueError):
    """The pattern can't be said here; the text says what to do."""


def command(pattern: str, effect: Effect) -> str:
    """The command pattern. Raises ``NoCounterpart``."""
    if "?" in pattern:
        if effect is Effect.ALLOW:
            raise NoCounterpart("`?` is a character in commands here; name each command")
        pattern = pattern.replace("?", "*")
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in pattern)


def paths(pattern: str, effect: Effect) -> Iterator[str]:
    """The path patterns, any of which may match."""
    home = _HOME.match(pattern)
    if home is not None:
        anchor, rest = "~", pattern[home.end() :]
    elif pattern.startswith("/"):
        anchor, rest = "/", pattern
    else:
        anchor, rest = "", pattern
    if effect is Effect.ALLOW:
        yield _narrow(anchor, rest)
    else:
        yield from (anchor + one for one in _wide(rest))


def address(pattern: str, effect: Effect) -> str:
    """What stands in the brackets of a rule about fetching. Raises ``NoCounterpart``."""
    form = _HOST.fullmatch(pattern)
    if form is not None:
        return f"domain:{form[1]}"
    if effect is Effect.ALLOW:
        raise NoCounterpart("only `https://host/*` is carried over; write `WebFetch(domain:host)`")
    if "?" in pattern:
        pattern = pattern.replace("?", "*")
    return f"url:{pattern}"


def _narrow(anchor: str, rest: str) -> str:
    """A name alone is the one at the top, where here it would be any of that name."""
    return rest if anchor == "" and ("/" in rest or rest.startswith("*")) else (anchor or "/") + rest


def _wide(rest: str) -> Iterator[str]:
    """A star that may cross folders is as many of them as there may be."""
    *folders, last = rest.split("/")
    widened: list[str] = []
    for folder in folders:
        widened += ["**"] if folder in {"*", "**"} else [folder, "**"] if "*" in folder else [folder]
    yield "/".join((*widened, last))
    before, star, behind = last.partition("*")
    if star and before and behind:
        yield "/".join((*widened, f"{before}*", "**", f"*{behind}"))
