"""Finding in a host's file what ``install`` wrote there: the command or the address of the hook before a tool.

A repository may bring such a file. What only resembles ours, another program or another machine's address, is none.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.hosts.setup.making import are_shim, is_address, starts_shim
from lineclear.hosts.setup.tree import Node, Unfit, parse, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND, _FAIL = "const COMMAND = ", "const FAIL = "


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook of ours: the words that start the shim, or the address that the host posts to.

    ``settings`` are what stands beside that in its entry.
    """

    words: tuple[str, ...] = ()
    url: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def fails_open(self) -> bool:
        """Whether a person chose that calls go ahead where the service gives no answer."""
        return self.words[-2:] == ("--fail", "open")


def hook(text: str, gate: str) -> Hook | None:
    """The hook before a tool, ``gate`` being its event, None where the text holds none."""
    return next(_hooks(text, gate), None)


def switched_off(text: str, switch: tuple[tuple[str, ...], bool]) -> bool:
    """Whether a host's settings switch all hooks off, at the path and by the value of ``switch``."""
    path, off = switch
    try:
        found: object = plain(parse(text))
    except Unfit:
        return False
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found is off


def _hooks(text: str, gate: str) -> Iterator[Hook]:
    lines = text.splitlines()
    for line in lines:
        if line.startswith("exec ") and starts_shim(line.removeprefix("exec ")):
            yield Hook(tuple(shlex.split(line.removeprefix("exec "))))
        elif line.startswith(_COMMAND):
            fail = "open" if f'{_FAIL}"open"' in lines else "block"
            with suppress(ValueError, RecursionError):
                if are_shim(words := json.loads(line.removeprefix(_COMMAND))):
                    yield Hook((*words, "--event", gate, "--fail", fail))
    try:
        entries = list(_entries(parse(text)))
    except Unfit:
        return
    for entry in entries:
        for said in (entry.get("command"), entry.get("bash"), entry.get("url")):
            if not isinstance(said, str):
                continue
            if is_address(said) and said.endswith(f"?event={gate}"):
                yield Hook(url=said, settings=entry)
            elif starts_shim(said) and f"--event {gate} " in f"{said} ":
                yield Hook(tuple(shlex.split(said)), settings=entry)


def _entries(node: Node) -> Iterator[Mapping[str, object]]:
    """All objects within, each as its own members are."""
    if node.keys is not None:
        yield {key: child.value for key, child in zip(node.keys, node.children, strict=True)}
    for child in node.children:
        yield from _entries(child)
