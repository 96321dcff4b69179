"""`install` on a disk: backups, links, modes, the way back."""

from __future__ import annotations

import os
import stat

import pytest

from lineclear.cli.configured import _write, undone, written
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.plans import Way, plan, scopes
from lineclear.hosts.setup.tree import Unfit

WAY = Way(("python3", "-I", "-S", "/opt/lineclear_hook.py"), ("--socket", "/run/lc.sock", "--key-file", "/k"), "ask")
OTHER = Way(WAY.shim, WAY.reach, "block")
MINE = '{\n  "model": "opus", // mine\n}\n'


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def everything(folder):
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("host", HOSTS)
def test_there_and_back_leaves_no_trace(host, home, project):
    for scope in scopes(host):
        if scope == "managed":
            continue
        planned = plan(host, scope, WAY)
        assert written(planned, home, project, pretend=False)
        assert written(planned, home, project, pretend=False) == ()
        assert undone(planned, home, project)
        assert everything(home) == everything(project) == {}


def test_what_was_there_is_restored(home, project):
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(MINE)
    file.chmod(0o640)
    planned = plan("claude-code", "user", WAY)
    written(planned, home, project, pretend=False)
    assert '"model": "opus", // mine' in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    undone(planned, home, project)
    assert everything(home) == {".claude/settings.json": MINE}


def test_after_an_edit_only_ours_is_taken_out(home, project):
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(MINE)
    planned = plan("claude-code", "user", WAY)
    written(planned, home, project, pretend=False)
    file.write_text(file.read_text().replace("opus", "sonnet"))
    undone(planned, home, project)
    assert file.read_text() == MINE.replace("opus", "sonnet")


def test_other_options_keep_the_first_backup(home, project):
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(MINE)
    written(plan("claude-code", "user", WAY), home, project, pretend=False)
    (change,) = written(plan("claude-code", "user", OTHER), home, project, pretend=False)
    assert change.backup is None
    assert "--fail block" in file.read_text()
    assert "--fail ask" not in file.read_text()
    undone(plan("claude-code", "user", OTHER), home, project)
    assert everything(home) == {".claude/settings.json": MINE}


def test_a_link_stays_a_link(home, project):
    target = home / "dotfiles.json"
    target.write_text(MINE)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(target)
    planned = plan("claude-code", "user", WAY)
    written(planned, home, project, pretend=False)
    assert "lineclear_hook" in target.read_text()
    undone(planned, home, project)
    assert (home / ".claude" / "settings.json").is_symlink()
    assert target.read_text() == MINE


def test_a_link_that_leads_nowhere_does_so_again(home, project):
    (home / ".claude").mkdir()
    file = home / ".claude" / "settings.json"
    file.symlink_to(home / "dotfiles.json")
    planned = plan("claude-code", "user", WAY)
    written(planned, home, project, pretend=False)
    assert "lineclear_hook" in (home / "dotfiles.json").read_text()
    undone(planned, home, project)
    assert file.is_symlink()
    assert everything(home) == {}


def test_print_writes_nothing(home, project):
    (change,) = written(plan("codex", "user", WAY), home, project, pretend=True)
    assert "--event PreToolUse" in change.text
    assert everything(home) == {}


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe{}", b"[]"])
def test_a_broken_file_is_left_alone(home, project, content):
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(Unfit, match=r"settings\.json"):
        written(plan("claude-code", "user", WAY), home, project, pretend=False)
    assert file.read_bytes() == content


def test_a_file_of_somebody_else_is_not_replaced(home, project):
    file = home / ".config" / "opencode" / "plugin" / "lineclear.js"
    file.parent.mkdir(parents=True)
    file.write_text("// mine")
    with pytest.raises(Unfit, match="isn't ours"):
        written(plan("opencode", "user", WAY), home, project, pretend=False)
    assert undone(plan("opencode", "user", WAY), home, project) == ()
    assert file.read_text() == "// mine"


