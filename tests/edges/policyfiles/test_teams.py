"""Teams' files tighten; what they allow lies inside the one bound that the organisation sets."""

import pytest
from msgspec import structs

from lineclear.core.call import Agent, Principal
from lineclear.core.checks import decide
from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import compiled
from lineclear.policyfiles.problems import PolicyError
from support.rulings import TODAY, call, shipped

BOUND = (
    "team_allow: {tools: [Bash, WebSearch], commands: ['npm run *'], paths: ['docs/**'], domains: ['*.python.org']}\n"
)


def folder(tmp_path, team, organisation="", name="payments"):
    (tmp_path / "organisation").mkdir(exist_ok=True)
    (tmp_path / "organisation" / "org.yaml").write_text("version: 1\n" + organisation)
    (tmp_path / "teams" / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "teams" / name / "team.yaml").write_text(team)
    return tmp_path


def loaded(*args, **more):
    return compiled(shipped(), sources.organisation(folder(*args, **more)))


def refusal(*args):
    with pytest.raises(PolicyError) as refused:
        loaded(*args)
    return str(refused.value)


def verdict(policy, tool, tool_input, *, groups=(), **more):
    stated = structs.replace(call(tool, tool_input, **more), principal=Principal("test", frozenset(groups)))
    found = decide(policy, observe(stated, policy, Own(), TODAY))
    return f"{found.verdict.value} {found.code}"


FOR_DEVS = "version: 1\napplies_to: {groups: [payments]}\n"
LS = {"command": "ls"}


class TestWhoTheyAreFor:
    def test_a_group(self, tmp_path):
        policy = loaded(tmp_path, FOR_DEVS + "permissions: {deny: [Bash(ls)]}\n")
        assert verdict(policy, "Bash", LS, groups=["payments"]) == "deny deny_rule"
        assert verdict(policy, "Bash", LS, groups=["other"]) == "allow read_only_command"

    def test_several_teams_all_apply(self, tmp_path):
        loaded(tmp_path, FOR_DEVS + "permissions: {deny: [Bash(ls)]}\n")
        policy = loaded(
            tmp_path, "version: 1\napplies_to: {groups: [ops]}\npermissions: {ask: [Bash(id)]}\n", name="ops"
        )
        assert verdict(policy, "Bash", LS, groups=["payments", "ops"]) == "deny deny_rule"
        assert verdict(policy, "Bash", {"command": "id"}, groups=["payments", "ops"]) == "ask ask_rule"
        assert verdict(policy, "Bash", {"command": "id"}, groups=["payments"]) != "ask ask_rule"

    def test_every_key_must_hold(self, tmp_path):
        team = "version: 1\napplies_to: {groups: [payments], principals: [ci]}\npermissions: {deny: [Bash(ls)]}\n"
        assert verdict(loaded(tmp_path, team), "Bash", LS, groups=["payments"]) == "allow read_only_command"

    def test_a_host_that_isnt_known_is_bound_too(self, tmp_path):
        policy = loaded(tmp_path, "version: 1\napplies_to: {hosts: [codex]}\npermissions: {deny: [Bash(ls)]}\n")
        assert verdict(policy, "Bash", LS) == "allow read_only_command"
        assert verdict(policy, "Bash", LS, agent=Agent(host=None, type="main", is_async=False)) == "deny deny_rule"

    @pytest.mark.parametrize("pattern", ["//work/**", "/work/repo", "repo"])
    def test_a_repository(self, tmp_path, pattern):
        team = f"version: 1\napplies_to: {{repositories: ['{pattern}']}}\npermissions: {{deny: [Bash(ls)]}}\n"
        policy = loaded(tmp_path, team)
        assert verdict(policy, "Bash", LS) == "deny deny_rule"
        assert verdict(policy, "Bash", LS, cwd="/src/x", roots=("/src/x",)) == "allow read_only_command"
        assert verdict(policy, "Bash", LS, cwd=None, roots=None) == "deny deny_rule"

    def test_protected_paths_and_blocks(self, tmp_path):
        team = (
            FOR_DEVS + "protected_paths: [{id: team.ledger, path: ledger, access: any, effect: deny}]\n"
            "classifier: {hard_block: [{id: team.pay, text: Payments are never made.}]}\n"
        )
        policy = loaded(tmp_path, team)
        ledger = {"file_path": "/work/repo/ledger"}
        assert verdict(policy, "Read", ledger, groups=["payments"]) == "deny protected_path"
        assert verdict(policy, "Read", ledger) == "allow safe_tool"
        stated = call("Bash", LS)
        assert not policy.guidance.meant_for(stated).is_hard("team.pay")
        payer = structs.replace(stated, principal=Principal("test", frozenset({"payments"})))
        assert policy.guidance.meant_for(payer).is_hard("team.pay")


