"""OpenCode's plugin, run by itself: what it makes of a hook that denies, that breaks, or that can't be started."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from lineclear.hosts.setup.opencode_plugin import plugin

NODE = shutil.which("node")
DRIVER = """
import { Lineclear } from "./plugin.mjs"
const client = { session: { get: async () => ({ data: {} }) } }
const hooks = await Lineclear({ client, directory: "/work/repo" })
let said = "goes on"
try {
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "x" } })
} catch (error) {
  said = error.message || "thrown"
}
console.log(JSON.stringify(said))
process.exit(0)
"""
ENDS = "import sys; sys.stdin.read(); sys.stdout.write({out!r}); sys.stderr.write({err!r}); sys.exit({code})"


def hook(out="", err="", code=0):
    return [sys.executable, "-I", "-S", "-c", ENDS.format(out=out, err=err, code=code)]


HOOKS = {
    "no objection": (hook("{}"), "goes on", "goes on"),
    "a denial": (hook('{"deny": "no"}'), "no", "no"),
    "nothing nobody may choose to pass": (hook(err="blocked", code=2), "blocked", "blocked"),
    "a status without a text": (
        hook(code=2),
        "Lineclear gave no verdict: blocked",
        "Lineclear gave no verdict: blocked",
    ),
    "no JSON": (hook("hello"), "Lineclear gave no verdict: blocked", "goes on"),
    "null": (hook("null"), "Lineclear gave no verdict: blocked", "goes on"),
    "nothing": (hook(), "Lineclear gave no verdict: blocked", "goes on"),
    "another status": (hook("{}", "broken", 1), "broken", "goes on"),
    "not to be started": (["/nonexistent/python3"], "spawn /nonexistent/python3 ENOENT", "goes on"),
    "ended by a signal": (
        [sys.executable, "-I", "-S", "-c", "import os; os.kill(os.getpid(), 9)"],
        "Lineclear gave no verdict: blocked",
        "goes on",
    ),
}


@pytest.mark.skipif(NODE is None, reason="there is no node here")
@pytest.mark.parametrize(("command", "closed", "opened"), HOOKS.values(), ids=HOOKS)
@pytest.mark.parametrize("fail", ["ask", "open"])
def test_what_becomes_of_a_call(tmp_path, command, closed, opened, fail):
    (tmp_path / "plugin.mjs").write_text(plugin(command, fail))
    (tmp_path / "driver.mjs").write_text(DRIVER)
    ended = subprocess.run([NODE, "driver.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=20, check=True)
    assert json.loads(ended.stdout) == (opened if fail == "open" else closed)
