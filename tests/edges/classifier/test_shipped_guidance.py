"""The shipped lists: complete, with examples of both sides, and joined with an organisation's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineclear.classifier.guidance import guidance_text
from lineclear.core.verdict import Verdict
from lineclear.policyfiles.problems import Problems
from lineclear.policyfiles.sections.prose import guidance
from lineclear.policyfiles.sources import builtin, of_text

SHIPPED = tuple(source for source in builtin(Path(__file__).parents[3] / "policies" / "builtin"))


def read(*texts):
    problems = Problems()
    found = guidance((*SHIPPED, *(of_text(text, f"organisation/{n}.yaml") for n, text in enumerate(texts))), problems)
    return found, [str(problem) for problem in problems.found]


@pytest.mark.parametrize("kind", ["allow", "soft_block", "hard_block"])
def test_each_shipped_entry_has_examples_of_both_sides(kind):
    found, problems = read()
    assert problems == []
    assert getattr(found, kind)
    for rule in getattr(found, kind):
        assert rule.match, rule.id
        assert rule.no_match, rule.id
        assert not set(rule.match) & set(rule.no_match), rule.id


def test_an_organisation_adds_to_the_lists_and_replaces_by_id():
    own = """
version: 1
classifier:
  on_block: ask
  environment: [{id: own-forge, text: git.example.org is ours.}]
  soft_block: [{id: builtin.outward-act, text: Whatever others see.}, {id: own-billing, text: Anything about billing.}]
"""
    shipped, _ = read()
    found, problems = read(own)
    assert problems == []
    assert found.on_block is Verdict.ASK
    assert len(found.environment) == len(shipped.environment) + 1
    assert len(found.soft_block) == len(shipped.soft_block) + 1
    assert [rule.text for rule in found.soft_block if rule.id == "builtin.outward-act"] == ["Whatever others see."]
    assert found.hard_block == shipped.hard_block
    assert "own-billing" in found.citable


def test_two_files_of_a_layer_add_to_one_list():
    entry = "version: 1\nclassifier: {allow: [{id: %s, text: Fine.}]}"
    found, problems = read(entry % "one", entry % "two")
    assert problems == []
    assert {"one", "two"} <= {rule.id for rule in found.allow}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{soft_blocks: []}", "did you mean `soft_block`"),
        ("{soft_block: [{id: a}]}", "needs both `id` and `text`"),
        ("{soft_block: [{id: a, text: x}, {id: a, text: y}]}", "`a` is set here and in"),
        ("{soft_block: [{id: builtin.attack, text: x}]}", "stands in another list"),
        ("{allow: [{id: a, text: x, examples: {matches: []}}]}", "did you mean `match`"),
        ("{on_block: allow}", "can't be `allow`"),
        ("{on_unavailable: allow}", "can't be `allow`"),
        ("{recent_calls: -1}", "whole number"),
    ],
    ids=["key", "text", "twice", "moved", "examples", "on_block", "on_unavailable", "recent_calls"],
)
def test_a_fault_is_named_with_its_place(text, words):
    _, problems = read(f"version: 1\nclassifier: {text}\n")
    assert len(problems) == 1
    assert problems[0].startswith("organisation/0.yaml:2:")
    assert words in problems[0]


def test_the_order_of_entries_and_files_does_not_change_what_the_model_reads():
    one = "version: 1\nclassifier: {allow: [{id: one, text: Fine.}, {id: two, text: Fine too.}]}"
    other = "version: 1\nclassifier: {allow: [{id: two, text: Fine   too.}, {id: one, text: Fine.}]}"
    assert guidance_text(read(one)[0]) == guidance_text(read(other)[0])
