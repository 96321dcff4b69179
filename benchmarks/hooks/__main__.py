"""The whole call of a hook, in one run: a bare interpreter, the shim against a running service, today's other guards.

python -m benchmarks.hooks --socket PATH --key-file FILE [--nah PROGRAM] [--cc-safety-net PROGRAM] [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

SHIM = Path(__file__).parents[2] / "service" / "lineclear_hook.py"


def commands(asked: argparse.Namespace) -> dict[str, list[str]]:
    """What is measured, by name."""
    python = [sys.executable, "-I", "-S"]
    way = ["claude-code", "--socket", asked.socket, "--key-file", asked.key_file, "--event", "PreToolUse"]
    found = {"bare python3 -I -S": [*python, "-c", "pass"], "lineclear_hook.py": [*python, str(SHIM), *way]}
    if asked.nah:
        found["nah"] = [asked.nah, "_claude-hook"]
    if asked.cc_safety_net:
        found["cc-safety-net"] = ["node", asked.cc_safety_net, "hook", "--claude-code"]
    return found


def payload(number: int) -> bytes:
    """A call that is allowed; each has an id of its own, so that none is a replay."""
    call = {"session_id": "bench", "cwd": str(Path.cwd()), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    given = {"tool_input": {"command": "git status && ls -la src"}, "tool_use_id": f"bench-{time.time_ns()}-{number}"}
    return json.dumps(call | given).encode()


def main() -> None:
    """Measure in turns, so that whatever else the machine does hits all alike."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("socket", "key-file"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("nah", "cc-safety-net"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--rounds", type=int, default=60)
    asked = parser.parse_args()
    rows = commands(asked)
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for number in range(asked.rounds):
        for name, words in rows.items():
            begun = time.perf_counter()
            ended = subprocess.run(words, input=payload(number), capture_output=True, check=False)
            seconds[name].append(time.perf_counter() - begun)
            if ended.returncode:
                sys.exit(f"{name} ended with {ended.returncode}: {ended.stderr.decode()[:200]}")
    bare = statistics.median(seconds["bare python3 -I -S"])
    print(f"{'':<22}{'median ms':>10}{'best ms':>10}{'of bare':>9}")
    for name, taken in seconds.items():
        median = statistics.median(taken)
        print(f"{name:<22}{median * 1000:>10.1f}{min(taken) * 1000:>10.1f}{median / bare:>9.2f}")


if __name__ == "__main__":
    main()
