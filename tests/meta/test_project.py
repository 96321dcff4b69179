"""What holds for the project as a whole."""

from __future__ import annotations

import subprocess

import pytest

from support.judging import ROOT

TRACKED = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
MODULES = [name for name in TRACKED if name.startswith("service/") and name.endswith(".py")]


@pytest.mark.skipif(not TRACKED, reason="not a git checkout")
def test_every_module_begins_with_its_law():
    bare = [name for name in MODULES if (text := (ROOT / name).read_text().strip()) and not text.startswith('"""')]
    assert bare == []


@pytest.mark.skipif(not TRACKED, reason="not a git checkout")
def test_no_module_is_longer_than_a_reader_s_patience():
    assert [name for name in MODULES if len((ROOT / name).read_text().splitlines()) > 300] == []
