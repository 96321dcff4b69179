"""Classes of commands that the design forbids proving, read off the text: they are counted apart, never dropped."""

from __future__ import annotations

import re

_START = r"(?:^|[|;&(`\n]|\$\(|\b(?:do|then|else|exec|xargs|time|nice|nohup|command)\b)\s*"
"""Where a program's name may stand."""

_CLASSES = {
    "shows the environment": (
        _START + r"printenv\b",
        _START + r"(?:env|set|export)\s*(?:$|[|;&)>])",
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
        _START + r"(?:\S*/)?(?:ba|da|k|z|fi|c|tc)?sh\s+(?!(?:-\w+\s+)*-\w*c\s|--version|--help)",
    ),
    "a program outside the system's folders": (_START + r"(?:\./|\.\./|~/|\$\{?\w|/(?!(?:usr/(?:local/)?)?s?bin/))",),
    "another repository or configuration of git": (
        _START + r"git\s+(?:-C\b|-c\b|--git-dir|--work-tree|--exec-path|--namespace)",
    ),
    "an assignment that isn't harmless": (
        r"(?:^|[;&|(]\s*)(?!(?:LC_\w+|LANG|LANGUAGE|TZ|NO_COLOR|CI|COLUMNS|TERM|FORCE_COLOR)=)[A-Za-z_]\w*=\S*\s+[A-Za-z/]",
    ),
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
