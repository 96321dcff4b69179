"""What the lint finds in a rule, and what it leaves in peace."""

import pytest

from lineclear.policyfiles.compiling import examined
from lineclear.policyfiles.lint.finding import LEVELS, MEANING, Kind
from lineclear.policyfiles.lint.run import lint
from support.linting import found
from support.rulings import TODAY, shipped

EXAMPLES = {"match": ["git push"], "no_match": ["git pull"]}
ASK_PUSH = {"id": "r", "effect": "ask", "command": ["git push"], "examples": EXAMPLES}

SHORT = [
    ("deny", "Bash(git:* push)", Kind.COLON_STAR),
    ("allow", "Bash(npm run:* x:*)", Kind.COLON_STAR),
    ("allow", "Bash(NODE_ENV=test npm test)", Kind.NEVER),
    ("allow", "Bash(do npm test)", Kind.NEVER),
    ("allow", "Bash(for f in a)", Kind.NEVER),
    ("deny", "Read(/etc/passwd)", Kind.ONE_SLASH),
    ("deny", "Edit(/Users/dev/**)", Kind.ONE_SLASH),
    ("allow", "Edit(/home/dev/x/**)", Kind.ONE_SLASH),
    ("allow", "Bash", Kind.TOO_BROAD),
    ("allow", "Bash(*)", Kind.SUSPENDED),
    ("allow", "PowerShell", Kind.TOO_BROAD),
    ("allow", "Bash(* --version)", Kind.TOO_BROAD),
    ("allow", "Edit", Kind.TOO_BROAD),
    ("allow", "Edit(//**)", Kind.TOO_BROAD),
    ("allow", "Write(~/**)", Kind.TOO_BROAD),
    ("allow", "Edit(C:/**)", Kind.TOO_BROAD),
    ("allow", "WebFetch", Kind.TOO_BROAD),
    ("allow", "WebFetch(domain:*.com)", Kind.TOO_BROAD),
    ("allow", "WebFetch(domain:*)", Kind.TOO_BROAD),
    ("allow", "Agent", Kind.SUSPENDED),
    ("allow", "Agent(tester)", Kind.SUSPENDED),
    *(
        ("allow", f"Bash({command} *)", Kind.SUSPENDED)
        for command in ("python3", "npx", "make", "ssh", "npm run", "sudo", "find", "xargs", "git", "mytool", "bash -c")
    ),
]


@pytest.mark.parametrize(("effect", "rule", "kind"), SHORT, ids=[f"{effect} {rule}" for effect, rule, _ in SHORT])
def test_short_rules(effect, rule, kind):
    assert (kind, f"organisation:{effect}:{rule}") in found(permissions={effect: [rule]})


FINE = [
    ("deny", "Bash(rm -rf *)"),
    ("deny", "Bash"),
    ("ask", "Bash(python3 *)"),
    ("deny", "Read(//etc/shadow)"),
    ("deny", "Edit(//**)"),
    ("allow", "Bash(npm test:*)"),
    ("allow", "Bash(git commit *)"),
    ("allow", "Bash(npm test)"),
    ("allow", "Edit(docs/**)"),
    ("allow", "Edit(/src/**)"),
    ("allow", "Read(~/.config/x/**)"),
    ("allow", "WebFetch(domain:*.python.org)"),
    ("allow", "WebFetch(domain:localhost:8080)"),
    ("allow", "mcp__jira__get_issue"),
    ("allow", "mcp__jira"),
    ("allow", "WebSearch"),
]


@pytest.mark.parametrize(("effect", "rule"), FINE, ids=[f"{effect} {rule}" for effect, rule in FINE])
def test_nothing_is_wrong_with(effect, rule):
    assert found(permissions={effect: [rule]}) == []


@pytest.mark.parametrize(
    ("effect", "selector", "kinds"),
    [
        ("allow", {"source": "mcp", "read_only": True}, {Kind.TOO_BROAD}),
        ("allow", {"kind": "fetch", "read_only": True}, {Kind.TOO_BROAD}),
        ("allow", {"source": "mcp", "read_only": True, "open_world": False}, set()),
        ("allow", {"source": "mcp", "server": "docs", "read_only": True}, set()),
        ("ask", {"source": "mcp", "read_only": True}, set()),
    ],
    ids=str,
)
def test_what_only_reads_may_read_from_the_network(effect, selector, kinds):
    rules = [{"id": "r", "effect": effect, "tools": [selector]}]
    assert {kind for kind, _ in found(rules=rules)} - {Kind.EXAMPLES} == kinds


LONG = {
    "no examples": ({"examples": None}, Kind.EXAMPLES),
    "examples of one kind": ({"examples": {"match": ["git push"]}}, Kind.EXAMPLES),
    "its time is over": ({"expires": "2026-11-28"}, Kind.EXPIRED),
    "modes that aren't allowed": ({"modes": ["bypassPermissions"]}, Kind.NEVER),
    "a host that there isn't": ({"agent": {"host": ["claud"]}}, Kind.NEVER),
    "a denial by the caller's word": (
        {"effect": "deny", "when": "has(context.ticket) || agent.main"},
        Kind.CALLERS_WORD,
    ),
    "an allowance by the caller's word": ({"effect": "allow", "when": "has(context.ticket)"}, Kind.CALLERS_WORD),
    "data that nobody wrote": ({"when": "principal.id in data.oncall || true"}, Kind.MISSING_DATA),
}


@pytest.mark.parametrize(("changed", "kind"), LONG.values(), ids=LONG)
def test_long_rules(changed, kind):
    rule = {key: value for key, value in {**ASK_PUSH, **changed}.items() if value is not None}
    if "when" in changed:
        del rule["examples"]
    assert (kind, "organisation:r") in found(rules=[rule])


def test_a_whole_rule_is_fine():
    assert found(rules=[ASK_PUSH]) == []
    assert found(rules=[{**ASK_PUSH, "expires": "2026-11-29"}]) == []
    assert found(rules=[{**ASK_PUSH, "when": "principal.id in data.x || true"}], data={"x": []}) == []


def test_an_allowance_whose_tools_take_no_command_never_matches():
    rule = {"id": "r", "effect": "allow", "command": ["git push"], "tools": ["Read"]}
    assert (Kind.NEVER, "organisation:r") in found(rules=[rule])


def test_a_protected_path_with_one_slash():
    entry = {"id": "org.x", "path": "/etc/nginx", "access": "write", "effect": "ask"}
    assert found(protected_paths=[entry]) == [(Kind.ONE_SLASH, "org.x")]


def test_what_is_shipped_has_no_findings():
    assert lint(examined(shipped(), ()), TODAY) == ()


def test_every_kind_has_a_level_and_a_meaning():
    assert set(LEVELS) == set(MEANING) == set(Kind)
