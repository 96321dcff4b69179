"""A page that a reader follows step by step: the files that it has one write, the commands, and what they print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLOCK = re.compile(r"^```(yaml|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LEFT_OUT = "…"
"""Stands for any lines where it is a line, else for any text within one."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file as it stands on the page, with the first line, a comment that tells its name in the reader's folder."""

    name: str
    text: str

    def into(self, folder: Path) -> None:
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command, and what it prints as the page says."""

    command: str
    printed: str

    def fits(self, output: str) -> bool:
        return re.fullmatch(_expression(self.printed), output.strip("\n"), re.DOTALL) is not None


def steps(page: str) -> Iterator[Written | Typed]:
    """The steps of a page, in order."""
    for kind, body in _BLOCK.findall(page):
        if kind == "yaml":
            yield Written(body.partition("\n")[0].removeprefix("# "), body)
            continue
        for command in body.removeprefix("$ ").split("\n$ "):
            typed, _, printed = command.partition("\n")
            yield Typed(typed.strip(), printed.strip("\n"))


def _expression(printed: str) -> str:
    lines = [
        ".*" if line == LEFT_OUT else re.escape(line).replace(re.escape(LEFT_OUT), r"[^\n]*") + "\n"
        for line in printed.split("\n")
    ]
    return "".join(lines).removesuffix("\n")
