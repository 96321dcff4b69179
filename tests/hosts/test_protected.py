"""Where `install` writes, and the shim itself: an agent that writes there is asked about, in every mode."""

from __future__ import annotations

import pytest

from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.plans import Way, plan, scopes
from support.judging import answer, call

WAY = Way(("python3", "-I", "-S", "/opt/lineclear/lineclear_hook.py"), ("--url", "http://127.0.0.1:8642"), "ask")
FILES = sorted(
    step.file.replace("~/", "/home/dev/").replace("./", "/work/repo/")
    for host in HOSTS
    for scope in scopes(host)
    for step in plan(host, scope, WAY).steps
)


@pytest.mark.parametrize("mode", ["acceptEdits", "default"])
@pytest.mark.parametrize("file", [*FILES, "/opt/lineclear/lineclear_hook.py", "/work/repo/service/lineclear_hook.py"])
def test_hook_entries_are_protected(file, mode):
    for tool, given in (("Write", {"file_path": file, "content": "x"}), ("Bash", {"command": f"echo x > '{file}'"})):
        assert answer(call(tool, given, permission_mode=mode)) == "ask protected_path"
