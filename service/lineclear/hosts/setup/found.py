"""Finding in a host's file what ``install`` wrote there: the command or the address of the hook before a tool."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.hosts.setup.making import SHIM
from lineclear.hosts.setup.tree import Node, Unfit, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND = "const COMMAND = "


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook of ours: the words that start the shim, or the address that the host posts to."""

    words: tuple[str, ...] = ()
    url: str | None = None


def hook(text: str, gate: str) -> Hook | None:
    """The hook before a tool, ``gate`` being its event, None where the text holds none."""
    return next(_hooks(text, gate), None)


def _hooks(text: str, gate: str) -> Iterator[Hook]:
    for line in text.splitlines():
        if line.startswith("exec ") and SHIM in line:
            yield Hook(tuple(shlex.split(line.removeprefix("exec "))))
        elif line.startswith(_COMMAND):
            yield Hook((*json.loads(line.removeprefix(_COMMAND)), "--event", gate))
    try:
        texts = list(_texts(parse(text)))
    except Unfit:
        return
    for found in texts:
        if "/v1/hooks/" in found and found.endswith(f"?event={gate}"):
            yield Hook(url=found)
        elif SHIM in found and f"--event {gate} " in f"{found} ":
            yield Hook(tuple(shlex.split(found)))


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node.value, str):
        yield node.value
    for child in node.children:
        yield from _texts(child)
