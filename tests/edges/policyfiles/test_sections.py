from __future__ import annotations

import pytest

from lineclear.core.modes import Mode
from lineclear.core.policy import Headless, Trust
from lineclear.policyfiles.load import load_text
from lineclear.policyfiles.problems import PolicyError
from support.rulings import policy, shipped

REFUSED = {
    "unknown section": ({"permisions": {}}, ["permisions", "`permissions`"]),
    "unknown effect": ({"permissions": {"alow": []}}, ["alow", "`allow`"]),
    "unknown key": ({"workspace": {"read": "anywhere"}}, ["`read`", "`reads`"]),
    "unknown mode": ({"modes": {"allowed": ["yolo"]}}, ["yolo"]),
    "default that isn't allowed": ({"modes": {"default": "auto", "allowed": ["default"]}}, ["`modes.default`"]),
    "no modes": ({"modes": {"allowed": []}}, ["`modes.allowed`"]),
    "enforcement": ({"enforcement": "strict"}, ["enforcement", "`observe`"]),
    "headless": ({"headless": "wait"}, ["headless", "`hold`"]),
    "unknown safe tool": ({"safe_tools": ["Globb"]}, ["Globb", "`Glob`"]),
    "safe tool that executes": ({"safe_tools": ["Bash"]}, ["Bash", "executes"]),
    "safe tool that fetches": ({"safe_tools": ["WebFetch"]}, ["WebFetch", "fetches"]),
    "safe tool that delegates": ({"safe_tools": ["Agent"]}, ["Agent", "delegates"]),
    "safe tool of which nobody says what it does": ({"safe_tools": ["mcp__docs__search"]}, ["tools.overrides"]),
    "safe tool, too broad": ({"safe_tools": ["mcp__*"]}, ["too broad"]),
    "protected path, unknown key": (
        {"protected_paths": [{"id": "p", "path": "x", "acess": "write", "effect": "ask"}]}, ["acess", "`access`"]
    ),
    "protected path, access": (
        {"protected_paths": [{"id": "p", "path": "x", "access": "execute", "effect": "ask"}]}, ["`p`", "access"]
    ),
    "protected path that allows": (
        {"protected_paths": [{"id": "p", "path": "x", "access": "any", "effect": "allow"}]}, ["`p`", "effect"]
    ),
    "protected path, something missing": ({"protected_paths": [{"id": "p", "path": "x"}]}, ["`access` and `effect`"]),
    "protected path, twice": (
        {"protected_paths": [{"id": "p", "path": "x", "access": "any", "effect": "ask"}] * 2}, ["taken already"]
    ),
    "exception outside of workspaces": (
        {"protected_paths": [{"id": "p", "path": "x", "access": "any", "effect": "ask", "exceptions": ["//etc/x"]}]},
        ["exception"],
    ),
    "breaker": ({"breaker": {"consecutiv": 3}}, ["consecutiv", "`consecutive`"]),
    "breaker of nought": ({"breaker": {"total": 0}}, ["`breaker.total`"]),
    "duration": ({"approvals": {"ttl": "15"}}, ["`15m`"]),
    "host": ({"hosts": {"claude-cod": {"authority": "beside"}}}, ["claude-cod", "`claude-code`"]),
    "disable without reason": ({"disable": [{"id": "x"}]}, ["`reason`"]),
    "disable of nothing": ({"disable": [{"id": "builtin.x", "reason": "y"}]}, ["builtin.x"]),
    "coordinators by half": ({"agents": {"coordinators": {"types": ["lead"]}}}, ["`tools`"]),
    "program": ({"programs": [{"name": "x", "flgs": []}]}, ["flgs"]),
    "override of nothing": ({"tools": {"overrides": [{"tool": "Reed", "kind": "read"}]}}, ["Reed"]),
    "override twice": ({"tools": {"overrides": [{"tool": "mcp__a__b", "kind": "read"}] * 2}}, ["mcp__a__b"]),
    "trust": ({"workspace": {"trust_repositories": "listed"}}, ["`trusted_repositories`"]),
    "bound of teams": ({"team_allow": {"tools": ["mcp__*"]}}, ["too broad"]),
    "not a mapping": ({"modes": ["auto"]}, ["mapping"]),
}  # fmt: skip


@pytest.mark.parametrize(("sections", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_section_is_refused(sections, said) -> None:
    with pytest.raises(PolicyError) as caught:
        policy(**sections)
    for words in said:
        assert words in str(caught.value)


def test_what_the_sections_say_is_in_the_policy() -> None:
    loaded = policy(
        modes={"default": "plan", "allowed": ["plan", "auto"]},
        workspace={
            "allow_roots": ["~/src/**"], "reads": "inside", "trust_repositories": "never", "edits_in_auto": "allow",
            "recursive_reads": "ask",
        },
        headless="hold",
        enforcement="observe",
        approvals={"trust_host": False, "ttl": "90s"},
        breaker={"consecutive": 5},
        agents={"deny_all": ["Agent"], "deny": {"explore": ["Edit"]}, "async_allow": ["Read"],
                "coordinators": {"types": ["lead"], "tools": ["Agent"]}},
    )  # fmt: skip
    assert (loaded.modes.default, loaded.modes.allowed) == (Mode.PLAN, {Mode.PLAN, Mode.AUTO})
    assert loaded.workspace.allow_roots == ("~/src/**",)
    assert not loaded.workspace.reads_anywhere
    assert loaded.workspace.trust_repositories is Trust.NEVER
    assert loaded.workspace.edits_in_auto
    assert loaded.workspace.ask_recursive_reads
    assert loaded.headless is Headless.HOLD
    assert not loaded.enforce
    assert loaded.question_ttl_s == 90
    assert loaded.breaker.consecutive == 5
    assert loaded.agents.coordinator_types == {"lead"}
    assert [selector.text for selector in loaded.agents.deny["explore"]] == ["Edit"]


def test_bypass_is_allowed_only_by_an_organisation_that_lists_it() -> None:
    assert Mode.BYPASS not in policy().modes.allowed
    assert Mode.BYPASS in policy(modes={"allowed": list(Mode)}).modes.allowed


def test_a_safe_tool_that_the_organisation_describes() -> None:
    loaded = policy(
        tools={"overrides": [{"tool": "mcp__docs__search", "kind": "search"}]},
        safe_tools=[{"tool": "mcp__docs__search", "agent": {"type": ["explore"]}}],
    )
    (safe,) = loaded.safe_tools
    assert safe.tool.holds(loaded.catalogue.resolve("mcp__docs__search", None), strict=True)
    assert safe.agent is not None


def test_a_fault_in_a_description_is_told_at_its_own_place() -> None:
    text = "version: 1\nprograms:\n  - name: a\n    subcommands:\n      b:\n        options:\n          -c: txt\n"
    with pytest.raises(PolicyError, match=r":7:11: .*did you mean `text`"):
        load_text(text, shipped())
