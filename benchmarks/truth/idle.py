"""Commands that had nothing to do here: that nothing happened says nothing of what they do elsewhere."""

from __future__ import annotations

import re
import shutil

from benchmarks.truth.observe.sandbox import PATH

_BEGINS = r"(?:^|[;&(`]|\$\()\s*"
"""Where a command begins that reads what the harness gives, which is nothing."""

_STARTS = r"(?:^|[|;&(`]|\$\(|(?:^|\s)(?:do|then|else|xargs(?:\s+-\S+)*|-exec|-execdir)\s)\s*(?:\S*/)?"
"""Where a program's name may stand, behind what hands it names too."""

_ENDS = r"\s*(?:$|[|;&)`])"
_QUOTED = re.compile(r"'[^']*'")
_TEXTS = re.compile(r'"[^"]*"')
_NO_INPUT = re.compile(
    _BEGINS + r"(?:xargs\b(?!\s+--(?:help|version))[^<]*(?:$|\|)"
    r"|(?:split|csplit|gzip|bzip2|xz|tee)(?:\s+-(?!-(?:help|version))\S+(?:\s+[0-9]+)?)*" + _ENDS + ")"
)
"""What takes its work from its input, and names no file."""

_WRITERS = re.compile(
    _STARTS
    + r"(?:(?:rm|rmdir|mv|ln|rename|prename|unlink|touch|mkdir|chmod|chown|truncate|shred)\s(?!--(?:help|version))"
    r"|unzip\s+(?!-\w*[lvtZzhp]|--help)|terraform\s+fmt\b(?!.*-check)|sed\s+(?:-\w+\s+)*-i\b)",
)
"""What is made to write: if it wrote nothing, it found nothing to write, or nobody answered what it asked."""

_NAMED = re.compile(r"(?:^|[|;&])\s*([a-z][\w.+-]*)(?=\s|$)")
_BUILT_IN = frozenset(
    [
        *("alias", "bg", "bind", "break", "builtin", "caller", "case", "cd", "command", "compgen", "complete"),
        *("continue", "coproc", "declare", "dirs", "disown", "do", "done", "echo", "elif", "else", "enable", "esac"),
        *("eval", "exec", "exit", "export", "false", "fc", "fg", "fi", "for", "function", "getopts", "hash", "help"),
        *("history", "if", "in", "jobs", "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd"),
        *("pwd", "read", "readarray", "readonly", "return", "select", "set", "shift", "shopt", "source", "suspend"),
        *("test", "then", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset"),
        *("until", "wait", "while"),
    ]
)


def idle(command: str) -> str | None:
    """Why a command that left no mark had nothing to do, None if there is no reason. Read off the text."""
    bare = _QUOTED.sub("''", command)
    if _NO_INPUT.search(bare):
        return "its work is on its input, which was empty"
    if _WRITERS.search(bare):
        return "it is made to write, and found nothing to write"
    return None


def absent(command: str) -> str | None:
    """A program that a command names where one would start, and that isn't installed; None if all are.

    What the shell says of it may have gone elsewhere (``2>/dev/null``, ``2>&1 | head``).
    """
    bare = _TEXTS.sub('""', _QUOTED.sub("''", command))
    names = (name for name in _NAMED.findall(bare) if name not in _BUILT_IN)
    return next((name for name in names if shutil.which(name, path=PATH) is None), None)
