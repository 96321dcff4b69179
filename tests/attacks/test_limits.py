"""Denials that are known to be missed: each is a limit that is stated, and becomes an error here once it is mended."""

from __future__ import annotations

import pytest

from support.judging import in_bypass

PERMISSIONS = 'permissions: {deny: ["Read(secret/**)", "Bash(git push --force *)"]}'
MISSED = {
    "d=secret; cat ${d:0:$n}ret/a": "an operation with an operand that isn't known isn't computed",
    "for d in secret 1 2 3 4 5 6 7 8 9 10 11 12; do cat $d/a; done": "of many values the last few are tried",
    "awk -v f=secret/a 'BEGIN {while ((getline l < f) > 0) print l}'": "a script's own variables aren't followed",
    "python3 -c 'import os; os.system(\"git push -f\")'": "what an interpreter does inside isn't seen",
}


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=pytest.mark.xfail(strict=True, reason=why)) for one, why in MISSED.items()]
)
def test_what_is_denied_is_seen(command):
    assert in_bypass(command, PERMISSIONS) == "deny deny_rule"
