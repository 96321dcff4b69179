"""All files of all layers become one policy, or a list of problems: nothing in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.paths.protected import Protections
from lineclear.core.policy import Headless, Policy
from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.rule import Effect, Layer, Origin
from lineclear.core.shell.programs import Programs
from lineclear.policyfiles import catalogue, examples, long, programs, short, sources
from lineclear.policyfiles.layered import single
from lineclear.policyfiles.node import nearest
from lineclear.policyfiles.problems import Problems
from lineclear.policyfiles.sections import later
from lineclear.policyfiles.sections.agents import agents
from lineclear.policyfiles.sections.modes import modes
from lineclear.policyfiles.sections.protected_paths import protected_paths
from lineclear.policyfiles.sections.safe_tools import safe_tools
from lineclear.policyfiles.sections.single import Enforcement
from lineclear.policyfiles.sections.workspace import workspace
from lineclear.policyfiles.version import version
from lineclear.policyfiles.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lineclear.core.rules.rule import Rule
    from lineclear.core.shell.program import Program
    from lineclear.core.toolentries import HostNames
    from lineclear.core.tools import Entry
    from lineclear.policyfiles.long import WrittenRule
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.sources import Source

SECTIONS = (
    "permissions", "rules", "modes", "enforcement", "safe_tools", "protected_paths", "workspace", "agents", "programs",
    "tools", "headless", "disable", *later.NAMES,
)  # fmt: skip
"""Every key that a policy file may have, besides ``version``."""
