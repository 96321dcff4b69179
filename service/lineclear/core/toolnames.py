"""Tool names: when one only looks like another, and where a server's name may end in it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from lineclear.core.hidden import visible

_DRAWN_ALIKE = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212\u30fc\uff70",
    "a": "\u0251\u03b1\u0430\u1d00",
    "b": "\u0299\u03b2\u0432\u044c",
    "c": "\u03c2\u03f2\u0441\u1d04",
    "d": "\u0501\u1d05",
    "e": "\u03b5\u0435\u0451\u1d07",
    "g": "\u0261\u0262\u0581",
    "h": "\u029c\u043d\u04bb\u0570",
    "j": "\u03f3\u0458",
    "k": "\u03ba\u043a\u1d0b",
    "l": "1i|\u0131\u0269\u029f\u03b9\u0456\u0457\u04cf",
    "m": "\u043c\u1d0d",
    "n": "\u0274\u03b7\u0578",
    "o": "0\u03bf\u03c3\u043e\u0585\u1d0f",
    "p": "\u03c1\u0440\u1d18",
    "q": "\u051b\u0566",
    "r": "\u0280\u0433",
    "s": "\u0455\ua731",
    "t": "\u03c4\u0442\u1d1b",
    "u": "\u03bc\u03c5\u057d\u1d1c",
    "v": "\u03bd\u0475\u1d20",
    "w": "\u03c9\u051d\u1d21",
    "x": "\u03c7\u0445",
    "y": "\u03b3\u0443\u04af",
    "z": "\u03b6\u1d22",
}
"""What is drawn like a Latin letter after case folding: Cyrillic, Greek, Armenian and phonetic letters; within ASCII
the strokes ``i``, ``l``, ``1``, ``|`` and the rings ``o``, ``0``. A choice, not Unicode's whole list: two names of one
host must never fall together (a test holds the shipped catalogues to it)."""

_LOOKALIKES = {ord(letter): drawn for drawn, letters in _DRAWN_ALIKE.items() for letter in letters}


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What a person sees of a name: two names with one skeleton look alike, whatever letters they are made of."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    # a second time: folding can take a composition apart
    folded = unicodedata.normalize("NFKC", folded).casefold()
    # a mark that composes with no letter would split two names that are read alike
    bare = "".join(letter for letter in _seen(folded) if not unicodedata.combining(letter))
    return bare.translate(_LOOKALIKES)


def plain(name: str) -> str:
    """A name in NFKC without what can't be seen; a name that isn't its own plain form hides something."""
    return (
        name
        if name.isascii() and name.isprintable() and " " not in name
        else _seen(unicodedata.normalize("NFKC", name))
    )


def _seen(text: str) -> str:
    return "".join(visible(text).split())


@dataclass(frozen=True, slots=True)
class Naming:
    """How a host names the tools of MCP servers: ``prefix``, server, ``separator``, tool.

    A host without a ``prefix`` gives its servers' tools names that a tool of its own could have as well.
    """

    prefix: str = "mcp__"
    separator: str = "__"

    def name(self, server: str, tool: str) -> str:
        """The name of a server's tool."""
        return f"{self.prefix}{server}{self.separator}{tool}"

    def splits(self, name: str) -> tuple[tuple[str, str], ...]:
        """Every (server, tool) that a name can mean, the longest server first; none if it is no server's tool."""
        if not name.startswith(self.prefix):
            return ()
        rest = name[len(self.prefix) :]
        found = []
        at = rest.rfind(self.separator)
        while at > 0:
            if tool := rest[at + len(self.separator) :]:
                found.append((rest[:at], tool))
            at = rest.rfind(self.separator, 0, at + len(self.separator) - 1)
        if found and not self.prefix:
            found.append(("", name))
        return tuple(found)


EVERYWHERE = Naming()
"""How most hosts name them, and how rules do: ``mcp__server__tool``."""
