"""Writing to `.git/`, `.claude/` or `.vscode/`: a question in `bypassPermissions`, a denial in `dontAsk`."""

from __future__ import annotations

import pytest

from support.judging import ENVIRONMENT, answer, call

ALL = (
    "version: 1\n"
    "modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}\n"
    "permissions: {allow: [Bash, Edit, Read, mcp__files__*]}\n"
)
NAMES = {".git": "config", ".claude": "settings.json", ".vscode": "tasks.json"}


def ways(folder, name):
    path = f"/work/repo/{folder}/{name}"
    behind_link = ENVIRONMENT | {"resolved_paths": {"/work/repo/innocent": path}}
    return {
        "file tool": call("Write", {"file_path": path, "content": "x"}),
        "edit tool": call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}),
        "redirect": call("Bash", {"command": f"echo x > {folder}/{name}"}),
        "appending redirect": call("Bash", {"command": f"printf x >> ./{folder}/{name}"}),
        "cp": call("Bash", {"command": f"cp a.txt {folder}/{name}"}),
        "mv": call("Bash", {"command": f"mv a.txt {folder}/"}),
        "tee": call("Bash", {"command": f"echo x | tee -a {folder}/{name}"}),
        "sed -i": call("Bash", {"command": f"sed -i s/a/b/ {folder}/{name}"}),
        "behind cd": call("Bash", {"command": f"cd {folder} && cp ../x {name}"}),
        "in a shell string": call("Bash", {"command": f"bash -c 'echo x > {folder}/{name}'"}),
        "MCP argument": call("mcp__files__write", {"path": path, "content": "x"}),
        "MCP argument, deep": call("mcp__files__many", {"files": [{"to": f"{folder}/{name}"}]}),
        "file URL": call("mcp__files__write", {"uri": f"file://{path}"}),
        "other case": call("Write", {"file_path": f"/work/repo/{folder.upper()}/{name}", "content": "x"}),
        "traversal": call("Write", {"file_path": f"/work/repo/src/../{folder}/{name}", "content": "x"}),
        "traversal in a redirect": call("Bash", {"command": f"echo x > src/../{folder}/{name}"}),
        "real path behind a link": call(
            "Write", {"file_path": "/work/repo/innocent", "content": "x"}, environment=behind_link
        ),
        "link in a redirect": call("Bash", {"command": "echo x > innocent"}, environment=behind_link),
        "link in MCP": call("mcp__files__write", {"path": "innocent", "content": "x"}, environment=behind_link),
    }


CASES = [
    pytest.param(request, id=f"{folder}, {way}")
    for folder, name in NAMES.items()
    for way, request in ways(folder, name).items()
]


@pytest.mark.parametrize("request_", CASES)
def test_bypass_asks(request_):
    assert answer(request_ | {"permission_mode": "bypassPermissions"}, ALL) == "ask protected_path"


@pytest.mark.parametrize("request_", CASES)
def test_dont_ask_denies(request_):
    assert answer(request_ | {"permission_mode": "dontAsk"}, ALL) == "deny protected_path"
