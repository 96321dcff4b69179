"""A rule on trial is told of and does nothing: what it would have said can be counted before it is in force."""

from lineclear.core.checks import Undecided, decide
from lineclear.core.modes import Mode
from support.rulings import policy, shell


def decided(rules, command, **more):
    by = policy(rules=[{"dry_run": True, **rule} for rule in rules], permissions={"allow": ["Bash(npm *)"]})
    found = decide(by, shell(by, command, **more))
    assert not isinstance(found, Undecided)
    return found.verdict.value, [(one.rule, one.code.value, one.part) for one in found.trials]


def test_what_would_deny_is_told_with_its_part():
    rule = {"id": "r", "effect": "deny", "command": ["npm publish *"]}
    assert decided([rule], "cd x && npm publish") == ("allow", [("organisation:r", "deny_rule", "npm publish")])


def test_what_would_allow_is_told_too_and_each_once():
    rule = {"id": "r", "effect": "allow", "command": ["make *"]}
    said = [("organisation:r", "allow_rule", "make a")]
    assert decided([rule], "make a && make b") == ("ask", said)
    assert decided([rule], "make a", mode=Mode.DONT_ASK) == ("deny", said)


def test_what_doesnt_match_isnt_told():
    assert decided([{"id": "r", "effect": "ask", "command": ["npm publish *"]}], "npm test") == ("allow", [])


def test_what_is_suspended_wouldnt_have_allowed():
    by = policy(rules=[{"id": "r", "effect": "allow", "command": ["make *"], "dry_run": True}])
    assert not by.rules.trials(shell(by, "make a"), suspended=True)
