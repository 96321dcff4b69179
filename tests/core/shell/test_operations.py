"""What an operation makes of a value, as bash does it."""

from __future__ import annotations

import subprocess
from shutil import which

import pytest

from lineclear.core.shell.operations import operated

CASES = [
    ("a.tar.gz", "%.*"),
    ("a.tar.gz", "%%.*"),
    ("a.tar.gz", "#*."),
    ("a.tar.gz", "##*."),
    ("/a/b/c", "%/*"),
    ("/a/b/c", "##*/"),
    ("aXbXc", "/X/-"),
    ("aXbXc", "//X/-"),
    ("aXbXc", "//X"),
    ("aXbX", "/%X/-"),
    ("XaX", "/#X/-"),
    ("abc", "^"),
    ("abc", "^^"),
    ("ABC", ","),
    ("ABC", ",,"),
    ("abcdef", ":2"),
    ("abcdef", ":1:3"),
    ("abc", ":-x"),
    ("abc", "-x"),
    ("abc", ":+x"),
    ("abc", ":=x"),
    ("abc", "?x"),
    ("a.c", "%.?"),
    ("abc", "%x"),
    ("abab", "%a*"),
    ("abab", "%%a*"),
]


@pytest.mark.skipif(which("bash") is None, reason="there is no bash to compare with")
@pytest.mark.parametrize(("value", "operation"), CASES, ids=[f"{value}{operation}" for value, operation in CASES])
def test_as_bash(value, operation):
    ran = subprocess.run(
        ["bash", "-c", f"v='{value}'; printf %s \"${{v{operation}}}\""], capture_output=True, text=True, check=True
    )
    assert operated(value, operation) == ran.stdout


@pytest.mark.parametrize(("operation", "result"), [(":-x", "x"), ("-x", "x"), (":+x", "x"), ("%x", None), (":1", None)])
def test_of_a_variable_that_may_be_unset(operation, result):
    assert operated(None, operation) == result


@pytest.mark.parametrize("operation", ["@P", "%[a]*", "/(a)/b", "!"])
def test_what_is_not_simple_is_not_told(operation):
    assert operated("aaa", operation) is None


@pytest.mark.parametrize("operation", ["%a", "/a/b", "//\ud800/b"])
def test_half_a_character_is_no_text(operation):
    assert operated("\ud800a", operation) is None
