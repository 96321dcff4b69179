"""Commands that expand what nobody set: with nothing in its place they aren't the commands that were meant."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"'[^']*'")
_EXPANDED = re.compile(r"(?<!\\)\$\{?[!#]?([A-Za-z_]\w*|[1-9@*])")
_SET = re.compile(r"\b([A-Za-z_]\w*)(?:\[[^]]*\])?\+?=|\b(?:for|select|getopts\s+\S+)\s+([A-Za-z_]\w*)")
_READ = re.compile(r"\b(?:read|mapfile|readarray|printf\s+-v)\b([^;|&\n<]*)")
_BY_THE_SHELL = frozenset(
    {
        "HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "TERM", "TZ", "HOSTNAME", "HOSTTYPE",
        "RANDOM", "UID", "EUID", "PPID", "SECONDS", "LINENO", "BASH", "BASH_VERSION", "BASHPID", "IFS", "MACHTYPE",
        "OSTYPE", "SHLVL", "GROUPS", "PIPESTATUS", "REPLY", "MAPFILE", "BASH_REMATCH", "DIRSTACK", "EPOCHSECONDS",
    },
)  # fmt: skip


def unset(command: str) -> str | None:
    """The first name that a command expands and neither it nor the shell sets; None if there is none.

    Read off the text, outside single quotes. Parameters count: nobody gives any.
    """
    bare = _QUOTED.sub("''", command)
    names = _BY_THE_SHELL | {name for pair in _SET.findall(command) for name in pair}
    names |= {word for words in _READ.findall(command) for word in words.split()}
    if re.search(r"\b(?:set\s+--|function\b|\(\)\s*\{)", command):
        names |= set("123456789@*")
    return next((name for name in _EXPANDED.findall(bare) if name not in names), None)
