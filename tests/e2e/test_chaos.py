"""A few rounds of `make chaos`: what is killed and cut costs no answer its record, and no counter its truth."""

from __future__ import annotations

import pytest
from benchmarks.chaos import faults
from benchmarks.chaos.rounds import run

SHORT = (faults.service_killed, faults.postgres_killed, faults.line_cut)


@pytest.mark.parametrize("made", [SHORT], ids=["a service, the database and a line"])
async def test_every_answer_is_in_the_log_and_every_counter_is_what_the_log_implies(made):
    done = await run(made, seed=7, callers=8, calm_s=0.5)
    assert done.faults == []
    assert len(done.tally.answers) > 50
    assert done.found.openings
    assert len(done.recoveries) == len(made)
