"""The numbered points of the policy format, each by cases that name it: what a clause means, and where it ends."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lineclear.policyfiles.cases import read
from lineclear.policyfiles.trying import Bench
from support.judging import ROOT

POINTS = range(1, 24)
LEAST = 5
FILES = sorted((Path(__file__).parent / "points").glob("*.yaml"))


@pytest.fixture(scope="module")
def bench():
    return Bench(ROOT / "policies", ROOT / "policies" / "builtin")


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_point(bench, file):
    failed = [f"{one.case.id}: {one.expected} but {one.got}" for one in bench.run(read(file)).failed]
    assert failed == []


def test_each_point_has_enough_cases_that_name_it():
    named = Counter(case.id[:8] for file in FILES for case in read(file))
    assert set(named) == {f"point-{number:02d}" for number in POINTS}
    assert [name for name, cases in named.items() if cases < LEAST] == []


def test_each_point_has_cases_that_are_held_up_and_cases_that_are_not():
    """A matcher that always matches, or never does, fails every point that is about matching."""
    for file in FILES:
        verdicts = {case.expected.verdicts for case in read(file) if case.expected is not None}
        assert len(verdicts) > 1, file.stem
