"""Sections that are checked and kept, whose parts of the engine read them as plain values.

They are checked now, so that a policy that is written today means tomorrow what its author meant.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from lineclear.policyfiles.layered import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lineclear.core.call import JSON
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source
    from lineclear.policyfiles.vocabulary import Vocabulary

    Check: TypeAlias = Callable[[Node, str], JSON]

_SECONDS = {"s": 1, "m": 60, "h": 3600}


class _Authority(StrEnum):
    BESIDE = "beside"
    SOLE = "sole"


class _Unregistered(StrEnum):
    JUDGE = "judge"
    ASK = "ask"
    DENY = "deny"


class _Changes(StrEnum):
    ANY = "any"
    BREAKING = "breaking"


class _FirstSight(StrEnum):
    ACCEPT = "accept"
    ASK = "ask"


def seconds(node: Node, what: str) -> int:
    """A duration like ``15m``, in seconds."""
    form = re.fullmatch(r"([1-9][0-9]{0,5})([smh])", str(node.value))
    if form is None:
        raise node.fault(f"{what} must be a duration like `90s`, `15m` or `2h`")
    return int(form[1]) * _SECONDS[form[2]]


def _choice(options: type[StrEnum]) -> Check:
    return lambda node, what: node.choice(what, options).value


def _flag(node: Node, what: str) -> JSON:
    return node.flag(what)


def _count(least: int) -> Check:
    return lambda node, what: node.count(what, least=least)


_SECTIONS: dict[str, dict[str, Check]] = {
    "mcp": {
        "unregistered": _choice(_Unregistered),
        "changes": _choice(_Changes),
        "first_sight": _choice(_FirstSight),
    },
    "breaker": {"consecutive": _count(1), "total": _count(1)},
    "approvals": {"trust_host": _flag, "ttl": seconds},
}

HOOKED = frozenset({"cursor", "copilot-cli", "windsurf", "kiro"})
"""Hosts whose hooks are answered, and that have no catalogue: their tools are known by other hosts' names."""

NAMES = (*_SECTIONS, "hosts")


def kept(sources: Sequence[Source], vocabulary: Vocabulary, problems: Problems) -> Mapping[str, Mapping[str, JSON]]:
    """All these sections, checked, by name; those that nobody wrote are left out."""
    found: dict[str, dict[str, JSON]] = {}
    for section, checks in _SECTIONS.items():
        for key, setting in merged(sources, section, checks, problems).items():
            with problems.of(setting.source.file):
                found.setdefault(section, {})[key] = checks[key](setting.node, f"`{section}.{key}`")
    for host, setting in merged(sources, "hosts", sorted(vocabulary.catalogue.hosts | HOOKED), problems).items():
        with problems.of(setting.source.file):
            found.setdefault("hosts", {})[host] = _host(setting.node, host)
    return found


def _host(node: Node, host: str) -> JSON:
    entries = node.mapping(("authority",), f"`hosts.{host}`")
    return {key: value.choice("`authority`", _Authority).value for key, value in entries.items()}
