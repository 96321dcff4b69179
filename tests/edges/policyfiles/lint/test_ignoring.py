"""Findings that are known are kept out of the report, each with a reason, for as long as there are any."""

import pytest

from lineclear.policyfiles.lint.finding import Kind
from lineclear.policyfiles.problems import PolicyError
from support.linting import found
from support.rulings import policy

MAKE = "organisation:allow:Bash(make *)"


def ignoring(*entries, **sections):
    return found(permissions={"allow": ["Bash(make *)"]}, lint={"ignore": list(entries)}, **sections)


def test_what_is_named_isnt_told():
    assert found(permissions={"allow": ["Bash(make *)"]}) == [(Kind.SUSPENDED, MAKE)]
    assert ignoring({"id": MAKE, "findings": ["suspended"], "reason": "auto isn't used here"}) == []


def test_another_finding_still_is():
    entry = {"id": MAKE, "findings": ["too-broad"], "reason": "x"}
    assert set(ignoring(entry)) == {(Kind.SUSPENDED, MAKE), (Kind.UNUSED_IGNORE, MAKE)}


def test_it_changes_no_decision_and_no_version():
    with_entry = policy(lint={"ignore": [{"id": "x", "findings": ["suspended"], "reason": "y"}]})
    assert with_entry.version == policy().version


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"id": MAKE, "findings": ["suspended"]}, "needs `id`, `findings` and `reason`"),
        ({"id": MAKE, "findings": ["suspendet"], "reason": "x"}, "`suspended`"),
        ({"id": MAKE, "findings": [], "reason": "x"}, "is empty"),
        ({"id": MAKE, "findings": ["suspended"], "reason": ""}, "isn't empty"),
    ],
)
def test_an_entry_that_isnt_one_is_an_error(entry, message):
    with pytest.raises(PolicyError, match=message):
        policy(lint={"ignore": [entry]})
