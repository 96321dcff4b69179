"""What a team's file may hold: what tightens, and allow rules inside the bound that the organisation sets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.core.paths.pattern import Anchor
from lineclear.core.rules.audience import Audience
from lineclear.core.rules.rule import Effect
from lineclear.policyfiles import matchers
from lineclear.policyfiles.node import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.rules.bound import Bound
    from lineclear.policyfiles.long import WrittenRule
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source

SECTIONS = ("applies_to", "permissions", "rules", "protected_paths", "classifier")
"""Every key that a team's file may have, besides ``version``."""

CLASSIFIER = ("soft_block", "hard_block")
"""The lists of ``classifier`` that a team may add to."""

_AUDIENCE = ("groups", "principals", "hosts", "repositories")


def audience(source: Source, hosts: Iterable[str]) -> Audience | None:
    """For whom a file is meant: a team's ``applies_to``, None for the other layers. Raises ``Fault``."""
    if source.team is None:
        return None
    node = source.entries.get("applies_to")
    if node is None:
        raise source.node.fault(f"`applies_to` is missing; it says who team `{source.team}` is")
    entries = node.mapping(_AUDIENCE, "`applies_to`")
    if not entries:
        raise node.fault(f"`applies_to` is empty; name some of {', '.join(f'`{key}`' for key in _AUDIENCE)}")
    if "hosts" in entries:
        known = {*hosts}
        for text, place in entries["hosts"].texts("`hosts`"):
            if text not in known:
                near = nearest(text, known)
                raise place.fault(f"there is no host `{text}`" + (f"; did you mean `{near}`" if near else ""))
    return Audience(
        groups=_names(entries["groups"], "groups") if "groups" in entries else None,
        principals=_names(entries["principals"], "principals") if "principals" in entries else None,
        hosts=_names(entries["hosts"], "hosts") if "hosts" in entries else None,
        repositories=(
            tuple(map(_from_the_root, matchers.paths(entries["repositories"], "`repositories`")))
            if "repositories" in entries
            else None
        ),
    )


def check(written: Iterable[WrittenRule], bound: Bound | None, problems: Problems) -> None:
    """Whether what the teams allow lies inside the bound."""
    for one in written:
        rule = one.rule
        if rule.audience is None or rule.effect is not Effect.ALLOW:
            continue
        with problems.of(rule.origin.file):
            if rule.audience.repositories is not None:
                raise one.node.fault(
                    f"rule `{rule.id}` allows, and `applies_to.repositories` rests on the caller's word; "
                    "move it into a file that applies by `groups` or `principals`"
                )
            if bound is None:
                raise one.node.fault(f"rule `{rule.id}` allows, and the organisation has set no `team_allow`")
            if not bound.holds(rule):
                raise one.node.fault(
                    f"rule `{rule.id}` allows more than the organisation's `team_allow` provably does; narrow the rule"
                )


def _names(node: Node, key: str) -> frozenset[str]:
    found = node.texts(f"`{key}`")
    if not found:
        raise node.fault(f"`{key}` is an empty list, which means nobody; leave the key out")
    return frozenset(text for text, _ in found)


def _from_the_root(pattern: PathPattern) -> PathPattern:
    """A repository isn't looked for in a workspace: it is one."""
    return replace(pattern, anchor=Anchor.FILE_SYSTEM) if pattern.anchor in {Anchor.ROOT, Anchor.START} else pattern
