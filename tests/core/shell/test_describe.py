"""Descriptions are checked: what the schema doesn't know is named, and examples are tried for real."""

from __future__ import annotations

import pytest

from lineclear.core.shell.describe import DescriptionError, check_examples, program
from lineclear.core.shell.program import Outcome
from lineclear.core.shell.programs import Programs

TEAM = {
    "name": "terraform",
    "subcommands": ["show", "state list"],
    "flags": ["-json", "-no-color"],
    "operands": {"kind": "text", "max": 1},
    "effect": "read",
    "examples": {"read_only": ["terraform show -json x"], "not_read_only": ["terraform apply", "terraform show a b"]},
}


def test_a_team_describes_its_own():
    described = program(TEAM)
    programs = Programs.of([described])
    assert check_examples(described, programs) == []
    assert described.level.subcommands["state"].subcommands["list"].outcome is Outcome.READ


def test_an_example_that_does_not_hold_is_told():
    wrong = program({**TEAM, "examples": {"read_only": ["terraform apply"], "not_read_only": ["terraform show"]}})
    errors = check_examples(wrong, Programs.of([wrong]))
    assert len(errors) == 2
    assert "`terraform apply`" in errors[0]
    assert "`apply` isn't described" in errors[0]
    assert "must not be" in errors[1]


FAULTS = {
    "no name": ({}, "name", "needs a `name`"),
    "a path for a name": ({"name": "a/b"}, "name", "without slash"),
    "unknown key": ({"name": "a", "option": {}}, "option", "did you mean `options`?"),
    "unknown effect": ({"name": "a", "effect": "write"}, "effect", "read, edit, other"),
    "unknown kind": ({"name": "a", "operands": "file"}, "kind", "must be one of"),
    "a kind that is nearly one": ({"name": "a", "operands": "txt"}, "kind", "did you mean `text`?"),
    "operands": ({"name": "a", "operands": 5}, "operands", "a kind, a mapping or a list"),
    "numbers": ({"name": "a", "operands": {"kind": "text", "max": "many"}}, "operands", "are numbers"),
    "option twice": ({"name": "a", "flags": ["-a"], "options": {"-a, --all": "text"}}, "-a", "described twice"),
    "key of an option": ({"name": "a", "options": {"-a": {"kinds": "text"}}}, "kinds", "did you mean `kind`?"),
    "flag that is none": ({"name": "a", "digits": "yes"}, "digits", "true or false"),
    "list of texts": ({"name": "a", "flags": [["-a"]]}, "flags", "list of texts"),
    "subcommands": ({"name": "a", "subcommands": {"b": {"effects": "read"}}}, "effects", "did you mean `effect`?"),
    "list of subcommands": ({"name": "a", "subcommands": [5]}, "subcommands", "a list of names or a mapping"),
    "repository": ({"name": "a", "repository": "mine"}, "repository", "`trusted` or `any`"),
    "transparent": ({"name": "a", "transparent": "no"}, "transparent", "true, false or `rules`"),
}


@pytest.mark.parametrize(("mapping", "key", "words"), FAULTS.values(), ids=FAULTS)
def test_faults(mapping, key, words):
    with pytest.raises(DescriptionError) as raised:
        program(mapping)
    assert raised.value.key == key
    assert words in str(raised.value)
