"""Agents' own programs, run against a model that plays: what they did, and what their model was told."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.model_server import ModelServer, ToolCall

SETTING = "LINECLEAR_HOSTS"
PROGRAMS = {
    "claude-code": "@anthropic-ai/claude-code@2.1.332",
    "codex": "@openai/codex@0.171.0",
    "gemini-cli": "@google/gemini-cli@0.61.0",
    "opencode": "opencode-ai@1.18.33",
}
_NAMES = {"claude-code": "claude", "codex": "codex", "gemini-cli": "gemini", "opencode": "opencode"}
PATIENCE_S = 120
_QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1"}


def program(host: str) -> Path:
    """The program, or a skip that says where it is looked for."""
    place = os.environ.get(SETTING)
    if place is None:
        pytest.skip(f"set {SETTING} to a folder with node_modules, made by `npm install {PROGRAMS[host]}`")
    found = Path(place) / "node_modules" / ".bin" / _NAMES[host]
    if not found.exists():
        pytest.skip(f"there is no {found}; `npm install {PROGRAMS[host]}` makes it")
    return found


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a run: the files in its folder, and the results of the tools as the model was told."""

    files: set[str]
    told: list[str]
    output: str
    asked: list[str]
    """What the model was asked, as text."""

    @property
    def all_told(self) -> str:
        return "\n".join(self.told)


def shell(command: str, host: str) -> ToolCall:
    """A call of the host's shell tool."""
    match host:
        case "claude-code":
            return ToolCall("Bash", {"command": command, "description": "d"})
        case "codex":
            return ToolCall("exec_command", {"cmd": command})
        case "gemini-cli":
            return ToolCall("run_shell_command", {"command": command})
        case _:
            return ToolCall("bash", {"command": command, "description": "d"})


def run(
    host: str, home: Path, commands: list[str | ToolCall], mode: str | None = None, more: tuple[str, ...] = ()
) -> Ran:
    """Let a host's program run commands, or other tools, one after the other, in ``home/repo``.

    ``more`` are further words of its own command line.
    """
    found, repo = program(host), home / "repo"
    repo.mkdir(exist_ok=True)
    calls = [command if isinstance(command, ToolCall) else shell(command, host) for command in commands]
    with ModelServer(calls) as model:
        words, settings = _start(host, found, home, model.url, mode)
        ended = subprocess.run(
            [*words, *more],
            cwd=repo,
            env={"PATH": os.environ["PATH"], "HOME": str(home), **_QUIET, **settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        told = list(_results(model.requests[-1][1])) if model.requests else []
        asked = [json.dumps(body["messages"][:1]) for _, body in model.requests if body.get("messages")]
    return Ran({path.name for path in repo.iterdir()}, told, ended.stdout + ended.stderr, asked)


def prepare(host: str, home: Path) -> None:
    """What a person has configured before us."""
    if host == "gemini-cli":
        (home / ".gemini").mkdir()
        auth = '{\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n'
        (home / ".gemini" / "settings.json").write_text(auth)


def _start(host: str, found: Path, home: Path, url: str, mode: str | None) -> tuple[list[str], dict[str, str]]:
    match host:
        case "claude-code":
            words = [str(found), "-p", "please go on", "--permission-mode", mode or "default"]
            return words, {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-ant-x"}
        case "codex":
            _codex_config(home, url)
            words = [str(found), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "please go on"]
            return words, {"LOCAL_KEY": "x"}
        case "gemini-cli":
            words = ["node", str(found), "-p", "please go on", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"]
            more = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
            return words, more
        case _:
            _opencode_config(home, url)
            return [str(found), "run", "please go on"], {"OPENCODE_DISABLE_AUTOUPDATE": "1"}


def _codex_config(home: Path, url: str) -> None:
    config = home / ".codex" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(
        'model = "gpt-5"\nmodel_provider = "local"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
        f'[model_providers.local]\nname = "local"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
        f'env_key = "LOCAL_KEY"\n[projects."{home}/repo"]\ntrust_level = "trusted"\n'
    )


def _opencode_config(home: Path, url: str) -> None:
    config = home / ".config" / "opencode" / "opencode.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    model = "anthropic/claude-haiku-4-5"
    provider = {"anthropic": {"options": {"baseURL": f"{url}/v1", "apiKey": "x"}}}
    config.write_text(json.dumps({"autoupdate": False, "model": model, "small_model": model, "provider": provider}))


def _results(request: dict):
    """Texts of tool results in a model's request, whichever API it is of."""
    for message in request.get("messages", []):
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_result":
                yield json.dumps(block["content"], ensure_ascii=False)
    for item in request.get("input", []):
        if str(item.get("type")).endswith("_output"):
            yield str(item["output"])
    for content in request.get("contents", []):
        for part in content.get("parts", []):
            if "functionResponse" in part:
                yield json.dumps(part["functionResponse"]["response"], ensure_ascii=False)
