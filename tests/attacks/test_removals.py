"""What is removed is judged where it is removed: from where the call starts, and from where its own part runs."""

from __future__ import annotations

import pytest

from support.judging import in_bypass

CRITICAL = [
    "cd src && find . -delete",
    "cd src && rm -rf *",
    "cd src && rm -rf .",
    "cd src && rm -rf ..",
    "cd / && rm -rf *",
    "cd /; rm -rf .",
    "cd .. && rm -rf *",
    "cd ..; rm -rf repo",
    "cd ~ && rm -rf *",
    "cd && find . -delete",
    "cd /work && mv repo x",
    "cd src; cd ..; cd ..; rm -rf repo",
    "(cd / && rm -rf *)",
    "sh -c 'cd / && rm -rf *'",
    "env -C / rm -rf usr",
    "cd /nowhere; rm -rf *",
    'cd "$x" && rm -rf *',
    "echo / | xargs rm -rf",
    "printf '%s' / | xargs rm -rf",
    "find . | xargs rm -rf",
    "ls -a | xargs rm -rf",
    "for i in / ~; do rm -rf $i; done",
    "x=/; rm -rf $x",
    "rm -rf /$x",
    "ssh host rm -rf /",
    "docker run -v /:/host alpine rm -rf /host",
    "kubectl exec p -- rm -rf /",
    "tmux new -d 'rm -rf ~'",
    "watchexec -- rm -rf ~",
    "echo 'rm -rf ~' | sh",
    "sh -c 'rm -rf \"$1\"' _ /",
]
NOT_CRITICAL = [
    "rm -rf build dist",
    "cd src && rm -rf build",
    "cd /tmp && rm -rf *",
    "cd /tmp && rm -rf x",
    "find . -name '*.pyc' -delete",
    "cd src && find . -name __pycache__ -exec rm -rf {} +",
    "echo 'rm -rf /'",
    "git clean -n",
]


@pytest.mark.parametrize("command", CRITICAL)
def test_what_can_not_be_replaced_is_a_question(command):
    assert in_bypass(command) == "ask critical_path"


@pytest.mark.parametrize("command", NOT_CRITICAL)
def test_a_named_part_of_it_is_none(command):
    assert in_bypass(command) == "allow bypass_mode"
