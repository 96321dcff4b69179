from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.breaker import Breaker, Limits, OpenedBy

LIMITS = Limits()


CLOSED = Breaker()


def after(steps, breaker=CLOSED):
    apply = {"d": lambda b: b.denied(LIMITS), "a": Breaker.allowed, "r": Breaker.reset}
    return reduce(lambda state, step: apply[step](state), steps, breaker)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("", Breaker()),
        ("dd", Breaker(2, 2)),
        ("ddd", Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)),
        ("ddad", Breaker(1, 3)),
        ("dddd", Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)),
        ("ddda", Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)),
        ("dddr", Breaker(0, 3, None, 1)),
        ("dda" * 9 + "dd", Breaker(2, 20, OpenedBy.TOTAL, 1)),
        ("dda" * 9 + "ddr", Breaker(0, 0, None, 1)),
        ("da" * 17 + "ddd", Breaker(3, 20, OpenedBy.TOTAL, 1)),
    ],
)
def test_steps(steps, expected):
    assert after(steps) == expected


def test_an_approval_closes_only_the_opening_that_it_was_given_for():
    first = after("ddd")
    second = after("ddd", first.approved(1))
    assert first.approved(1) == Breaker(0, 3, None, 1)
    assert second.opening == 2
    assert second.approved(1) == second


@given(st.text(alphabet="dar", max_size=80))
def test_it_is_open_exactly_when_a_limit_was_reached_since_it_was_closed(steps):
    breaker = after(steps)
    assert breaker.open == (breaker.consecutive >= LIMITS.consecutive or breaker.total >= LIMITS.total)
