"""A third reading: where shfmt sees other words in a proven command than the analysis, one of the two is wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lineclear.core.effects import Effects
    from lineclear.core.shell.words import Word

PROGRAM = shutil.which("shfmt", path=str(Path(sys.executable).parent)) or shutil.which("shfmt")
"""Where shfmt is, None if it isn't installed."""

MISSING = "shfmt isn't installed (the package shfmt-py brings it)"

Spelled = list[tuple[str, str | None]]
"""The words of a command: each as it is spelled, and its value, None where that is no literal."""


def differences(text: str, effects: Effects) -> list[object] | None:
    """Words of a command that only one of the two sees; None where shfmt doesn't read the text."""
    theirs = read(text)
    if theirs is None:
        return None
    ours = {tuple(dict.fromkeys(word.raw.replace("\\\n", "") for word in words)) for words in _seen(effects)}
    wrong: set[object] = set(ours ^ {tuple(dict.fromkeys(raw for raw, _ in words)) for words in theirs})
    values = {raw: value for words in theirs for raw, value in words if value is not None}
    wrong |= {
        (word.raw, word.shape, values[word.raw])
        for words in _seen(effects)
        for word in words
        if word.raw in values and word.shape != values[word.raw]
    }
    return sorted(wrong, key=str)


def read(text: str) -> list[Spelled] | None:
    """The commands of a text as shfmt reads them.

    What it calls a declaration is a command here too. None where it doesn't read the text at all, or takes a carriage
    return for a blank, which no shell does. A line that goes on leaves nothing in a word. Raises ``FileNotFoundError``
    where shfmt isn't installed.
    """
    if PROGRAM is None:
        raise FileNotFoundError(MISSING)
    source = text.encode("utf-8", "replace")
    done = subprocess.run([PROGRAM, "-ln=bash", "--to-json"], input=source, capture_output=True, check=False)
    if done.returncode or "\r" in text or source.decode() != text:
        return None
    return [_spelled(node, source) for node in _commands(json.loads(done.stdout))]


def report(proven: Mapping[str, Effects]) -> Iterator[str]:
    """What the third reading says of commands that are proven, for people."""
    if PROGRAM is None:
        yield f"third reading: not done, {MISSING}"
        return
    found = {text: differences(text, effects) for text, effects in proven.items()}
    unread = sum(one is None for one in found.values())
    wrong = {text: one for text, one in found.items() if one}
    yield f"third reading: {len(found) - unread} proven commands compared with shfmt, {len(wrong)} read otherwise"
    yield f"  {unread:6}  it doesn't read at all"
    for text, one in wrong.items():
        yield f"OTHER WORDS  {one}"
        yield "        " + text.replace("\n", "\\n")[:200]


def _commands(tree: object) -> Iterator[dict[str, Any]]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            stack += node.values()
            if (node.get("Type") == "CallExpr" and node.get("Args")) or node.get("Type") == "DeclClause":
                yield node


def _spelled(node: dict[str, Any], source: bytes) -> Spelled:
    if node["Type"] == "CallExpr":
        return [(_span(source, word), _value(word["Parts"])) for word in node["Args"]]
    name = node["Variant"]["Value"]
    return [(name, name), *((_span(source, word), None) for word in node.get("Args", ()))]


def _span(source: bytes, node: dict[str, Any]) -> str:
    return source[node["Pos"]["Offset"] : node["End"]["Offset"]].decode().replace("\\\n", "")


def _value(parts: Iterable[dict[str, Any]]) -> str | None:
    values: list[str] = []
    for part in parts:
        if part["Type"] == "Lit":
            if re.search(r"(?<!\\)[*?\[{~]", part["Value"]):
                return None
            values.append(re.sub(r"\\(.)", lambda found: found[1].strip("\n"), part["Value"], flags=re.DOTALL))
        elif part["Type"] == "SglQuoted" and not part.get("Dollar"):
            values.append(part.get("Value", ""))
        elif part["Type"] == "DblQuoted" and not part.get("Dollar"):
            inner = [one["Value"] if one["Type"] == "Lit" else None for one in part.get("Parts", ())]
            if None in inner:
                return None
            text = "".join(one for one in inner if one is not None)
            values.append(re.sub(r"\\([$`\"\\\n])", lambda found: found[1].strip("\n"), text))
        else:
            return None
    return "".join(values)


def _seen(effects: Effects) -> list[Sequence[Word]]:
    """The commands that stand in the text itself, without conditions, which aren't words to shfmt."""
    timed = {
        command.index for command in effects.commands if command.words[0].raw == "time" and command.wrapper is None
    }
    return [
        command.words
        for command in effects.commands
        if (command.wrapper is None or command.wrapper in timed)
        and command.index not in timed
        and command.words[0].raw != "[["
    ]
