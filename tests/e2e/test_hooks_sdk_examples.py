"""The examples for agents' SDKs, run as they are: one call denied, one allowed, one asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from support.model_server import ModelServer, ToolCall

SETTING = "LINECLEAR_SDKS"
ROOT = Path(__file__).parents[2]
RULES = """\
version: 1
permissions:
  deny: ["Bash(touch denied)"]
  ask: ["Bash(touch asked)"]
  allow: ["Bash(touch allowed)"]
"""
CALLS = [ToolCall("Bash", {"command": f"touch {name}", "description": "d"}) for name in ("denied", "allowed", "asked")]


@pytest.fixture(scope="module")
def plugged(start, tmp_path_factory):
    policies = tmp_path_factory.mktemp("policies")
    (policies / "organisation").mkdir()
    (policies / "organisation" / "rules.yaml").write_text(RULES)
    return start("--port", "0", "--policies", str(policies))


@pytest.mark.parametrize("example", ["claude_agent_sdk_agent", "langchain_agent", "openai_agents", "pydantic_ai_agent"])
def test_one_denied_one_allowed_one_asked(plugged, tmp_path, example):
    python = os.environ.get(SETTING)
    if python is None:
        pytest.skip(f"set {SETTING} to a Python that has the SDKs, see examples/README.md")
    with ModelServer(CALLS) as model:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHONPATH": str(ROOT / "service"),
            "LINECLEAR_URL": plugged.url,
            "LINECLEAR_KEY": plugged.key(),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "sk-ant-x",
        }
        ended = subprocess.run(
            [python, str(ROOT / "examples" / f"{example}.py")],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    said = ended.stdout
    assert ended.returncode == 0, said + ended.stderr
    assert "denied by policy" in said
    (asked,) = (line for line in said.splitlines() if line.startswith("a person is asked:"))
    assert "touch asked" in asked
    told = [line for line in said.splitlines() if line.startswith("told the model:")]
    assert len(told) == (3 if example.startswith("claude") else 2)
    if example.startswith("claude"):
        made = {path.name for path in tmp_path.iterdir()}
        assert made & {"denied", "allowed", "asked"} == {"allowed"}
    else:
        assert "ran touch allowed" in said
