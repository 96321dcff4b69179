"""No value makes a condition slow: what could take long isn't evaluated, and then speaks against the call."""

import time

import pytest

from lineclear.core.conditions.condition import Condition
from lineclear.core.conditions.cost import MAX_ELEMENTS
from support.rulings import facts, policy

THOUSAND = [f"w{number}" for number in range(MAX_ELEMENTS)]
MANY = " || ".join(["!(x in call.input.a)"] * 50)

SLOW = {
    "a list of lists": ("call.input.a.map(x, call.input.a).size() > 1", THOUSAND),
    "a list of joined lists": ("call.input.a.map(x, [x] + call.input.a).size() > 1", THOUSAND),
    "a list joined with itself": ("(" + " + ".join(["call.input.a"] * 100) + ").size() > 1", THOUSAND),
    "a walk over a joined list": ("(" + " + ".join(["call.input.a"] * 40) + f").exists(x, {MANY})", THOUSAND),
    "many looks into a list": (f"call.input.a.exists(x, {MANY})", THOUSAND),
    "a large list of large elements": (
        "call.input.a.filter(x, x.size() > 0).size() > 1",
        [dict.fromkeys(map(str, range(50)), 1)] * 900,
    ),
    "a long text for each element": (
        "call.input.a.exists(x, x != '' && call.input.t.contains(x + 'no'))",
        THOUSAND,
    ),
}


@pytest.mark.parametrize(("condition", "elements"), SLOW.values(), ids=SLOW)
def test_what_could_take_long_fails_at_once(condition, elements):
    compiled = Condition.of(condition, {})
    observed = facts(policy(), "mcp__s__t", {"a": elements, "t": "ab" * 500_000})
    begun = time.perf_counter()
    assert compiled.answer(observed) is None
    assert time.perf_counter() - begun < 1


def test_a_list_of_a_thousand_is_walked():
    observed = facts(policy(), "mcp__s__t", {"a": THOUSAND})
    assert Condition.of("call.input.a.exists(x, x == 'w999')", {}).answer(observed) is True
    assert Condition.of("call.input.a.all(x, x.matches('^w[0-9]+$'))", {}).answer(observed) is True


@pytest.mark.parametrize("more", [[*THOUSAND, "one more"], {str(one): one for one in range(MAX_ELEMENTS + 1)}])
def test_more_than_a_thousand_fail_wherever_they_are(more):
    observed = facts(policy(), "mcp__s__t", {"deep": [{"a": more}]})
    assert Condition.of("size(call.input) == 1", {}).answer(observed) is None


def test_and_dont_matter_to_a_condition_that_reads_something_else():
    observed = facts(policy(), "mcp__s__t", {"a": [*THOUSAND, "one more"]})
    assert Condition.of("call.server == 's'", {}).answer(observed, "s") is True


def test_a_long_text_is_searched():
    observed = facts(policy(), "Write", {"file_path": "/work/repo/a", "content": "ab" * 500_000 + "c"})
    assert Condition.of("call.input.content.matches('(a|b|ab)*c$')", {}).answer(observed) is True


@pytest.mark.parametrize("value", [2**80, "\ud800", float("inf")], ids=["huge", "half a pair", "infinite"])
def test_values_that_the_library_doesnt_take_fail(value):
    observed = facts(policy(), "mcp__s__t", {"a": value})
    assert Condition.of("call.input.a == 1 && call.input.a == 2", {}).answer(observed) is not True
