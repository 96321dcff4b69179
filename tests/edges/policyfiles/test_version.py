from __future__ import annotations

import re

import pytest

from lineclear.policyfiles.load import load_text
from support.rulings import beneath, policy

BASE = "version: 1\npermissions: {deny: [Bash(a *), Bash(b *)], ask: [Read(x)]}\nheadless: deny\n"


def version(text: str) -> str:
    return load_text(text, beneath()).version


def test_it_is_a_hash() -> None:
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", version(BASE))


SAME = {
    "comments": BASE + "# nothing\n",
    "order": "version: 1\nheadless: deny\npermissions: {ask: [Read(x)], deny: [Bash(b *), Bash(a *)]}\n",
    "layout": "version: 1\npermissions:\n  deny:\n  - Bash(a *)\n  - 'Bash(b *)'\n  ask: [Read(x)]\n",
    "what is default": BASE + "enforcement: enforce\n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_the_same_content_has_the_same_version(text: str) -> None:
    assert version(text) == version(BASE)


OTHER = {
    "another word": BASE.replace("a *", "c *"),
    "another effect": BASE.replace("ask:", "allow:"),
    "another setting": BASE.replace("headless: deny", "headless: hold"),
    "one rule less": BASE.replace(", Bash(b *)", ""),
    "a value in another place": BASE.replace("Bash(a *)", "Bash(* a)"),
}


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER.keys())
def test_other_content_has_another(text: str) -> None:
    assert version(text) != version(BASE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("data: {l: [a, b]}", "data: {l: [b, a]}"),
        ("data: {l: [{m: [a, b]}]}", "data: {l: [{m: [b, a]}]}"),
        (
            "programs: [{name: zz, operands: [{kind: read}, {kind: text}]}]",
            "programs: [{name: zz, operands: [{kind: text}, {kind: read}]}]",
        ),
    ],
    ids=["data that a condition reads", "data within", "operands"],
)
def test_an_order_that_decides_counts(one: str, other: str) -> None:
    """`data.l[0]` is another value then: two policies that decide differently are never one version."""
    assert version(f"version: 1\n{one}\n") != version(f"version: 1\n{other}\n")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("programs: [{name: yy}, {name: zz}]", "programs: [{name: zz}, {name: yy}]"),
        (
            "tools: {extra: [{name: a, kind: other}, {name: b, kind: other}]}",
            "tools: {extra: [{name: b, kind: other}, {name: a, kind: other}]}",
        ),
        ("data: {a: 1, b: 2}", "data: {b: 2, a: 1}"),
        ("safe_tools: [LSP, Read]", "safe_tools: [Read, LSP]"),
    ],
    ids=["programs", "tools", "data", "safe tools"],
)
def test_the_order_of_entries_does_not(one: str, other: str) -> None:
    assert version(f"version: 1\n{one}\n") == version(f"version: 1\n{other}\n")


def test_everything_that_decides_counts() -> None:
    rule = {"id": "r", "effect": "ask", "command": ["x *"]}
    variants = [
        {}, {"reason": "x"}, {"agent_message": "x"}, {"dry_run": True}, {"expires": "2026-12-31"}, {"modes": ["auto"]},
        {"agent": {"main": True}}, {"path": ["x"]}, {"path": ["x"], "access": "read"}, {"domain": ["a.b"]},
        {"input": {"x": 1}}, {"input": {"x": "1"}}, {"input": {"/x/y": "a*"}}, {"input": {"/y/x": "*a"}},
        {"input": {"x": 1}, "absent": "match"}, {"tools": ["Bash"]},
    ]  # fmt: skip
    versions = {policy(rules=[{**rule, **more}]).version for more in variants}
    versions |= {policy(rules=[rule], **more).version for more in (
        {"modes": {"default": "plan"}}, {"programs": [{"name": "zz"}]}, {"data": {"a": 1}}, {"breaker": {"total": 9}},
        {"tools": {"overrides": [{"tool": "mcp__a__b", "kind": "read"}]}}, {"workspace": {"reads": "inside"}},
        {"classifier": {"soft_block": [{"id": "x", "text": "y"}]}}, {"safe_tools": ["LSP"]},
        {"protected_paths": [{"id": "p", "path": "x", "access": "any", "effect": "ask"}]},
    )}  # fmt: skip
    assert len(versions) == len(variants) + 9
