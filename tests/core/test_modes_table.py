"""Six modes by eleven kinds of call: the table in the documentation, cell by cell."""

from __future__ import annotations

import pytest

from support.judging import ROOT, answer, call

DOC = ROOT / "docs" / "how-a-call-is-decided.md"
EVERY_MODE = "modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}\n"
DESTROYER = "tools: {overrides: [{tool: mcp__db__drop, destructive: true}]}\n"

CALLS = {
    "safe tool": (call("Read", {"file_path": "/work/repo/README.md"}), ""),
    "read-only command": (call("Bash", {"command": "ls -la src"}), ""),
    "edit in the workspace": (
        call("Edit", {"file_path": "/work/repo/a.py", "old_string": "a", "new_string": "b"}),
        "",
    ),
    "write to a protected path": (
        call("Write", {"file_path": "/work/repo/.git/config", "content": "x"}),
        "permissions: {allow: [Edit]}\n",
    ),
    "deny rule": (
        call("Bash", {"command": "git push origin main"}),
        "permissions: {deny: [Bash(git push *)], ask: [Bash(git *)], allow: [Bash]}\n",
    ),
    "ask rule": (
        call("Bash", {"command": "git log -3"}),
        "permissions: {ask: [Bash(git log *)], allow: [Bash(git log *)]}\n",
    ),
    "allow rule": (call("Bash", {"command": "npm test"}), "permissions: {allow: [Bash(npm test)]}\n"),
    "critical removal": (call("Bash", {"command": "rm -rf ~"}), "permissions: {allow: [Bash(rm *)]}\n"),
    "destructive tool": (call("mcp__db__drop", {"name": "x"}), DESTROYER + "permissions: {allow: [mcp__db__drop]}\n"),
    "control tool": (call("ExitPlanMode", {"plan": "1. read"}, agent={"host": "claude-code"}), ""),
    "unknown tool": (call("Frobnicate", {"x": 1}), ""),
}


def table():
    """(row, mode, cell) for each cell of the table in the documentation."""
    lines = [line for line in DOC.read_text().splitlines() if line.startswith("| ")]
    start = next(index for index, line in enumerate(lines) if line.startswith("| call |"))
    modes = [cell.strip() for cell in lines[start].strip("|").split("|")][1:]
    for line in lines[start + 2 : start + 2 + len(CALLS)]:
        row, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        yield from ((row, mode, cell.replace("`", "")) for mode, cell in zip(modes, cells, strict=True))


CELLS = list(table())


def test_every_call_has_a_cell_for_every_mode():
    assert {row for row, _, _ in CELLS} == set(CALLS)
    assert len(CELLS) == 66


@pytest.mark.parametrize(("row", "mode", "expected"), CELLS, ids=[f"{row}, {mode}" for row, mode, _ in CELLS])
def test_cell(row, mode, expected):
    request, organisation = CALLS[row]
    assert answer(request | {"permission_mode": mode}, f"version: 1\n{EVERY_MODE}{organisation}") == expected
