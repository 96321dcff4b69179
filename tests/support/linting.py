"""The lint's findings about a few lines of policy."""

from __future__ import annotations

from typing import Any

from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import examined
from lineclear.policyfiles.lint.run import lint
from support.rulings import TODAY, beneath, node


def found(on: Any = None, **sections: Any):
    """The kinds and subjects of the findings about some sections, on a layer without rules of its own."""
    source = sources.of_node(node({"version": 1, **sections}))
    return [
        (finding.kind, finding.subject)
        for finding in lint(examined(on or beneath(), (source,)), TODAY)
        if finding.file == "organisation/policy.yaml"
    ]
