"""What holds of any policy and call: files and order have no part, tightening never loosens, teams stay in bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields, replace
from textwrap import dedent
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import structs

from lineclear.core.call import Principal
from lineclear.core.checks import Undecided, decide
from lineclear.core.modes import Mode
from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.core.policy import Policy
from lineclear.core.rules.rule import Layer
from lineclear.core.verdict import Verdict
from lineclear.engine.unaffected import Change
from lineclear.policyfiles import sources
from lineclear.policyfiles.comparing import SECTIONS, changed_rules
from lineclear.policyfiles.compiling import examined
from lineclear.policyfiles.problems import PolicyError
from support.judging import ROOT
from support.rulings import TODAY, beneath, call, node

SHORT = (
    "Bash", "Bash(npm *)", "Bash(npm run test)", "Bash(git push *)", "Bash(* --prod)", "Bash(rm -rf *)", "Bash(cat *)",
    "Edit(docs/**)", "Edit(/src/**)", "Read(secrets/**)", "Read(*.pem)", "WebFetch(domain:*.python.org)",
    "WebFetch(domain:docs.python.org)", "WebFetch", "mcp__jira__*", "mcp__jira__search", "Agent(explore)",
    "Skill(commit)", "WebSearch",
)  # fmt: skip
LONG: tuple[dict[str, Any], ...] = (
    {"command": ["npm *", "git * main"]},
    {"command": ["cp *"], "path": ["secrets/**"]},
    {"tools": ["mcp__jira__search"], "input": {"project": ["A*", None]}},
    {"command": ["git *"], "when": 'principal.id == "test"'},
    {"command": ["npm *"], "when": "call.input.nothing == 1"},
    {"path": ["docs/**"], "access": "read"},
    {"tools": [{"kind": "fetch"}], "domain": ["docs.python.org"]},
)
EFFECTS = ("deny", "ask", "allow")
SPEECHES = st.one_of(st.sampled_from(SHORT), st.sampled_from(range(len(LONG))))
"""What a rule speaks of: a short text, or the number of a long form."""
RULES = st.lists(st.tuples(st.sampled_from(EFFECTS), SPEECHES), max_size=6, unique=True)
MODES = st.sampled_from([Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.AUTO, Mode.DONT_ASK, Mode.PLAN])
PATHS = st.sampled_from(["docs/a.md", "/work/repo/src/a.py", "secrets/key", "/srv/x.pem", "pkg/docs/a.md"])
COMMANDS = st.lists(
    st.sampled_from(
        ["npm run test", "npm install x", "git push origin main", "rm -rf build", "cat secrets/key", "ls -la",
         "cp secrets/a docs/b", "acme --prod", "echo x > docs/a", "git $X main", "timeout 5 npm run test", "( npm"],
    ),
    min_size=1,
    max_size=3,
).map(" && ".join)  # fmt: skip
CALLS = st.one_of(
    COMMANDS.map(lambda text: ("Bash", {"command": text})),
    PATHS.map(lambda path: ("Read", {"file_path": path})),
    PATHS.map(lambda path: ("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})),
    st.sampled_from(["https://docs.python.org/3/", "https://x.python.org", "https://evil.example"]).map(
        lambda url: ("WebFetch", {"url": url, "prompt": "x"})
    ),
    st.sampled_from(["A-1", "B", None]).map(lambda project: ("mcp__jira__search", {"project": project})),
    st.sampled_from(["explore", "other"]).map(
        lambda name: ("Agent", {"subagent_type": name, "prompt": "p", "description": "d"})
    ),
    st.sampled_from([("Skill", {"skill": "commit"}), ("WebSearch", {"query": "x"})]),
)
BOUND = {
    "team_allow": {
        "tools": ["Bash", "Edit", "WebFetch", "WebSearch"], "commands": ["npm *"], "paths": ["docs/**"],
        "domains": ["*.python.org"],
    }
}  # fmt: skip
BOUND_AS_RULES = [
    ("allow", text)
    for text in ("Bash(npm *)", "Edit(docs/**)", "Read(docs/**)", "WebFetch(domain:*.python.org)", "WebSearch")
]


def sections(rules) -> dict[str, Any]:
    """Rules as the sections of a file; the id of a long one says which it is."""
    short = {effect: [text for one, text in rules if one == effect and isinstance(text, str)] for effect in EFFECTS}
    long = [
        {"id": f"{effect}-{which}", "effect": effect, **LONG[which]}
        for effect, which in rules
        if isinstance(which, int)
    ]
    return {"permissions": short} | ({"rules": long} if long else {})


def compiled(*files):
    """The policy of some files of the organisation, each with its sections; of a team's file where it is named so."""
    found = []
    for name, content in files:
        team = name.partition("/")[2].partition("/")[0] if name.startswith("teams/") else None
        source = sources.of_node(node({"version": 1, **content}), name, Layer.TEAM if team else Layer.ORGANISATION)
        found.append(replace(source, team=team))
    return examined(beneath(), found)


def of_rules(rules):
    return compiled(("organisation/a.yaml", sections(rules))).policy


def judged(policy, tool_call, mode, groups=()):
    stated = structs.replace(call(*tool_call, mode=mode), principal=Principal("test", frozenset(groups)))
    return decide(policy, observe(stated, policy, Own(), TODAY))


def verdict(policy, tool_call, mode, groups=()) -> int:
    """How strict a policy is to a call; what is left to a model lies between allow and ask."""
    found = judged(policy, tool_call, mode, groups)
    return Verdict.ASK.severity if isinstance(found, Undecided) else found.verdict.severity


