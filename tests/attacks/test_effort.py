"""Hostile sizes: what a caller sends is judged in time and memory that don't grow faster than it."""

from __future__ import annotations

import time

import pytest

from lineclear.core.redact import redact
from support.judging import answer, call

SECONDS = 2.0
"""Of the processor. Far above what any of these takes, far below what each took as a power of its size."""

CALLS = [
    pytest.param("Bash", {"command": "x=aaaaaaaaaa; " + 'x="$x$x"; ' * 200 + 'cat "$x"'}, id="a value doubled"),
    pytest.param("Bash", {"command": "x=a; " + "x=$x$x$x; " * 160 + "cat $x"}, id="a bare value tripled"),
    pytest.param("Bash", {"command": "echo " + "{a," * 3_000}, id="braces that never close"),
    pytest.param("WebFetch", {"url": "https://" + "a." * 250_000, "prompt": "x"}, id="a host of many labels"),
    pytest.param("Read", {"file_path": "a/" * 400_000}, id="a path of many folders"),
    pytest.param("Read", {"file_path": "\ufdfa" * 200_000}, id="a path that unfolds"),
    pytest.param("apply_patch", {"input": "--- a/x\n+++ b/x\n" * 50_000}, id="a patch of many files"),
]


@pytest.mark.parametrize(("tool", "tool_input"), CALLS)
def test_a_call_is_judged_in_bounded_time(tool, tool_input):
    answer(call("Bash", {"command": "ls"}))
    begun = time.process_time()
    verdict = answer(call(tool, tool_input))
    assert time.process_time() - begun < SECONDS
    assert verdict != "allow safe_tool"


def test_names_that_look_alike_once_redacted_stay_apart_in_bounded_time():
    secrets = {f"password=hunter{n}": n for n in range(20_000)}
    begun = time.process_time()
    redacted, _ = redact(secrets)
    assert time.process_time() - begun < SECONDS
    assert sorted(redacted.values()) == list(range(20_000))


def test_a_name_that_looks_redacted_hides_no_other():
    redacted, _ = redact({"password=hunter2": "first", "password=[redacted:secret]": "second"})
    assert sorted(redacted.values()) == ["first", "second"]
    assert redact(redacted)[0] == redacted
