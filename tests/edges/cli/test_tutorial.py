"""The tutorial as far as no service is needed: each file written, each command run, its output as the page says."""

from __future__ import annotations

import re
import shlex

import typer

from lineclear.cli import composed
from support.judging import ROOT
from support.walk import Typed, Written, steps

PAGE = (ROOT / "docs" / "policy-tutorial.md").read_text()
REFERENCE = (ROOT / "docs" / "policies.md").read_text()


def test_it_is_as_the_page_says(lineclear, tmp_path):
    walked = 0
    for step in steps(PAGE):
        if isinstance(step, Written):
            step.into(tmp_path)
        elif isinstance(step, Typed) and step.command.startswith("lineclear serve"):
            break
        elif step.command.startswith("lineclear "):
            _, output, told = lineclear(*shlex.split(step.command)[1:])
            assert step.fits(output + told), f"$ {step.command}\n{output}{told}\nbut the page says\n{step.printed}"
            walked += 1
    assert walked >= 5


def test_every_command_is_there_and_explained():
    app = typer.main.get_command(composed("policy")).commands["policy"]
    named = set(re.findall(r"lineclear policy ([a-z]+)", PAGE + REFERENCE))
    assert named == set(app.commands)
    for name in app.commands:
        assert f"| `lineclear policy {name}" in REFERENCE