REFUSED = {
    "no applies_to": ("version: 1\npermissions: {deny: [Bash(ls)]}\n", "`applies_to` is missing"),
    "an empty one": ("version: 1\napplies_to: {}\n", "`applies_to` is empty"),
    "nobody": ("version: 1\napplies_to: {groups: []}\n", "means nobody"),
    "an unknown host": ("version: 1\napplies_to: {hosts: [claud-code]}\n", "did you mean `claude-code`"),
    "modes": (FOR_DEVS + "modes: {default: auto}\n", "`modes` is no key of a team's file"),
    "disable": (FOR_DEVS + "disable: [{id: builtin.ask-git-push, reason: x}]\n", "`disable` is no key"),
    "safe tools": (FOR_DEVS + "safe_tools: [Read]\n", "`safe_tools` is no key"),
    "overrides": (FOR_DEVS + "tools: {}\n", "`tools` is no key"),
    "programs": (FOR_DEVS + "programs: []\n", "`programs` is no key"),
    "data": (FOR_DEVS + "data: {}\n", "`data` is no key"),
    "its own bound": (FOR_DEVS + "team_allow: {tools: [Bash]}\n", "`team_allow` is no key"),
    "observing": (FOR_DEVS + "enforcement: observe\n", "`enforcement` is no key"),
    "an exception for the classifier": (FOR_DEVS + "classifier: {allow: [{id: x, text: y}]}\n", "`allow` is no key"),
    "a setting of the classifier": (FOR_DEVS + "classifier: {on_block: ask}\n", "`on_block` is no key"),
    "an amended entry": (FOR_DEVS + "protected_paths: [{id: builtin.env, effect: ask}]\n", "a team amends nothing"),
    "an exception": (
        FOR_DEVS + "protected_paths: [{id: t, path: x, access: any, effect: ask, exceptions: [/x]}]\n",
        "no exceptions",
    ),
    "an allowance without a bound": (FOR_DEVS + "permissions: {allow: [Bash(npm test)]}\n", "has set no `team_allow`"),
}


@pytest.mark.parametrize(("team", "message"), REFUSED.values(), ids=REFUSED)
def test_what_loosens_is_refused(tmp_path, team, message):
    told = refusal(tmp_path, team)
    assert message in told
    assert "teams/payments/team.yaml:" in told


INSIDE = [
    "Bash(npm run *)", "Bash(npm run build)", "Bash(npm run test --watch *)", "Bash(npm run t*)", "WebSearch",
    "Edit(docs/**)", "Edit(/docs/api/**)", "Edit(docs/a.md)", "Read(./docs/*.md)", "WebFetch(domain:docs.python.org)",
    "WebFetch(domain:*.docs.python.org)",
]  # fmt: skip
OUTSIDE = [
    "Bash", "Bash(npm *)", "Bash(npm test)", "Bash(npm run*)", "Bash(./npm run x)", "Bash(npx run x)", "Edit",
    "Edit(docs)", "Edit(**)", "Edit(//docs/**)", "Edit(~/docs/**)", "Edit(doc*/**)", "Edit(**/docs/**)",
    "Edit(README.md)", "WebFetch", "WebFetch(domain:python.org)", "WebFetch(domain:docs.python.org:8443)",
    "WebFetch(domain:*.org)", "WebFetch(domain:*)", "mcp__jira__search", "Agent",
]  # fmt: skip


@pytest.mark.parametrize("rule", INSIDE)
def test_inside_the_bound(tmp_path, rule):
    loaded(tmp_path, FOR_DEVS + f"permissions: {{allow: ['{rule}']}}\n", BOUND)


@pytest.mark.parametrize("rule", OUTSIDE)
def test_outside_of_the_bound(tmp_path, rule):
    assert "more than the organisation's `team_allow`" in refusal(
        tmp_path, FOR_DEVS + f"permissions: {{allow: ['{rule}']}}\n", BOUND
    )


def test_a_tool_that_no_list_names_isnt_let_in_by_its_paths(tmp_path):
    rule = "rules: [{id: t, effect: allow, tools: [{source: mcp, server: fs}], path: ['docs/**']}]\n"
    assert "`team_allow`" in refusal(tmp_path, FOR_DEVS + rule, BOUND)


def test_the_callers_word_allows_nothing(tmp_path):
    team = "version: 1\napplies_to: {repositories: ['//work/**']}\npermissions: {allow: [Bash(npm run build)]}\n"
    assert "rests on the caller's word" in refusal(tmp_path, team, BOUND)


def test_what_a_team_may_allow_holds_for_the_team_alone(tmp_path):
    policy = loaded(tmp_path, FOR_DEVS + "permissions: {allow: [Bash(npm run build)]}\n", BOUND)
    build = {"command": "npm run build"}
    assert verdict(policy, "Bash", build, groups=["payments"]) == "allow allow_rule"
    assert verdict(policy, "Bash", build) == "ask default_mode"


def test_a_file_beside_the_teams_is_an_error(tmp_path):
    folder(tmp_path, FOR_DEVS)
    (tmp_path / "teams" / "loose.yaml").write_text("version: 1\n")
    with pytest.raises(PolicyError, match="move it into `teams/<name>/`"):
        sources.organisation(tmp_path)


def test_ids_are_unique_across_teams(tmp_path):
    rule = "rules: [{id: same, effect: deny, command: [ls]}]\n"
    folder(tmp_path, FOR_DEVS + rule)
    with pytest.raises(PolicyError, match="ids are unique"):
        loaded(tmp_path, FOR_DEVS + rule, name="other")
