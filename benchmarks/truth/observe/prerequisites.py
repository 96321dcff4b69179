"""What a truth run needs of the machine; said in one message, before anything is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PROGRAMS = ("strace", "unshare", "setpriv", "prlimit", "mount", "pivot_root", "bash")
PACKAGES = "on Debian: apt-get install strace util-linux mount bash"


def missing() -> str | None:
    """Why no command can be run here, for people; None if all is there."""
    if sys.platform != "linux":
        return "a truth run needs Linux: it observes with strace, in namespaces"
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"a truth run needs {', '.join(absent)}, not found on PATH; {PACKAGES}"
    if os.geteuid() != 0:
        return "a truth run needs root: it makes namespaces and runs each command as a user without privileges"
    return _refused(["unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "true"], "namespaces") or (
        _refused(["strace", "--seccomp-bpf", "-f", "-o", "/dev/null", "true"], "strace --seccomp-bpf")
    )


def _refused(words: list[str], what: str) -> str | None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=20)
    if done.returncode == 0:
        return None
    reason = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
    return f"a truth run needs {what}, which this machine refuses: {reason[-1]}"
