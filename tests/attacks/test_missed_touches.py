"""Ways of touching a protected path that are known and not yet seen."""

from __future__ import annotations

import pytest

from support.judging import answer, call


@pytest.mark.xfail(strict=True, reason="core/arguments.py: a search's pattern isn't read below its folder")
def test_a_search_for_one_file_in_a_folder_reads_that_file():
    assert answer(call("Grep", {"pattern": "x", "path": "/etc", "glob": "shadow"})) == "deny deny_rule"
