"""What a condition can't be is an error when the policy is loaded, with the place and what to write."""

import pytest

from lineclear.core.conditions.condition import Condition
from lineclear.core.rules.faults import RuleFault

REFUSED = {
    "a name that nobody declared": ("foo.bar == 1", "there is no name `foo`"),
    "a misspelled name": ("principle.id == 'x'", "did you mean `principal`"),
    "a misspelled field": ("call.comands.size() > 1", "did you mean `commands`"),
    "a misspelled field in brackets": ("call['comands'].size() > 1", "did you mean `commands`"),
    "an element's name outside of its loop": ("call.paths.exists(p, true) && p.path == 'x'", "there is no name `p`"),
    "an open bracket": ("size(call.input", "doesn't compile"),
    "nothing": ("// only a comment", "doesn't compile"),
    "two expressions": ("true true", "doesn't compile"),
    "a loop in a loop": (
        "call.commands.exists(c, c.words.exists(w, w == 'x'))",
        "`exists` stands inside another loop",
    ),
    "a loop in a loop's list": ("call.commands.exists(c, c.words.map(w, w) == [])", "inside another loop"),
    "a loop in another's result": ("[1].all(x, [call.paths.filter(p, true)] == [])", "inside another loop"),
    "a regular expression out of the call": ("call.tool.matches(call.server)", "must be a literal"),
    "a joined regular expression": ("call.tool.matches('a' + 'b')", "must be a literal"),
    "a broken regular expression": ("call.tool.matches('(')", "doesn't compile"),
    "a regular expression that would be huge": ("call.tool.matches('((a{100}){100}){10}')", "doesn't compile"),
    "a regular expression of bytes": ("call.tool.matches(b'x')", "must be a text"),
    "a backreference": (r"call.tool.matches(r'(a)\1')", "doesn't compile"),
    "a function that there isn't": ("call.tool.lower() == 'bash'", "there is no function `lower`"),
    "a method written as a function": ("matches(call.tool, 'x')", "is written `x.matches(…)`"),
    "a function written as a method": ("call.tool.string() == 'x'", "is written `string(x)`"),
    "an element that hides a name": ("call.paths.exists(call, true)", "means something already"),
    "a loop without an element": ("call.paths.exists(true)", "names its element first"),
    "a message": ("Call{tool: 'x'} == call", "there are none"),
    "an absolute name": (".call.tool == 'x'", "can't begin with a dot"),
    "more than 2,000 characters": ("true" + " || true" * 250, "more than 2000"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(text, message):
    with pytest.raises(RuleFault) as refused:
        Condition.of(text, {})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


DEEP = {
    "brackets": "(" * 900 + "true" + ")" * 900,
    "open brackets": "(" * 1900,
    "lists": "[" * 900 + "]" * 900,
    "maps": "{1:" * 600 + "1" + "}" * 600,
    "choices": "true?" * 250 + "true" + ":true" * 100,
    "an open text": "'" + "a" * 1000,
    "nonsense": "\\ ` # ; \u202e é",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_is_deep_or_broken_is_refused_and_ends_nothing(text):
    with pytest.raises(RuleFault):
        Condition.of(text, {})


def test_what_is_exactly_at_the_limit_is_taken():
    text = "true" + " " * 1996
    assert Condition.of(text, {}).text == text
