"""What hosts send before a tool, at a prompt and after a tool, as their packages (run) or documentation show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CWD = "/home/dev/repo"


@dataclass(frozen=True, slots=True)
class Sent:
    """A payload, and what must be made of it."""

    id: str
    host: str
    event: str
    payload: dict[str, Any]
    request: dict[str, Any] = field(default_factory=dict)


def _claude(event: str, **more: Any) -> dict[str, Any]:
    common = {
        "session_id": "c52b489e-e346-45ee-8463-581ab3ba0740",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-repo/c52b489e.jsonl",
        "cwd": CWD,
        "prompt_id": "e2431f45-3027-4c5f-b190-037597cf3400",
        "permission_mode": "acceptEdits",
        "hook_event_name": event,
    }
    return common | more


def _codex(event: str, **more: Any) -> dict[str, Any]:
    common = {
        "session_id": "01a22956-d9f3-76d3-bc59-2f4ab2eeebec",
        "turn_id": "01a22956-da0a-7d73-9f16-9ad248aa2b6d",
        "transcript_path": None,
        "cwd": CWD,
        "hook_event_name": event,
        "model": "gpt-5",
        "permission_mode": "default",
    }
    return common | more


def _gemini(event: str, **more: Any) -> dict[str, Any]:
    common = {
        "session_id": "8aa6ebd6-bdf1-4f8a-aa92-39125920bde9",
        "transcript_path": "/home/dev/.gemini/tmp/repo/chats/session.jsonl",
        "cwd": CWD,
        "hook_event_name": event,
        "timestamp": "2026-11-29T22:05:49.677Z",
    }
    return common | more


_CLAUDE_SESSION = {"session_id": "c52b489e-e346-45ee-8463-581ab3ba0740", "cwd": CWD, "permission_mode": "acceptEdits"}
_CODEX_SESSION = {"session_id": "01a22956-d9f3-76d3-bc59-2f4ab2eeebec", "cwd": CWD, "permission_mode": "default"}

CALLS = (
    Sent(
        "claude-code",
        "claude-code",
        "PreToolUse",
        _claude(
            "PreToolUse",
            effort={"level": "medium"},
            tool_name="Bash",
            tool_input={"command": "touch made", "description": "d"},
            tool_use_id="toolu_0002",
        ),
        _CLAUDE_SESSION
        | {
            "tool_name": "Bash",
            "tool_input": {"command": "touch made", "description": "d"},
            "tool_use_id": "toolu_0002",
            "agent": {"host": "claude-code"},
            "environment": {},
        },
    ),
    Sent(
        "claude-code sub-agent that calls itself main",
        "claude-code",
        "PreToolUse",
        _claude("PreToolUse", tool_name="Read", tool_input={"file_path": "a"}, agent_id="a-1", agent_type="main"),
        _CLAUDE_SESSION
        | {
            "tool_name": "Read",
            "tool_input": {"file_path": "a"},
            "agent": {"host": "claude-code", "id": "a-1", "type": "sub-agent"},
            "environment": {},
        },
    ),
    Sent(
        "claude-code about to ask",
        "claude-code",
        "PermissionRequest",
        _claude("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"}),
        _CLAUDE_SESSION
        | {
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
            "agent": {"host": "claude-code"},
            "environment": {},
        },
    ),
    Sent(
        "codex",
        "codex",
        "PreToolUse",
        _codex("PreToolUse", tool_name="Bash", tool_input={"command": "touch made"}, tool_use_id="call_635633"),
        _CODEX_SESSION
        | {
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "tool_use_id": "call_635633",
            "agent": {"host": "codex"},
            "environment": {},
        },
    ),
    Sent(
        "gemini-cli",
        "gemini-cli",
        "BeforeTool",
        _gemini("BeforeTool", tool_name="write_file", tool_input={"file_path": "x.txt", "content": "y"}),
        {
            "session_id": "8aa6ebd6-bdf1-4f8a-aa92-39125920bde9",
            "cwd": CWD,
            "tool_name": "write_file",
            "tool_input": {"file_path": "x.txt", "content": "y"},
            "agent": {"host": "gemini-cli"},
            "environment": {},
        },
    ),
    Sent(
        "opencode",
        "opencode",
        "tool.execute.before",
        {
            "event": "tool.execute.before",
            "tool": "bash",
            "sessionID": "ses_dd6a80008ffeZz1DdYnvjn3fLd",
            "callID": "toolu_0001",
            "args": {"command": "touch made", "description": "d"},
            "directory": CWD,
        },
        {
            "session_id": "ses_dd6a80008ffeZz1DdYnvjn3fLd",
            "cwd": CWD,
            "tool_name": "bash",
            "tool_input": {"command": "touch made", "description": "d"},
            "tool_use_id": "toolu_0001",
            "agent": {"host": "opencode"},
            "environment": {},
        },
    ),
    Sent(
        "cursor shell",
        "cursor",
        "beforeShellExecution",
        {
            "hook_event_name": "beforeShellExecution",
            "conversation_id": "c-1",
            "command": "touch made",
            "cwd": CWD,
            "workspace_roots": [CWD],
        },
        {
            "session_id": "c-1",
            "cwd": CWD,
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "agent": {"host": "cursor"},
            "environment": {"workspace_roots": [CWD]},
        },
    ),
    Sent(
        "cursor mcp, arguments in a text",
        "cursor",
        "beforeMCPExecution",
        {
            "hook_event_name": "beforeMCPExecution",
            "conversation_id": "c-1",
            "tool_name": "query",
            "tool_input": '{"sql": "select 1"}',
            "command": "/usr/bin/postgres-mcp",
            "workspace_roots": [CWD],
        },
        {
            "session_id": "c-1",
            "cwd": CWD,
            "tool_name": "mcp__postgres-mcp__query",
            "tool_input": {"sql": "select 1"},
            "agent": {"host": "cursor"},
            "environment": {"workspace_roots": [CWD]},
        },
    ),
    Sent(
        "copilot-cli",
        "copilot-cli",
        "preToolUse",
        {
            "sessionId": "s-1",
            "timestamp": 1795989600000,
            "cwd": CWD,
            "toolName": "bash",
            "toolArgs": '{"command": "touch made"}',
        },
        {
            "session_id": "s-1",
            "cwd": CWD,
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "agent": {"host": "copilot-cli"},
            "environment": {},
        },
    ),
    Sent(
        "copilot-cli in the familiar form",
        "copilot-cli",
        "PreToolUse",
        {
            "hook_event_name": "PreToolUse",
            "session_id": "s-1",
            "timestamp": "2026-11-29T00:00:00Z",
            "cwd": CWD,
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
        },
        {
            "session_id": "s-1",
            "cwd": CWD,
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "agent": {"host": "copilot-cli"},
            "environment": {},
        },
    ),
    Sent(
        "windsurf command",
        "windsurf",
        "pre_run_command",
        {
            "agent_action_name": "pre_run_command",
            "trajectory_id": "t-1",
            "execution_id": "e-1",
            "timestamp": "2026-11-29T00:00:00Z",
            "tool_info": {"command_line": "touch made", "cwd": CWD},
        },
        {
            "session_id": "t-1",
            "cwd": CWD,
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "agent": {"host": "windsurf"},
            "environment": {},
        },
    ),
    Sent(
        "windsurf mcp",
        "windsurf",
        "pre_mcp_tool_use",
        {
            "agent_action_name": "pre_mcp_tool_use",
            "trajectory_id": "t-1",
            "tool_info": {"mcp_server_name": "jira", "mcp_tool_name": "close", "mcp_tool_arguments": {"id": 1}},
        },
        {
            "session_id": "t-1",
            "tool_name": "mcp__jira__close",
            "tool_input": {"id": 1},
            "agent": {"host": "windsurf"},
            "environment": {},
        },
    ),
    Sent(
        "cline",
        "cline",
        "PreToolUse",
        {
            "clineVersion": "3.0.65",
            "hookName": "PreToolUse",
            "timestamp": "1795989600000",
            "taskId": "task-1",
            "workspaceRoots": [CWD],
            "userId": "u",
            "preToolUse": {"toolName": "execute_command", "parameters": {"command": "touch made"}},
        },
        {
            "session_id": "task-1",
            "cwd": CWD,
            "tool_name": "execute_command",
            "tool_input": {"command": "touch made"},
            "agent": {"host": "cline"},
            "environment": {"workspace_roots": [CWD]},
        },
    ),
    Sent(
        "kiro",
        "kiro",
        "preToolUse",
        {
            "hook_event_name": "preToolUse",
            "cwd": CWD,
            "tool_name": "execute_bash",
            "tool_input": {"command": "touch made"},
        },
        {
            "session_id": f"kiro in {CWD}",
            "cwd": CWD,
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "agent": {"host": "kiro"},
            "environment": {},
        },
    ),
)

PROMPTS = (
    Sent("claude-code", "claude-code", "UserPromptSubmit", _claude("UserPromptSubmit", prompt="please go on")),
    Sent("codex", "codex", "UserPromptSubmit", _codex("UserPromptSubmit", prompt="please go on")),
    Sent("gemini-cli", "gemini-cli", "BeforeAgent", _gemini("BeforeAgent", prompt="please go on")),
    Sent(
        "opencode",
        "opencode",
        "chat.message",
        {"event": "chat.message", "sessionID": "ses_1", "messageID": "msg_1", "text": "please go on"},
    ),
    Sent(
        "cursor",
        "cursor",
        "beforeSubmitPrompt",
        {"hook_event_name": "beforeSubmitPrompt", "conversation_id": "c-1", "prompt": "please go on"},
    ),
    Sent("copilot-cli", "copilot-cli", "userPromptSubmitted", {"sessionId": "s-1", "prompt": "please go on"}),
    Sent(
        "windsurf",
        "windsurf",
        "pre_user_prompt",
        {
            "agent_action_name": "pre_user_prompt",
            "trajectory_id": "t-1",
            "tool_info": {"user_prompt": "please go on"},
        },
    ),
    Sent(
        "cline",
        "cline",
        "UserPromptSubmit",
        {"hookName": "UserPromptSubmit", "taskId": "task-1", "userPromptSubmit": {"prompt": "please go on"}},
    ),
    Sent("kiro", "kiro", "userPromptSubmit", {"hook_event_name": "userPromptSubmit", "prompt": "please go on"}),
)

RESULTS = (
    Sent(
        "claude-code",
        "claude-code",
        "PostToolUse",
        _claude(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": "touch made"},
            tool_response={"stdout": "", "stderr": "", "interrupted": False},
            tool_use_id="toolu_0002",
            duration_ms=42,
        ),
    ),
    Sent(
        "codex",
        "codex",
        "PostToolUse",
        _codex("PostToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_response="", tool_use_id="call_1"),
    ),
    Sent(
        "gemini-cli",
        "gemini-cli",
        "AfterTool",
        _gemini("AfterTool", tool_name="x", tool_input={}, tool_response={"llmContent": "done"}),
    ),
)