def test_hooks_that_fail_block_unless_a_person_chose_otherwise():
    (step,) = plan("claude-code", "user", WAY).steps
    assert step.entries["hooks", "PreToolUse"]["hooks"][0]["onFailure"] == "block"
    (step,) = plan("cursor", "user", WAY).steps
    assert step.entries["hooks", "beforeShellExecution"]["failClosed"] is True
    (step,) = plan("claude-code", "user", Way(WAY.shim, WAY.reach, "open")).steps
    assert "onFailure" not in step.entries["hooks", "PreToolUse"]["hooks"][0]


@pytest.mark.parametrize(
    ("fail", "event", "expected"),
    [
        ("ask", "beforeShellExecution", "ask"),
        ("ask", "beforeMCPExecution", "ask"),
        ("ask", "beforeReadFile", "block"),
        ("ask", "preToolUse", "block"),
        ("open", "preToolUse", "open"),
        ("block", "beforeShellExecution", "block"),
        ("ask", "sessionEnd", "pass"),
    ],
)
def test_a_hook_asks_only_where_cursor_is_known_to(fail, event, expected):
    (step,) = plan("cursor", "user", Way(WAY.shim, WAY.reach, fail)).steps
    assert step.entries["hooks", event]["command"].endswith(f"--event {event} --fail {expected}")


def test_an_executable_is_one(home, project):
    written(plan("cline", "user", WAY), home, project, pretend=False)
    file = home / "Documents" / "Cline" / "Hooks" / "PreToolUse"
    assert stat.S_IMODE(file.stat().st_mode) == 0o755
    assert file.read_text().startswith("#!/bin/sh\nexec python3 -I -S")


ALONE = {
    "cline": "Documents/Cline/Hooks/PreToolUse",
    "copilot-cli": ".copilot/hooks/lineclear.json",
    "kiro": ".kiro/hooks/lineclear.json",
    "opencode": ".config/opencode/plugin/lineclear.js",
}
NEWER = Way(("/opt/venv/bin/python", "-I", "-S", "/opt/new place/lineclear_hook.py"), WAY.reach, "block")


@pytest.mark.parametrize("host", ALONE)
def test_a_file_that_is_ours_alone_is_brought_up_to_date(host, home, project):
    written(plan(host, "user", WAY), home, project, pretend=False)
    for backup in home.rglob("*.lineclear-*"):
        backup.unlink()
    assert written(plan(host, "user", NEWER), home, project, pretend=False)
    assert "new place" in (home / ALONE[host]).read_text()
    assert undone(plan(host, "user", NEWER), home, project)
    assert everything(home) == {}


@pytest.mark.parametrize("host", ALONE)
def test_one_that_somebody_has_added_to_is_theirs(host, home, project):
    """As the page of Cline says that a script may: it calls our hook, and does more."""
    written(plan(host, "user", WAY), home, project, pretend=False)
    file = home / ALONE[host]
    text = file.read_text()
    edited = text.replace("{\n", '{\n  "mine": 1,\n', 1) if file.suffix == ".json" else f"{text}\n// mine\n"
    file.write_text(edited)
    with pytest.raises(Unfit, match="isn't ours"):
        written(plan(host, "user", NEWER), home, project, pretend=False)
    changes = undone(plan(host, "user", NEWER), home, project)
    assert [change.what for change in changes if change.file == file] == ["left alone, since somebody has edited it:"]
    assert file.read_text() == edited


def test_what_a_machine_has_for_all_can_be_read_by_all(tmp_path, monkeypatch):
    monkeypatch.setattr("lineclear.cli.configured._ALL_USERS", str(tmp_path))
    file = tmp_path / "claude-code" / "managed-settings.json"
    _write(file, "{}", executable=False)
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes files of others")
def test_a_file_keeps_its_owner(home, project):
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(MINE)
    os.chown(file, 1234, 5678)
    written(plan("claude-code", "user", WAY), home, project, pretend=False)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 5678)
