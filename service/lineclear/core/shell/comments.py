"""Comments: where one, or a word, may begin by the shell's own rule, whatever the grammar takes for one."""

from __future__ import annotations

_BEFORE_WORD = frozenset(" \t\n;&|()")


def begins_word(text: str, at: int) -> bool:
    """Whether a word, or a comment, may begin at an offset: behind a continued line the one that was begun goes on."""
    before = at - 1
    while before > 0 and text[before] == "\n" and _escaped(text, before):
        before -= 2
    if before < 0 or text[before] not in _BEFORE_WORD or _escaped(text, before):
        return before < 0
    return before == at - 1 or text[before] != ")"  # which may end a substitution, and the word goes on


def _escaped(text: str, at: int) -> bool:
    """Whether a letter, or the end of a line, means nothing: an odd number of backslashes stands before it."""
    line = text[max(text.rfind("\n", 0, at), 0) : at]
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1
