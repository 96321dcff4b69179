from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.rules.globs import Glob

TEXTS = st.text(alphabet="ab*", max_size=8)


@given(TEXTS, st.text(alphabet="ab", max_size=8))
def test_a_star_is_any_run_of_characters(pattern: str, text: str) -> None:
    expression = ".*".join(re.escape(piece) for piece in pattern.split("*"))
    assert Glob.of(pattern).matches(text) is bool(re.fullmatch(expression, text))


@given(TEXTS, TEXTS, st.text(alphabet="ab", max_size=6))
def test_two_patterns_that_fit_one_text_meet(one: str, other: str, text: str) -> None:
    if Glob.of(one).matches(text) and Glob.of(other).matches(text):
        assert Glob.of(one).meets(Glob.of(other))


@pytest.mark.parametrize(("one", "other"), [("a*", "b*"), ("*a", "*b"), ("ab", "a"), ("a*b", "a")])
def test_patterns_that_share_no_text_do_not_meet(one: str, other: str) -> None:
    assert not Glob.of(one).meets(Glob.of(other))


def test_many_stars_on_a_hostile_text_stay_quick() -> None:
    glob, text = Glob.of("*a" * 500 + "*b"), "a" * 200_000
    begun = time.perf_counter()
    assert not glob.matches(text)
    assert time.perf_counter() - begun < 0.5
