"""The tutorial is walked to its end, as a reader would: files written, commands run in a shell, their output seen."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.serving import ROOT, environment
from support.walk import Typed, Written, steps

PAGE = (ROOT / "docs" / "policy-tutorial.md").read_text()
PORT, DATA = "8642", "~/.local/share/lineclear"
pytestmark = pytest.mark.slow


@pytest.fixture
def typed(tmp_path, folders, start):
    """Types a command into a shell that stays; the service is started as a service of the test's own."""
    data, found = folders(), {}
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "lineclear").write_text(f'#!/bin/sh\nexec {sys.executable} -m lineclear "$@"\n')
    (programs / "lineclear").chmod(0o755)
    surroundings = environment(data, {}) | {"PATH": f"{programs}:{os.environ['PATH']}"}
    shell = subprocess.Popen(
        ["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        cwd=tmp_path / "reader", env=surroundings,
    )  # fmt: skip

    def run(command):
        if command.startswith("lineclear serve"):
            running = start("--port", "0", *command.removesuffix("&").split()[2:], data=data, cwd=tmp_path / "reader")
            found["port"] = running.url.rpartition(":")[2]
            return running.said.replace(found["port"], PORT)
        there = command.replace(f":{PORT}", f":{found.get('port')}").replace(DATA, str(data))
        shell.stdin.write(f"{there}\necho end-of-output $?\n")
        shell.stdin.flush()
        lines = []
        while not (line := shell.stdout.readline()).startswith("end-of-output"):
            assert line, "the shell ended"
            lines.append(line)
        return "".join(lines)

    yield run
    shell.stdin.close()
    shell.wait(10)
    shell.stdout.close()


@pytest.fixture(autouse=True)
def reader(tmp_path):
    (tmp_path / "reader").mkdir()
    return tmp_path / "reader"


def test_it_is_as_the_page_says(reader, typed):
    walked = 0
    for step in steps(PAGE):
        match step:
            case Written():
                step.into(reader)
            case Typed():
                output = typed(step.command)
                assert step.fits(output), f"$ {step.command}\n{output}\nbut the page says\n{step.printed}"
                walked += 1
    assert walked >= 15
