"""All files of all layers become one policy, or a list of problems: nothing in between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lineclear.core.breaker import Limits
from lineclear.core.paths.protected import Protections
from lineclear.core.policy import QUESTION_TTL_S, Policy
from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.rule import Layer
from lineclear.core.shell.programs import Programs
from lineclear.policyfiles import catalogue, examples, programs, sources, teams
from lineclear.policyfiles.lint.ignoring import ignored
from lineclear.policyfiles.narrowing import narrowing
from lineclear.policyfiles.problems import Problems
from lineclear.policyfiles.rule_lists import rules
from lineclear.policyfiles.sections import later
from lineclear.policyfiles.sections.agents import agents
from lineclear.policyfiles.sections.data import data
from lineclear.policyfiles.sections.disable import disabled
from lineclear.policyfiles.sections.modes import modes
from lineclear.policyfiles.sections.prose import guidance
from lineclear.policyfiles.sections.protected_paths import protected_paths
from lineclear.policyfiles.sections.safe_tools import safe_tools
from lineclear.policyfiles.sections.single import Enforcement, enforcement, headless
from lineclear.policyfiles.sections.team_allow import team_allow
from lineclear.policyfiles.sections.workspace import workspace
from lineclear.policyfiles.version import described, version
from lineclear.policyfiles.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from lineclear.core.call import JSON
    from lineclear.core.modes import ModePolicy
    from lineclear.core.paths.protected import Protection
    from lineclear.core.policy import AgentTools, Headless, SafeTool, Workspace
    from lineclear.core.prose import Guidance
    from lineclear.core.rules.bound import Bound
    from lineclear.core.rules.rule import Rule
    from lineclear.core.shell.program import Program
    from lineclear.core.toolentries import HostNames
    from lineclear.core.tools import Entry
    from lineclear.policyfiles.long import WrittenRule
    from lineclear.policyfiles.sources import Source

SECTIONS = (
    "permissions", "rules", "modes", "enforcement", "safe_tools", "protected_paths", "workspace", "agents", "programs",
    "tools", "headless", "disable", "classifier", "data", "team_allow", "lint", *later.NAMES,
)  # fmt: skip
"""Every key that a file of the organisation may have, besides ``version``."""


@dataclass(frozen=True, slots=True)
class Beneath:
    """The built-in layer, read once: what it describes, and its files with sections."""

    described: tuple[Program, ...]
    entries: tuple[Entry, ...]
    hosts: tuple[HostNames, ...]
    sources: tuple[Source, ...]
    vocabulary: Vocabulary
    digest: str
    """The hash of the descriptions and of the classifier's prompts, which only a release changes."""

    @staticmethod
    def read(folder: Path, prompts: str = "") -> Beneath:
        """Read the built-in layer from its folder; ``prompts`` names the classifier's. Raises ``PolicyError``."""
        problems = Problems()
        files = sources.described(folder, sources.PROGRAMS)
        read = programs.read(files, problems)
        catalogues = sources.described(folder, sources.CATALOGUES)
        entries, hosts = catalogue.shipped(catalogues, problems)
        problems.check()
        described = tuple(one for one, _, _ in read)
        found, all_entries = catalogue.catalogue(entries, hosts, (), problems)
        vocabulary, ours = Vocabulary.of(found, Programs.of(described), all_entries), sources.builtin(folder)
        _try(rules(ours, vocabulary, problems), vocabulary, problems)
        problems.check()
        return Beneath(
            described,
            tuple(entries),
            tuple(hosts),
            ours,
            vocabulary,
            version({"files": [source.node.plain() for source in (*files, *catalogues)], "prompts": prompts}),
        )


@dataclass(frozen=True, slots=True)
class Compiled:
    """A policy with what it was made of, for those who look at it and not only decide by it."""

    policy: Policy
    written: tuple[WrittenRule, ...]
    vocabulary: Vocabulary
    sources: tuple[Source, ...]


def compiled(beneath: Beneath, organisation: Sequence[Source]) -> Policy:
    """The policy of the built-in layer and the organisation's files on it. Raises ``PolicyError``."""
    return examined(beneath, organisation).policy


def examined(beneath: Beneath, organisation: Sequence[Source]) -> Compiled:
    """The same with what it was made of."""
    return _Compiler(beneath, organisation).compiled()


@dataclass(frozen=True, slots=True)
class _Sections:
    """What the files say once they are joined: all of it goes into the version."""

    rules: tuple[Rule, ...]
    protections: tuple[Protection, ...]
    safe_tools: tuple[SafeTool, ...]
    modes: ModePolicy
    workspace: Workspace
    agents: AgentTools
    enforcement: Enforcement
    headless: Headless
    guidance: Guidance
    data: Mapping[str, JSON]
    team_allow: Bound | None
    later: Mapping[str, Mapping[str, JSON]]


