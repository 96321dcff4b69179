"""The shipped descriptions hold by their own examples, and the code names no program."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import lineclear.core.shell
from core.shell.conftest import shipped
from lineclear.core.shell.describe import check_examples

PROGRAMS = shipped()
GRAMMAR = {"-", ".", ":", "[", "[[", "command", "time", "coproc", "noglob", "nocorrect", "n", "v", "q"}
SCHEMA = {"kind", "last", "more", "symbols", "read", "write", "code", "host", "test", "tree", "chdir", "dash"}
LANGUAGES = {"awk", "sed", "jq", "break", "continue", "exit", "log", "next", "printf", "return", "split"}
VARIABLES = {"cat", "manpath", "watch"}
SOURCES = sorted(Path(lineclear.core.shell.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("one", PROGRAMS, ids=lambda one: one.name)
def test_examples_hold(programs, one):
    assert one.not_read_only, "each description says by example what it doesn't prove"
    assert check_examples(one, programs) == []


def test_no_name_is_described_twice():
    names = [name for one in PROGRAMS for name in (one.name, *one.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_the_code_names_no_program(programs, source):
    tree = ast.parse(source.read_text())
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    }
    assert not (texts & programs.names) - GRAMMAR - SCHEMA - LANGUAGES - VARIABLES
