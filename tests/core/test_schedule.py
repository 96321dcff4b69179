from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.schedule import schedule


@pytest.mark.parametrize(
    ("safe", "groups"),
    [
        ("", []),
        ("s", [[0]]),
        ("w", [[0]]),
        ("ssw", [[0, 1], [2]]),
        ("wws", [[0], [1], [2]]),
        ("swss", [[0], [1], [2, 3]]),
    ],
)
def test_groups(safe, groups):
    assert schedule([letter == "s" for letter in safe]) == groups


@given(st.lists(st.booleans()))
def test_every_call_runs_once_in_order_and_a_writing_one_alone(safe):
    groups = schedule(safe)
    assert [index for group in groups for index in group] == list(range(len(safe)))
    assert all(len(group) == 1 or all(safe[index] for index in group) for group in groups)