@settings(max_examples=60, deadline=None)
@given(RULES, st.randoms(use_true_random=False), CALLS, MODES)
def test_the_order_of_files_and_rules_has_no_part_in_it(rules, chance, tool_call, mode):
    mixed, cut = chance.sample(rules, len(rules)), chance.randint(0, len(rules))
    parts = [("organisation/z.yaml", sections(mixed[:cut])), ("organisation/b.yaml", sections(mixed[cut:]))]
    one, other = of_rules(rules), compiled(*chance.sample(parts, 2)).policy
    assert one.version == other.version
    assert verdict(one, tool_call, mode) == verdict(other, tool_call, mode)


@settings(max_examples=200, deadline=None)
@given(RULES, st.sampled_from(["deny", "ask"]), SPEECHES, CALLS, MODES)
def test_a_further_denial_or_question_never_loosens(rules, effect, more, tool_call, mode):
    assume((effect, more) not in rules)
    assert verdict(of_rules([*rules, (effect, more)]), tool_call, mode) >= verdict(of_rules(rules), tool_call, mode)


@settings(max_examples=120, deadline=None)
@given(RULES, RULES, CALLS, MODES)
def test_a_team_never_loosens_beyond_its_bound(organisation, team, tool_call, mode):
    ours = ("organisation/a.yaml", sections(organisation) | BOUND)
    theirs = ("teams/payments/a.yaml", sections(team) | {"applies_to": {"groups": ["payments"]}})
    try:
        with_team = compiled(ours, theirs).policy
    except PolicyError:
        assume(False)  # noqa: FBT003 - what the loader refuses allows nothing
        raise
    bound = of_rules([*organisation, *(rule for rule in BOUND_AS_RULES if rule not in organisation)])
    assert verdict(with_team, tool_call, mode, ["payments"]) >= verdict(bound, tool_call, mode)
    assert verdict(with_team, tool_call, mode) == verdict(of_rules(organisation), tool_call, mode)


@settings(max_examples=120, deadline=None)
@given(RULES, RULES, CALLS, MODES)
def test_what_a_change_of_rules_doesn_t_bear_on_stays_as_it_was(rules, others, tool_call, mode):
    before, after = (compiled(("organisation/a.yaml", sections(some))) for some in (rules, others))
    changed = changed_rules(before, after)
    assert changed is not None
    change = Change.of(before.policy, changed)
    facts = observe(call(*tool_call, mode=mode), before.policy, Own(), TODAY)
    if not change.bears_on(facts):
        one, other = judged(before.policy, tool_call, mode), judged(after.policy, tool_call, mode)
        assert isinstance(one, Undecided) == isinstance(other, Undecided)
        if not isinstance(one, Undecided):
            assert (one.verdict, one.code, one.findings) == (other.verdict, other.code, other.findings)


def test_more_than_rules_is_no_change_of_rules():
    plain = compiled(("organisation/a.yaml", {}))
    for more in (
        {"headless": "hold"}, {"data": {"a": 1}}, {"programs": [{"name": "zz"}]}, {"modes": {"default": "plan"}},
        {"protected_paths": [{"id": "p", "path": "x", "access": "any", "effect": "ask"}]}, {"safe_tools": ["LSP"]},
        {"tools": {"overrides": [{"tool": "mcp__a__b", "kind": "read"}]}}, {"workspace": {"reads": "inside"}},
        {"agents": {"deny_all": ["Agent"]}}, {"enforcement": "observe"}, {"breaker": {"total": 9}},
    ):  # fmt: skip
        assert changed_rules(plain, compiled(("organisation/a.yaml", more))) is None, more
    assert changed_rules(plain, plain) == ()


def test_whatever_a_policy_holds_is_compared():
    by_what_they_were_made_of = {"catalogue", "programs", "narrowing"}
    apart = {"rules", "protections", "version", "files"}
    assert {field.name for field in fields(Policy)} == {*SECTIONS, *by_what_they_were_made_of, *apart}


FILES = {
    "one": {
        "organisation/policy.yaml": """
            version: 1
            # why
            permissions: {deny: ["Bash(ü *)", Bash(b *)], ask: [Read(x)]}
            headless: hold
            data: {b: [1], a: {y: 1, x: 2}}
        """,
    },
    "other": {
        "organisation/z.yaml": "headless: hold\nversion: 1\npermissions: {deny: [Bash(b *)]}\n",
        "organisation/a.yaml": "permissions:\n    ask:\n    - 'Read(x)'\nversion: 1\n",
        "organisation/m.yaml": 'data: {a: {x: 2, y: 1}, b: [1]}\nversion: 1\npermissions: {deny: ["Bash(\\xfc *)"]}\n',
    },
}
MACHINES = (
    ({"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"}, 0o022),
    ({"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo", "PYTHONUTF8": "0"}, 0o077),
)


def test_the_same_content_has_the_same_version_on_any_machine(tmp_path):
    """In other files, another folder, another order of keys, with other comments, locale, umask and hash seed."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    versions = set()
    for (name, files), (more, umask) in zip(FILES.items(), MACHINES, strict=True):
        folder = tmp_path / name
        (folder / "organisation").mkdir(parents=True)
        for path, text in files.items():
            (folder / path).write_text(dedent(text), "utf-8")
        environment = kept | more | {"PYTHONPATH": str(ROOT / "service"), "XDG_CONFIG_HOME": str(tmp_path)}
        arguments = [sys.executable, "-m", "lineclear", "policy", "show", "--policies", str(folder), "--output", "json"]
        done = subprocess.run(arguments, capture_output=True, check=True, env=environment, umask=umask)
        versions.add(json.loads(done.stdout)["version"])
    assert len(versions) == 1
