"""The policy in force: one immutable value, compiled from the files of all layers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from lineclear.core.breaker import Limits
from lineclear.core.modes import ModePolicy
from lineclear.core.prose import Guidance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lineclear.core.call import JSON
    from lineclear.core.catalogue import Catalogue
    from lineclear.core.paths.protected import Protections
    from lineclear.core.rules.book import RuleBook
    from lineclear.core.rules.selectors import AgentFilter, Selector
    from lineclear.core.shell.programs import Programs


QUESTION_TTL_S = 900
"""How long a question waits for a person, and an approval for its call, where the policy doesn't say: 15 minutes."""


class Headless(StrEnum):
    """What becomes of a question where the caller has nobody to ask."""

    DENY = "deny"
    HOLD = "hold"


class Trust(StrEnum):
    """Where a host's word that a repository is trusted counts."""

    INSIDE_ROOTS = "inside_roots"
    LISTED = "listed"
    """Only in the repositories that the policy names, which lie inside of the roots too."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class SafeTool:
    """A tool that needs no approval, for every agent or for some."""

    tool: Selector
    agent: AgentFilter | None = None


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the policy says of workspaces.

    ``allow_roots`` are patterns of places that may be roots, None for anywhere; ``trusted_repositories`` such of
    repositories, which only count where ``trust_repositories`` is ``LISTED``. ``reads_anywhere`` is false where
    reading outside the workspace needs a rule. ``edits_in_auto`` is true where edits inside need no classifier.
    """

    allow_roots: tuple[str, ...] | None = None
    reads_anywhere: bool = True
    trust_repositories: Trust = Trust.INSIDE_ROOTS
    trusted_repositories: tuple[str, ...] = ()
    edits_in_auto: bool = False
    ask_recursive_reads: bool = False


@dataclass(frozen=True, slots=True)
class AgentTools:
    """The tool filters of the policy, each a set of selectors; ``None`` or empty means no filter."""

    deny_all: tuple[Selector, ...] = ()
    deny: Mapping[str, tuple[Selector, ...]] = field(default_factory=dict)
    async_allow: tuple[Selector, ...] | None = None
    coordinator_types: frozenset[str] = frozenset()
    coordinator_tools: tuple[Selector, ...] = ()


Narrowing: TypeAlias = "Callable[[tuple[str, ...]], RuleBook | None]"
"""What ``Tool(x)`` in a call's own list of tools means: the allow rules that such texts are, None where none is."""


def _nothing(texts: tuple[str, ...]) -> None:
    """Stands where nobody reads rules."""


@dataclass(frozen=True, slots=True, repr=False)
class Policy:
    """Everything that decisions are made by. ``version`` is the hash of its content: same content, same version."""

    version: str
    rules: RuleBook
    catalogue: Catalogue
    programs: Programs
    protections: Protections
    safe_tools: tuple[SafeTool, ...] = ()
    modes: ModePolicy = ModePolicy()
    workspace: Workspace = Workspace()
    agents: AgentTools = AgentTools()
    headless: Headless = Headless.DENY
    enforce: bool = True
    guidance: Guidance = Guidance()
    breaker: Limits = Limits()
    question_ttl_s: int = QUESTION_TTL_S
    trust_host: bool = True
    """Whether a host's word that its person approved a call closes the breaker."""
    narrowing: Narrowing = _nothing
    files: tuple[str, ...] = ()
    sections: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)
    """Sections that were checked and that later parts of the engine read: MCP, hosts, data and others."""

    def __repr__(self) -> str:
        """Its name alone: written out it would fill a log."""
        return f"Policy({self.version})"
