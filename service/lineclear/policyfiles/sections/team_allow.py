"""``team_allow``: the one bound inside of which teams may allow, set by the organisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.rules.bound import Bound
from lineclear.policyfiles import matchers
from lineclear.policyfiles.layered import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source
    from lineclear.policyfiles.vocabulary import Vocabulary

_KEYS = ("tools", "commands", "paths", "domains")


def team_allow(sources: Sequence[Source], vocabulary: Vocabulary, problems: Problems) -> Bound | None:
    """The bound, None where teams may allow nothing."""
    settings = merged(sources, "team_allow", _KEYS, problems)
    if not settings:
        return None
    found: dict[str, object] = {}
    for key, setting in settings.items():
        with problems.of(setting.source.file):
            node = setting.node
            match key:
                case "tools":
                    found[key] = matchers.tools(node, vocabulary, "`tools`", strict=True)
                case "commands":
                    found[key] = matchers.commands(node, vocabulary.programs, strict=True)
                case "paths":
                    found[key] = matchers.paths(node, "`paths`")
                case _:
                    found[key] = matchers.domains(node, strict=True)
    return Bound(**found)  # type: ignore[arg-type]  # each key was checked into its type
