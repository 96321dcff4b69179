"""Rules behind others: a stricter rule that takes all of them, or one that says the same already."""

import pytest

from lineclear.policyfiles.lint.finding import Kind
from support.linting import found
from support.rulings import shipped

SHADOWED = [
    ({"deny": ["Bash(terraform *)"]}, "Bash(terraform apply)"),
    ({"ask": ["Bash(terraform *)"]}, "Bash(terraform apply *)"),
    ({"deny": ["Bash"]}, "Bash(npm test)"),
    ({"ask": ["Bash(npm *)"]}, "Bash(timeout 60 npm test)"),
    ({"deny": ["Read(secrets/**)"]}, "Edit(secrets/a.txt)"),
    ({"deny": ["Edit(/docs/**)"]}, "Edit(docs/api/**)"),
    ({"ask": ["Read(~/**)"]}, "Read(~/notes/**)"),
    ({"deny": ["WebFetch(domain:*.x.org)"]}, "WebFetch(domain:a.x.org)"),
    ({"deny": ["WebFetch"]}, "WebFetch(domain:*.y.org)"),
]


@pytest.mark.parametrize(("over", "rule"), SHADOWED, ids=[f"{over} {rule}" for over, rule in SHADOWED])
def test_an_allowance_that_a_stricter_rule_takes(over, rule):
    assert (Kind.SHADOWED, f"organisation:allow:{rule}") in found(permissions={**over, "allow": [rule]})


OPEN = [
    ({"deny": ["Bash(terraform apply *)"]}, "Bash(terraform *)"),
    ({"deny": ["Bash(git push --force *)"]}, "Bash(git push *)"),
    ({"deny": ["Edit(docs/api/**)"]}, "Edit(docs/**)"),
    ({"deny": ["Read(*.key)"]}, "Edit(docs/**)"),
    ({"deny": ["Edit(docs/**)"]}, "Read(docs/**)"),
    ({"deny": ["WebFetch(domain:a.x.org)"]}, "WebFetch(domain:*.x.org)"),
    ({"deny": ["mcp__jira"]}, "Bash(npm test)"),
]


@pytest.mark.parametrize(("over", "rule"), OPEN, ids=[f"{over} {rule}" for over, rule in OPEN])
def test_an_allowance_of_which_something_is_left(over, rule):
    assert found(permissions={**over, "allow": [rule]}) in ([], [(Kind.SUSPENDED, f"organisation:allow:{rule}")])


@pytest.mark.parametrize(
    "narrowed",
    [
        {"when": "principal.id == 'ci'"},
        {"effect": "ask", "modes": ["auto"]},
        {"effect": "ask", "agent": {"main": False}},
        {"effect": "ask", "expires": "2027-01-01"},
        {"dry_run": True},
        {"input": {"description": "x"}},
    ],
    ids=str,
)
def test_a_rule_that_holds_for_some_calls_only_takes_nothing(narrowed):
    rule = {"id": "r", "effect": "deny", "command": ["terraform *"], **narrowed}
    kinds = [kind for kind, _ in found(rules=[rule], permissions={"allow": ["Bash(terraform apply)"]})]
    assert Kind.SHADOWED not in kinds


def test_a_question_behind_a_denial():
    assert found(permissions={"deny": ["Bash(rm *)"], "ask": ["Bash(rm -r *)"]}) == [
        (Kind.SHADOWED, "organisation:ask:Bash(rm -r *)")
    ]


def test_what_is_built_in_counts():
    assert found(shipped(), permissions={"allow": ["Bash(git push *)"]}) == [
        (Kind.SHADOWED, "organisation:allow:Bash(git push *)")
    ]
    assert found(shipped(), permissions={"allow": ["Edit(.env)"]}) == [(Kind.SHADOWED, "organisation:allow:Edit(.env)")]


@pytest.mark.parametrize(
    "pair",
    [("Bash(npm test:*)", "Bash(npm test *)"), ("Edit(docs/**)", "Write(docs/**)"), ("mcp__a", "mcp__a__*")],
    ids=str,
)
def test_two_spellings_of_one_rule(pair):
    assert found(permissions={"allow": list(pair)}) == [(Kind.DUPLICATE, f"organisation:allow:{pair[1]}")]


@pytest.mark.parametrize(
    ("effect", "wide", "narrow"),
    [
        ("allow", "Bash(git commit *)", "Bash(git commit -m x)"),
        ("allow", "Edit(docs/**)", "Edit(docs/api/**)"),
        ("allow", "WebFetch(domain:*.x.org)", "WebFetch(domain:a.x.org)"),
        ("deny", "Bash(rm *)", "Bash(rm -rf *)"),
        ("ask", "Read(secrets/**)", "Read(/secrets/a)"),
    ],
)
def test_a_rule_inside_another_of_its_effect(effect, wide, narrow):
    assert found(permissions={effect: [wide, narrow]}) == [(Kind.REDUNDANT, f"organisation:{effect}:{narrow}")]


def test_a_rule_inside_another_that_says_why_is_kept():
    rule = {
        "id": "r", "effect": "deny", "command": ["rm -rf *"], "reason": "It can't be undone.",
        "examples": {"match": ["rm -rf x"], "no_match": ["rm x"]},
    }  # fmt: skip
    assert found(permissions={"deny": ["Bash(rm *)"]}, rules=[rule]) == []
