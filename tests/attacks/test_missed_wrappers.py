"""Ways of starting a command that are known and not yet seen by denials."""

from __future__ import annotations

import pytest

from support.judging import answer, call

ORGANISATION = """version: 1
modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}
permissions: {deny: ["Bash(git push --force *)"]}
"""


def missed(command, where):
    return pytest.param(command, marks=pytest.mark.xfail(strict=True, reason=where))


COMMANDS = [
    missed("bash +O extglob -c 'git push -f'", "shell/bind.py: an option behind a plus takes no value"),
    missed("bash -s -- x <<< 'git push -f'", "shell/wrapped.py: input is a script only without operands"),
    missed("bash - <<< 'git push -f'", "shell/wrapped.py: input is a script only without operands"),
    missed("bash -c '\"$@\"' _ git push -f", "shell/wrapped.py: a script's own operands aren't its parameters"),
    missed("env -S 'git push' -f", "shell/wrapped.py: what follows a split text isn't joined to it"),
    missed("git bisect run git push -f", "git.yaml: `bisect run` takes a command"),
    missed("git filter-branch --tree-filter 'git push -f'", "git.yaml: a filter is a script"),
    missed("tmux new -d 'git push -f'", "administration.yaml: `new` takes a command"),
    missed("direnv exec . git push -f", "packages.yaml: `exec` takes a folder, then a command"),
    missed("docker exec x git push -f", "containers.yaml: the words behind the container are a command"),
    missed("ssh host git push -f", "network.yaml: the words behind the host are a command"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_behind_is_found(command):
    asked = call("Bash", {"command": command}, permission_mode="bypassPermissions")
    assert answer(asked, ORGANISATION) == "deny deny_rule"
