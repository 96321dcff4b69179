"""Variables: which may be set without changing what a program does, which hold secrets, which values are known."""

from __future__ import annotations

import re

HARMLESS = frozenset(
    [
        "CI",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "DEBIAN_FRONTEND",
        "FORCE_COLOR",
        "GIT_OPTIONAL_LOCKS",
        "GIT_TERMINAL_PROMPT",
        "LANG",
        "LANGUAGE",
        "LINES",
        "NO_COLOR",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
        "RUST_BACKTRACE",
        "TERM",
        "TZ",
    ]
)
"""Names that may be set for a program: they change how it prints, not what it does. Every ``LC_`` name is one too."""

_PAGERS = frozenset({"PAGER", "GIT_PAGER", "MANPAGER"})
_NO_PAGER = frozenset({"", "cat"})
"""With these values what is printed is only handed on."""

_SPECIAL = frozenset(
    [
        "cdpath",
        "fignore",
        "fpath",
        "histchars",
        "mailpath",
        "manpath",
        "module_path",
        "path",
        "prompt",
        "psvar",
        "status",
        "watch",
        "all_proxy",
        "ftp_proxy",
        "http_proxy",
        "https_proxy",
        "no_proxy",
        "argv",
        "options",
        "commands",
        "functions",
        "aliases",
        "auto_resume",
    ]
)
_OWN = frozenset(
    [
        *("BASE", "BASEDIR", "BASE_DIR", "BRANCH", "COMMIT", "COUNT", "DATE", "DEST", "DEST_DIR", "DIR", "DIRS", "DST"),
        *("END", "FILE", "FILENAME", "FILES", "FOLDER", "FOLDERS", "ID", "IDS", "INDEX", "INPUT", "INPUT_FILE", "ITEM"),
        *("ITEMS", "LINE", "LIST", "LOGFILE", "LOG_FILE", "NAME", "NAMES", "NOW", "NUM", "OUT", "OUTPUT", "OUTPUT_DIR"),
        *("OUTPUT_FILE", "OUT_DIR", "PATTERN", "PROJECT_DIR", "QUERY", "REPO", "REPO_DIR", "RESULT", "ROOT_DIR"),
        *(
            "SCRIPT_DIR",
            "SHA",
            "SRC",
            "SRC_DIR",
            "START",
            "TAG",
            "TARGET",
            "TEXT",
            "TIMESTAMP",
            "TODAY",
            "TOTAL",
            "URL",
        ),
        *("VALUE", "VERSION", "WORD"),
        *(
            "ACTUAL",
            "BASE_BRANCH",
            "BASE_SHA",
            "CHANGED",
            "CHANGED_FILES",
            "COMMITS",
            "COUNTER",
            "CURRENT_BRANCH",
            "DIFF",
        ),
        *(
            "ERRORS",
            "EXPECTED",
            "FAILED",
            "FOUND",
            "FUNC",
            "HASH",
            "HEAD_SHA",
            "LAST_TAG",
            "LATEST",
            "LATEST_TAG",
            "LEN",
        ),
        *(
            "LINE_NUM",
            "MAIN_BRANCH",
            "MATCHES",
            "MAX",
            "MERGE_BASE",
            "MIN",
            "MISSING",
            "MODIFIED",
            "MSG",
            "PREV",
            "PREV_TAG",
        ),
        *("SECTION", "SIZE", "SUM", "TESTS", "TOTAL_LINES", "USED"),
    ]
)
"""Names in upper case that scripts use for values of their own, and that neither a shell nor a program reads."""
_PLAIN = re.compile(r"[a-z][a-z0-9_]*|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET = re.compile(
    r"secret|token|passw|passphrase|credential|api_?key|private|_key|key$|^key|auth|cookie|session|_pat$|_pw$|_pwd$|dsn"
    r"|database_url|connection_?string|webhook",
    re.IGNORECASE,
)


_RUN = re.compile(
    r"(?i)(?:^|_)(?:command|cmd|pager|editor|visual|browser|askpass|shell|bash_env|env|lessopen|lessclose|external_diff"
    r"|wrapper|ssh|rsh|opener|exec|cc|cxx|ps[0-4])$"
)


def runs(name: str) -> bool:
    """Whether some program takes the value of a variable of this name for a command (``GIT_SSH_COMMAND``)."""
    return _RUN.search(name) is not None


def proxy(name: str) -> bool:
    """Whether programs connect to what a variable of this name holds (``https_proxy``)."""
    return name.lower().endswith("_proxy") and name.lower() != "no_proxy"


def harmless(name: str, value: str | None = None) -> bool:
    """Whether a variable of this name, or of this name and value, may be put into a program's environment."""
    return name in HARMLESS or name.startswith("LC_") or (name in _PAGERS and value in _NO_PAGER)


def plain(name: str) -> bool:
    """Whether a name is a script's own: by how it is spelled, neither a shell nor a program gives it a meaning."""
    if name in _OWN:
        return True
    return _PLAIN.fullmatch(name) is not None and name.lower() not in _SPECIAL and not name.startswith("npm_")


def unread(name: str) -> bool:
    """Whether a variable is the one that the shell sets before each command, so that what is put into it is lost."""
    return name == "_"


def identifier(name: str) -> bool:
    """Whether a text is the name of a variable, and of nothing in it."""
    return _IDENTIFIER.fullmatch(name) is not None


def secret(name: str) -> bool:
    """Whether a variable's name looks as if its value should not be shown."""
    return _SECRET.search(name) is not None
