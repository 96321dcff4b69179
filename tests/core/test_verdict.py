from __future__ import annotations

import itertools

import pytest

from lineclear.core.verdict import Verdict, strictest


def test_the_strictest_is_the_greatest():
    assert Verdict.ALLOW < Verdict.ASK < Verdict.DENY


def test_a_verdict_has_no_truth_value():
    with pytest.raises(TypeError, match="truth value"):
        bool(Verdict.DENY)


@pytest.mark.parametrize("several", list(itertools.permutations(Verdict)))
def test_strictest_ignores_order(several):
    assert strictest(several) is Verdict.DENY


def test_no_evidence_is_no_allow():
    assert strictest([]) is Verdict.ASK
