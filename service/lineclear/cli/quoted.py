"""Texts that agents wrote, shown to people: in one line, without what a terminal or Markdown would take for its own."""

from __future__ import annotations

import re
import unicodedata


def line(text: str) -> str:
    """A text in one line, each blank of it one space."""
    return visible(" ".join(text.split()))


def visible(text: str) -> str:
    """A text with its control and format characters, by which a terminal could be led, told by their numbers."""
    return "".join(_told(char) for char in text)


def cell(text: str) -> str:
    """A text as code in a table's cell of Markdown."""
    plain = line(text).replace("|", "\\|")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", plain)), default=0))
    return f"{ticks} {plain} {ticks}" if "`" in plain else f"`{plain}`"


def _told(char: str) -> str:
    return f"\\u{ord(char):04x}" if unicodedata.category(char)[0] == "C" else char
