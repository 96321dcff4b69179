"""What is of our making: an entry that starts the shim or posts to our address, and a file that holds nothing else.

An entry of somebody else's may call our hook from a script of its own, or stand in one group with it: that is theirs.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import partial

SHIM = "lineclear_hook.py"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/v1/hooks/[a-z-]+\?event=[A-Za-z.]+")
_VARIES = (
    (re.compile(r"^exec (.*)$", re.MULTILINE), "exec"),
    (re.compile(r'"(?:bash|command)": "((?:[^"\\\n]|\\.)*)"'), '"command"'),
    (re.compile(r"^const (?:COMMAND = \[.*\]|FAIL = \"[a-z]+\")$", re.MULTILINE), "const"),
)
"""What differs from one installation to the next: the words that start the shim, and what happens without an answer."""


def starts_shim(command: object) -> bool:
    """Whether a command is one that ``install`` writes: an interpreter, its two options, the shim."""
    if not isinstance(command, str) or SHIM not in command:
        return False
    try:
        return are_shim(shlex.split(command))
    except ValueError:
        return False


def are_shim(words: object) -> bool:
    """The same of the words of a command."""
    return (
        isinstance(words, list)
        and all(isinstance(word, str) for word in words)
        and words[1:3] == ["-I", "-S"]
        and any(word.rpartition("/")[2] == SHIM for word in words[3:4])
    )


def is_address(url: object) -> bool:
    """Whether a host posts to an address that ``install`` writes: this machine's, for a host's event."""
    return isinstance(url, str) and _ADDRESS.fullmatch(url) is not None


def entry(value: object) -> bool:
    """Whether an entry of a list of hooks is ours; a group of several is only where all in it are."""
    if not isinstance(value, Mapping):
        return False
    inner = value.get("hooks")
    if isinstance(inner, list):
        return bool(inner) and all(map(entry, inner))
    return starts_shim(value.get("command")) or is_address(value.get("url"))


def file(text: str, content: str) -> bool:
    """Whether a file holds what ``install`` writes, ``content``, be it for another installation, and nothing else."""
    return _shape(text) == _shape(content)


def _shape(text: str) -> str:
    for pattern, name in _VARIES:
        text = pattern.sub(partial(_named, name), text)
    return text


def _named(name: str, found: re.Match[str]) -> str:
    """The name in place of what was found, where that starts the shim or says nothing of it."""
    return found[0] if found.groups() and SHIM not in found[1] else name
