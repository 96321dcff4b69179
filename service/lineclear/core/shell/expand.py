"""Words as the shell would resolve them: quotes taken off, braces and tildes expanded, patterns told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.call import Dialect
from lineclear.core.shell.braces import TooManyWords, expand_braces
from lineclear.core.shell.scan import Scan, Unreadable
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from lineclear.core.shell.braces import Marked
    from lineclear.core.shell.scan import Found
    from lineclear.core.shell.scope import Scope

_GLOB = re.compile(r"[*?\[]")
_TILDE = re.compile(r"~[^/:]*")
_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_SIMPLE = re.compile(r"[A-Za-z0-9_./:,+@%-][A-Za-z0-9_./:,+@%=-]*")


class Expander:
    """Resolves the words of one text."""

    def __init__(self, text: str, dialect: Dialect, tells_folder: Callable[[str], bool]) -> None:
        self.text = text
        self.tells_folder = tells_folder
        self.zsh = dialect in {Dialect.ZSH, Dialect.UNKNOWN}
        self.posix = dialect is Dialect.SH

    def words(
        self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found, *, condition: bool = False
    ) -> list[Word]:
        """What stands between two offsets, as words. Raises ``Unreadable``."""
        raw = self.text[start:end]
        if not condition and _SIMPLE.fullmatch(raw):
            return [Word(raw, raw)]
        scan = self._scan(start, end, hollows, scope, found, condition=condition)
        scan.word()
        value, mask = scan.marked
        if condition:
            return [Word(value, raw, quoted=HOLE in value or "p" in mask, glob="p" in mask)]
        try:
            parts = expand_braces(value, mask) if "{" in value else [(value, mask)]
        except TooManyWords:
            raise Unreadable from None
        several = len(parts) > 1
        if several and (self.posix or scan.bare or raw.startswith("~")):
            parts = [(HOLE, "u")]
        if (several or self.zsh or "{" in value) and _lopsided(value, mask, strict=self.zsh):
            parts = [(HOLE, "u")]
        return [self._word(text, marks, raw, scope) for text, marks in parts if text or scan.quotes]

    def value(self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found) -> str | None:
        """What an assignment would put into a variable, None where it isn't known. Raises ``Unreadable``."""
        if start == end:
            return ""
        scan = self._scan(start, end, hollows, scope, found)
        scan.word()
        value, mask = scan.marked
        if value[:1] == "~" and mask[:1] == "u":
            value, mask = self._tilde(value, mask, scope)
        if HOLE in value or "p" in mask or (self.zsh and value[:1] == "=") or ":~" in value:
            return None
        return value

    def body(self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found) -> str:
        """What an unquoted here-document becomes, with holes. Raises ``Unreadable``."""
        scan = self._scan(start, end, hollows, scope, found)
        scan.body()
        return scan.marked[0]

    def _scan(
        self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found, *, condition: bool = False
    ) -> Scan:
        return Scan(
            self.text,
            start,
            end,
            hollows,
            scope,
            found,
            tells_folder=self.tells_folder,
            zsh=self.zsh,
            posix=self.posix,
            condition=condition,
        )

    def _word(self, value: str, mask: str, raw: str, scope: Scope) -> Word:
        if self.zsh and value[:1] == "=" and mask[0] == "u" and len(value) > 1 and value not in {"==", "=~"}:
            value, mask = HOLE + value[1:], "u" + mask[1:]  # a folder that nobody knows, and a program in it
        elif "~" in value:
            value, mask = self._tildes(value, mask, raw, scope)
        expands = _GLOB.search(value) is not None and _has_glob(value, mask)
        one_of = "p" in mask
        if expands or one_of:
            value = "".join(
                "?" if mark == "q" and letter in "*?[" else letter for letter, mark in zip(value, mask, strict=True)
            )
        whole = all(mark == "q" for letter, mark in zip(value, mask, strict=True) if letter == HOLE)
        quoted = whole and not expands and (one_of or HOLE in value)
        return Word(value, raw, quoted=quoted, glob=expands or one_of)

    def _tildes(self, value: str, mask: str, raw: str, scope: Scope) -> Marked:
        if value[0] == "~" and mask[0] == "u":
            if raw[0] in "~{":
                return self._tilde(value, mask, scope)
            return (value, mask) if raw[0] in "'\"" and not self.zsh else (HOLE, "u")
        assigned = _ASSIGNED.match(value)
        if assigned is None or not any(mask[at.start()] == "u" for at in re.finditer("(?<=[=:])~", value)):
            return value, mask
        start = assigned.end()
        if "q" in mask[:start]:
            return value, mask
        if self.zsh or "{" in raw or value[start : start + 1] != "~" or value.count("~") > 1:
            return HOLE, "u"
        rest, marks = self._tilde(value[start:], mask[start:], scope)
        return value[:start] + rest, mask[:start] + marks

    def _tilde(self, value: str, mask: str, scope: Scope) -> Marked:
        """A word that begins with a tilde: a home where the name behind it is empty, or somebody's."""
        end = _TILDE.match(value).end()  # type: ignore[union-attr]
        if "q" in mask[: end + 1]:
            return (HOLE, "u") if self.zsh else (value, "q" * len(value))
        name = value[1:end]
        if value[end : end + 1] == ":":
            return HOLE, "u"
        if not name and scope.home is not None:
            return scope.home + value[end:], "q" * len(scope.home) + mask[end:]
        if name and (self.zsh or name[0] in "+-" or name[0].isdigit()):
            return HOLE + value[end:], "u" + mask[end:]
        return value, mask


def _lopsided(value: str, mask: str, *, strict: bool) -> bool:
    """Whether braces aren't balanced, which the shells read differently; ``strict`` where even one alone matters."""
    if "{" not in value and "}" not in value:
        return False
    unquoted = [letter for letter, mark in zip(value, mask, strict=True) if mark == "u"]
    opened, closed = unquoted.count("{"), unquoted.count("}")
    return opened != closed and (strict or (opened > 0 and closed > 0))


def _has_glob(value: str, mask: str) -> bool:
    unquoted = [letter if mark == "u" else "" for letter, mark in zip(value, mask, strict=True)]
    if "*" in unquoted or "?" in unquoted:
        return True
    return "[" in unquoted and "]" in unquoted[unquoted.index("[") + 1 :]
