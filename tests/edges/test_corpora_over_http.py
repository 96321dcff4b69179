"""Real input over HTTP gets verdicts, never errors, and not always the same one. The whole of it: ``make corpora``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks import given
from benchmarks.distribution import realinput, table
from benchmarks.distribution.__main__ import answered
from benchmarks.service import serving

CORPORA = given.corpora()
DOCUMENT = Path(__file__).parents[2] / "docs" / "distribution.md"
EACH = 20
pytestmark = pytest.mark.skipif(
    not (CORPORA / realinput.CALLS).exists(), reason=f"no corpora in {CORPORA}; set LINECLEAR_CORPORA"
)


@pytest.fixture(scope="module")
def service():
    with serving() as running:
        yield running


def test_a_sample_of_real_input_gets_verdicts(service):
    asked = realinput.all_requests(CORPORA)
    found = list(answered(service, [*realinput.payloads(CORPORA), *asked[::EACH]]))
    assert len(found) > len(asked) // EACH
    assert [one for one in found if not one.decided] == []
    assert {one.answer["verdict"] for one in found} >= {"allow", "ask"}


@pytest.mark.slow
def test_all_real_input_gets_verdicts_and_those_that_were_checked_by_hand_are_unchanged(service):
    found = list(answered(service, realinput.all_requests(CORPORA)))
    assert [one for one in found if not one.decided] == []
    assert {one.answer["verdict"] for one in found} >= {"allow", "ask"}
    now = {one.asked.row: (one.answer["verdict"], one.answer["code"]) for one in found}
    checked = re.findall(r"^\| (\S+) \| .* \| (allow|ask|deny) \| `(\w+)` \|", DOCUMENT.read_text(), re.MULTILINE)
    assert len(checked) == 100
    changed = {row: (verdict, code, now[row]) for row, verdict, code in checked if now.get(row) != (verdict, code)}
    assert changed == {}, "look at them, and correct docs/distribution.md"


def test_the_calls_to_be_checked_are_the_same_at_every_run_and_show_every_code():
    def one(row, code):
        body = {"tool_name": f"tool{row % 40}", "tool_input": {"|`": 1}}
        return table.Answered(realinput.Asked("big", "g", str(row), body), 200, {"verdict": "ask", "code": code})

    rows = [one(row, "rare" if row == 777 else "often") for row in range(1000)]
    chosen = table.chosen(rows, 30)
    assert chosen == table.chosen(rows, 30)
    assert len(chosen) == 30
    assert {each.answer["code"] for each in chosen} == {"rare", "often"}
    assert all(line.count("|") == 6 + line.count("\\|") for line in table.each(chosen))
