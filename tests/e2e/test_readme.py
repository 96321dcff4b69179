"""The README's own lines, as somebody would paste them, give the verdicts that stand behind them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from support.judging import ROOT

README = (ROOT / "README.md").read_text()
LINES = re.findall(r"^(ask '.+?')\s+# (allow|ask|deny) ([a-z_]+)$", README, re.MULTILINE)
FUNCTION = next(line for line in README.splitlines() if line.startswith("ask() "))

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")


@pytest.fixture(scope="module")
def service(start):
    return start()


@pytest.mark.parametrize(("line", "verdict", "code"), LINES, ids=[f"{number}" for number in range(1, len(LINES) + 1)])
def test_line(service, line, verdict, code):
    setup = FUNCTION.replace("http://127.0.0.1:8642", service.url)
    script = f"KEY=$(cat {service.data}/keys/host.key)\n{setup}\n{line}"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=30, check=True)
    answer = json.loads(run.stdout)
    assert (answer["verdict"], answer["code"]) == (verdict, code)


def test_there_are_lines_for_each_verdict():
    assert {verdict for _, verdict, _ in LINES} == {"allow", "ask", "deny"}
