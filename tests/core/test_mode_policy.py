from __future__ import annotations

import pytest

from lineclear.core.modes import Mode, ModePolicy

D, P, A, X, B, E = Mode.DEFAULT, Mode.PLAN, Mode.AUTO, Mode.DONT_ASK, Mode.BYPASS, Mode.ACCEPT_EDITS


@pytest.mark.parametrize(
    ("wish", "allowed", "effective"),
    [
        (B, {D, P, E, A, X}, A),
        (B, {D, P}, D),
        (A, {D, E}, E),
        (P, {D, X}, X),
        (X, {D}, X),
        (P, {D}, X),
        (D, {D, P}, D),
        (E, {P, B}, P),
    ],
)
def test_a_wish_falls_to_the_nearest_stricter_allowed_mode(wish, allowed, effective):
    assert ModePolicy(D, frozenset(allowed)).effective(wish, may_loosen=True) is effective


@pytest.mark.parametrize(
    ("default", "wish", "effective"), [(D, B, D), (D, A, D), (D, P, P), (A, E, E), (A, X, X), (P, D, P)]
)
def test_an_agent_is_heard_only_where_it_is_stricter(default, wish, effective):
    policy = ModePolicy(default, frozenset(Mode))
    assert policy.effective(wish, may_loosen=False) is effective


def test_without_a_wish_the_default_holds_even_if_it_is_not_allowed():
    assert ModePolicy(D, frozenset({P})).effective(None, may_loosen=True) is P
