"""Each recipe loads, gives the lint nothing to say, and decides as its cases expect."""

from __future__ import annotations

import re

import pytest

from lineclear.policyfiles import cases, sources
from lineclear.policyfiles.compiling import examined
from lineclear.policyfiles.lint.run import lint
from lineclear.policyfiles.trying import Bench
from support.judging import ROOT
from support.rulings import BUILTIN, TODAY, shipped

PAGE = (ROOT / "docs" / "cookbook.md").read_text()
RECIPES = re.findall(r"^## (.+?)\n.*?```yaml\n(.*?)```\n\n```yaml\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)


def test_there_are_a_dozen():
    assert len(RECIPES) == len(re.findall(r"^## ", PAGE, re.MULTILINE)) >= 12


@pytest.mark.parametrize(("policy", "tests"), [recipe[1:] for recipe in RECIPES], ids=[one[0] for one in RECIPES])
def test_a_recipe(tmp_path, policy, tests):
    assert lint(examined(shipped(), (sources.of_text(policy),)), TODAY) == ()
    (tmp_path / "organisation").mkdir()
    (tmp_path / "organisation" / "recipe.yaml").write_text(policy)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "cases.yaml").write_text(tests)
    report = Bench(tmp_path, BUILTIN).run(cases.read(tmp_path / "tests" / "cases.yaml"))
    assert [(one.case.id, one.got) for one in report.failed] == []
    assert report.tried
