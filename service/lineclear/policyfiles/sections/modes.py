"""``modes``: which modes sessions may be in, and which one holds where a call names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.modes import Mode, ModePolicy
from lineclear.policyfiles.layered import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


def modes(sources: Sequence[Source], problems: Problems) -> ModePolicy:
    """The modes of all layers."""
    settings = merged(sources, "modes", ("default", "allowed"), problems)
    default, allowed = ModePolicy().default, ModePolicy().allowed
    if (setting := settings.get("allowed")) is not None:
        with problems.of(setting.source.file):
            nodes = setting.node.items("`modes.allowed`")
            if not nodes:
                raise setting.node.fault("`modes.allowed` is empty; name at least `dontAsk`")
            allowed = frozenset(node.choice("a mode", Mode) for node in nodes)
    if (setting := settings.get("default")) is not None:
        with problems.of(setting.source.file):
            default = setting.node.choice("`modes.default`", Mode)
            if default not in allowed:
                raise setting.node.fault(
                    f"`modes.default` is `{default}`, which `modes.allowed` doesn't have; add it there"
                )
    return ModePolicy(default, allowed)
