"""``workspace``: where workspaces may lie, and what may be done in them without asking."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.policy import Trust, Workspace
from lineclear.policyfiles import matchers
from lineclear.policyfiles.layered import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.policyfiles.layered import Setting
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


class _Reads(StrEnum):
    ANYWHERE = "anywhere"
    INSIDE = "inside"


class _Edits(StrEnum):
    CLASSIFY = "classify"
    ALLOW = "allow"


class _Recursive(StrEnum):
    ALLOW = "allow"
    ASK = "ask"


_KEYS = ("allow_roots", "reads", "trust_repositories", "trusted_repositories", "edits_in_auto", "recursive_reads")


def workspace(sources: Sequence[Source], problems: Problems) -> Workspace:
    """The workspace settings of all layers."""
    settings = merged(sources, "workspace", _KEYS, problems)
    found: dict[str, object] = {}
    for key, setting in settings.items():
        with problems.of(setting.source.file):
            found |= _value(key, setting)
    if found.get("trust_repositories") is Trust.LISTED and "trusted_repositories" not in found:
        setting = settings["trust_repositories"]
        with problems.of(setting.source.file):
            raise setting.node.fault("`trust_repositories: listed` needs its list, `trusted_repositories`")
    return Workspace(**found)  # type: ignore[arg-type]  # each key was checked into its type


def _value(key: str, setting: Setting) -> dict[str, object]:
    node = setting.node
    match key:
        case "allow_roots":
            return {"allow_roots": tuple(pattern.text for pattern in matchers.paths(node, "`allow_roots`"))}
        case "reads":
            return {"reads_anywhere": node.choice("`reads`", _Reads) is _Reads.ANYWHERE}
        case "edits_in_auto":
            return {"edits_in_auto": node.choice("`edits_in_auto`", _Edits) is _Edits.ALLOW}
        case "recursive_reads":
            return {"ask_recursive_reads": node.choice("`recursive_reads`", _Recursive) is _Recursive.ASK}
        case "trusted_repositories":
            patterns = matchers.paths(node, "`trusted_repositories`")
            return {"trusted_repositories": tuple(pattern.text for pattern in patterns)}
    return {"trust_repositories": node.choice("`trust_repositories`", Trust)}
