"""Ways of touching a protected path that are known and not yet seen."""

from __future__ import annotations

import pytest

from support.judging import answer, call

BYPASS = "version: 1\nmodes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}\n"


def missed(command, where):
    return pytest.param(command, marks=pytest.mark.xfail(strict=True, reason=where))


COMMANDS = [
    missed("cd evil && cp --parents .git/hooks/x ..", "files.yaml: `--parents` keeps the folders of each source"),
    missed("cpio -id -D .git", "archives.yaml: the folder of `-D` is written"),
    missed("git bundle create .git/x HEAD", "git.yaml: the file of `bundle create` is written"),
    missed("perl -i -pe s/a/b/ .git/config", "interpreters.yaml: `-i` writes the operands"),
    missed("awk -i inplace '{ print }' .git/config", "search.yaml: `-i inplace` writes the operands"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_protected_path_is_a_question(command):
    asked = call("Bash", {"command": command}, permission_mode="bypassPermissions")
    assert answer(asked, BYPASS) == "ask protected_path"


@pytest.mark.xfail(strict=True, reason="core/arguments.py: a search's pattern isn't read below its folder")
def test_a_search_for_one_file_in_a_folder_reads_that_file():
    assert answer(call("Grep", {"pattern": "x", "path": "/etc", "glob": "shadow"})) == "deny deny_rule"
