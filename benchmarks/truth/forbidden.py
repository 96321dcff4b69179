"""Classes of commands that the design forbids proving, read off the text: they are counted apart, never dropped."""

from __future__ import annotations

import re

_START = r"(?:^|[|;&(`\n]|\$\(|\b(?:do|then|else|exec|xargs|time|nice|nohup|command)\b)\s*"
"""Where a program's name may stand."""

_HARMLESS = r"(?:LC_\w+|LANG|LANGUAGE|TZ|NO_COLOR|CI|COLUMNS|TERM|FORCE_COLOR)"
"""The names that may be set for a program, by the design."""

_SHELL = r"(?:\S*/)?(?:ba|da|k|z|fi|c|tc)?sh"

_CLASSES = {
    "shows the environment": (
        _START + r"printenv\b",
        _START + r"(?:env|set|export)\s*(?:$|[|;&)>])",
        _START + r"env(?:\s+(?:-\S+|[A-Za-z_]\w*=\S*))+\s*(?:$|[|;&)>])",
        _START + r"(?:export|declare|compgen)\s+-",
        r"/proc/[\w$*]+/environ",
    ),
    "names a secret": (
        r"(?:^|[\s/'\"=])\.env\b(?!\.(?:example|sample|template))",
        r"\.(?:ssh|aws|gnupg|netrc)\b|\.kube/config|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|credentials\b|/etc/g?shadow\b",
        r"\.(?:pem|key|p12|pfx|jks|keystore)\b",
        r"\$\{?\w*(?:SECRET|TOKEN|PASSW|API_?KEY|PRIVATE_KEY)\w*",
    ),
    "acts as another user": (_START + r"(?:sudo|su|doas|runuser|pkexec)\b",),
    "an interpreter runs code": (
        _START
        + r"(?:\S*/)?(?:python[\d.]*|perl|ruby|node|php|lua|Rscript|tclsh|java|bc|dc|gdb)\s(?!\s*--?(?:version|V|v)\b)",
        _START + r"(?:eval|source|\.)\s",
        _START + _SHELL + r"\s+(?!(?:-\w+\s+)*-\w*c\s|--version|--help)",
        _START + _SHELL + r"\s*(?:$|[;&|)])",
        _START + _SHELL + r"\s+-\w*l",
        _START + r"(?:sed|g?awk|mawk)\s(?:[^|;]*\s)?(?:-f\s*\S|--file)",
    ),
    "a program outside the system's folders": (_START + r"(?:\./|\.\./|~/|\$\{?\w|/(?!(?:usr/(?:local/)?)?s?bin/))",),
    "another repository or configuration of git": (
        _START + r"git\s+(?:-C\b|-c\b|--git-dir|--work-tree|--exec-path|--namespace)",
    ),
    "an assignment that isn't harmless": (
        r"(?:^|[;&|(]\s*)(?!" + _HARMLESS + r"=)[A-Za-z_]\w*=[^\s;&|]*[ \t]+[A-Za-z/]",
        r"(?:^|[;&|(\n]\s*)(?!" + _HARMLESS + r"=)[A-Z][A-Z0-9_]*=",
        _START + r"env(?:\s+-\S+)*\s+(?!" + _HARMLESS + r"=)[A-Za-z_]\w*=",
        _START + r"export\s+(?!" + _HARMLESS + r"=)[A-Za-z_]\w*=",
        _START + r"unset\s+(?:-v\s+)?\w*[A-Z]",
    ),
    "changes what later words mean": (
        _START + r"alias\s+(?:-\w+\s+)*[^\s=|;&]+=",
        _START + r"shopt\s+-[su]\s.*\b(?:expand_aliases|extglob|globstar|dotglob|nocaseglob|autocd)\b",
        _START + r"set\s+(?:-f|-o\s+noglob)\b",
        _START + r"bind\s+(?:-m\s+\S+\s+|-x\s+|-r\s+)*['\"]",
        _START + r"enable\s",
    ),
    "a name with a subscript": (_START + r"(?:unset|read|let|declare)\s[^|;&]*\w\[",),
}
_COMPILED = {name: re.compile("|".join(patterns)) for name, patterns in _CLASSES.items()}
_QUOTED = re.compile(r"'[^']*'")


def forbidden(command: str) -> str | None:
    """The class of a command, None if it is of none.

    Secrets are looked for everywhere, the rest only outside single quotes.
    """
    bare = _QUOTED.sub("''", command)
    for name, pattern in _COMPILED.items():
        if pattern.search(command if name == "names a secret" else bare):
            return name
    return None
