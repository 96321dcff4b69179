"""Shell commands and the answers to them, as cases: what a reviewer reads to see what denials and proofs reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineclear.policyfiles.cases import read
from lineclear.policyfiles.trying import Bench
from support.judging import ROOT

FOLDER = Path(__file__).parent / "shell"
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.fixture(scope="module")
def bench():
    return Bench(FOLDER / "policies", ROOT / "policies" / "builtin")


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_each_is_answered_so(bench, file):
    failed = [f"{one.case.id}: {one.expected} but {one.got}" for one in bench.run(read(file)).failed]
    assert failed == []