class _Compiler:
    def __init__(self, beneath: Beneath, organisation: Sequence[Source]) -> None:
        self._beneath = beneath
        self._problems = Problems()
        self._sources = (*beneath.sources, *map(self._meant, organisation))
        for source in self._sources:
            with self._problems.of(source.file):
                if source.team is None:
                    source.node.mapping(("version", *SECTIONS), "a policy file")
                else:
                    source.node.mapping(("version", *teams.SECTIONS), "a team's file, which only tightens")

    def _meant(self, source: Source) -> Source:
        """A file with those for whom it is meant."""
        audience = None
        with self._problems.of(source.file):
            audience = teams.audience(source, self._beneath.vocabulary.catalogue.hosts)
        return replace(source, audience=audience)

    def compiled(self) -> Compiled:
        problems, files, vocabulary = self._problems, self._sources, self._vocabulary()
        written = rules(files, vocabulary, problems)
        protections = protected_paths(files, problems)
        builtin = {one.rule.id for one in written if one.rule.layer is Layer.BUILTIN}
        builtin |= {one.id for one in protections.values() if one.layer is Layer.BUILTIN}
        out = disabled(files, builtin, problems)
        sections = _Sections(
            rules=tuple(one.rule for one in written if one.rule.id not in out),
            protections=tuple(one for one in protections.values() if one.id not in out),
            safe_tools=safe_tools(files, vocabulary, problems),
            modes=modes(files, problems),
            workspace=workspace(files, problems),
            agents=agents(files, vocabulary, problems),
            enforcement=enforcement(files, problems),
            headless=headless(files, problems),
            guidance=guidance(files, problems),
            data=vocabulary.data,
            team_allow=team_allow(files, vocabulary, problems),
            later=later.kept(files, vocabulary, problems),
        )
        teams.check(written, sections.team_allow, problems)
        ignored(files, problems)
        anew = vocabulary.programs is not self._beneath.vocabulary.programs
        _try((one for one in written if anew or one.rule.layer is not Layer.BUILTIN), vocabulary, problems)
        problems.check()
        in_force = tuple(one for one in written if one.rule.id not in out)
        return Compiled(self._made(sections, vocabulary), in_force, vocabulary, self._sources)

    def _made(self, sections: _Sections, vocabulary: Vocabulary) -> Policy:
        written = [source.entries.get(key) for source in self._sources for key in ("programs", "tools")]
        own = described(node.plain() for node in written if node is not None)
        approvals = sections.later.get("approvals", {})
        ttl, trust_host = approvals.get("ttl", QUESTION_TTL_S), approvals.get("trust_host", True)
        limits = _limits(sections.later.get("breaker", {}))
        kept = {name: section for name, section in sections.later.items() if name not in {"approvals", "breaker"}}
        content = {
            "sections": replace(sections, later=kept),
            "approvals": {"ttl": ttl, "trust_host": trust_host},
            "breaker": limits,
            "described": self._beneath.digest,
            "own": own,
        }
        return Policy(
            version=version(content),
            rules=RuleBook(sections.rules, vocabulary.programs),
            catalogue=vocabulary.catalogue,
            programs=vocabulary.programs,
            narrowing=narrowing(vocabulary),
            protections=Protections(sections.protections),
            safe_tools=sections.safe_tools,
            modes=sections.modes,
            workspace=sections.workspace,
            agents=sections.agents,
            headless=sections.headless,
            enforce=sections.enforcement is Enforcement.ENFORCE,
            breaker=limits,
            question_ttl_s=ttl if isinstance(ttl, int) else QUESTION_TTL_S,
            trust_host=trust_host is not False,
            files=tuple(source.file for source in self._sources),
            guidance=sections.guidance,
            sections=kept,
        )

    def _vocabulary(self) -> Vocabulary:
        described = self._described()
        static = data(self._sources, self._problems)
        return replace(described, data=static) if static else described

    def _described(self) -> Vocabulary:
        beneath, problems = self._beneath, self._problems
        if not any("programs" in source.entries or "tools" in source.entries for source in self._sources):
            return beneath.vocabulary
        described = programs.programs(beneath.described, self._sources, problems)
        found, entries = catalogue.catalogue(beneath.entries, beneath.hosts, self._sources, problems)
        return Vocabulary.of(found, described, entries)


def _try(written: Iterable[WrittenRule], vocabulary: Vocabulary, problems: Problems) -> None:
    """Try the rules' examples. Built-in ones hold since their layer was read, unless programs or tools differ."""
    for one in written:
        problems.found += [fault.of(one.rule.origin.file) for fault in examples.faults(one, vocabulary)]


def _limits(written: Mapping[str, JSON]) -> Limits:
    """The breaker's limits; what nobody wrote is as shipped."""
    usual = Limits()
    consecutive, total = written.get("consecutive"), written.get("total")
    return Limits(
        consecutive if isinstance(consecutive, int) else usual.consecutive,
        total if isinstance(total, int) else usual.total,
    )
