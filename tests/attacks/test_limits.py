"""Denials that are known to be missed: each is a limit that is stated, and becomes an error here once it is mended."""

from __future__ import annotations

import pytest

from support.judging import answer, call

ORGANISATION = """version: 1
modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}
permissions: {deny: ["Read(secret/**)", "Bash(git push --force *)"]}
"""
MISSED = {
    "cd secre? && cat a": "a directory that is a pattern is one that nobody knows",
    "d=secretx; cat ${d%x}/a": "what an operation makes of a value isn't computed",
    "d=SECRET; cat ${d,,}/a": "what an operation makes of a value isn't computed",
    "OLDPWD=secret; cd - && cat a": "where the shell was before isn't known",
    "git cat-file --batch <<< HEAD:secret/a": "what such a program is told on its input isn't read",
    "tar -T <(echo secret/a) -cf -": "a list of files that another command prints isn't read",
    "awk -v f=secret/a 'BEGIN {while ((getline l < f) > 0) print l}'": "a script's own variables aren't followed",
    "python3 -c 'import os; os.system(\"git push -f\")'": "what an interpreter does inside isn't seen",
}


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=pytest.mark.xfail(strict=True, reason=why)) for one, why in MISSED.items()]
)
def test_what_is_denied_is_seen(command):
    asked = call("Bash", {"command": command}, permission_mode="bypassPermissions")
    assert answer(asked, ORGANISATION) == "deny deny_rule"
