"""Whether a repository's own configuration executes nothing when git reads: only keys on this list may be in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.call import JSON

_ANY = frozenset({"branch", "color", "user"})
"""Sections of which no key executes anything."""
# What makes a clone a partial one isn't: there a read may fetch, and what follows a fetch runs hooks.
_HARMLESS = {
    "core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol "
    "safecrlf quotepath longpaths abbrev commentchar sparsecheckout sparsecheckoutcone untrackedcache preloadindex",
    "remote": "url fetch pushurl tagopt prune prunetags mirror skipdefaultupdate skipfetchall gh-resolved",
    "submodule": "url active path branch",
    "extensions": "objectformat refstorage",
    "pull": "rebase ff",
    "push": "default autosetupremote followtags",
    "fetch": "prune prunetags",
    "rebase": "autosquash autostash updaterefs",
    "merge": "conflictstyle ff",
    "diff": "algorithm renames colormoved noprefix mnemonicprefix",
    "init": "defaultbranch",
    "lfs": "repositoryformatversion",
    "gc": "auto",
    "commit": "gpgsign",
    "rerere": "enabled",
    "maintenance": "auto strategy",
}


def executes_nothing(config: JSON) -> bool:
    """Whether the lines of a configuration, cut off at their first ``=``, hold only keys that execute nothing.

    What is written in any but the plainest form isn't understood, and neither is what is no list of lines.
    """
    if not isinstance(config, list):
        return False
    section: str | None = None
    for line in config:
        if not isinstance(line, str):
            return False
        text = line.strip().lower()
        if text[:1] == "[":
            section = _section(text)
            if section is None:
                return False
        elif text and text[0] not in "#;" and not _harmless(section, text):
            return False
    return True


def _section(header: str) -> str | None:
    """The section of a header line like ``[core]`` or ``[remote "origin"]``, None where it is another."""
    name, _, rest = header[1:].partition(" ")
    closed = header[-1] == "]" and header.count("[") + header.count("]") == len("[]")
    return name.rstrip("]") if closed and (not rest or rest[0] == '"') else None


def _harmless(section: str | None, name: str) -> bool:
    return section is not None and (section in _ANY or name in _HARMLESS.get(section, "").split())
