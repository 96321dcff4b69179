"""Claude Agent SDK: a hook asks Lineclear before each tool; what a person must decide comes to `can_use_tool`.

LINECLEAR_KEY=… python examples/claude_agent_sdk_agent.py
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, HookMatcher, PermissionResultDeny, UserMessage

from lineclear.client import AsyncClient

FIELDS = ("tool_use_id", "permission_mode", "cwd")


class Lineclear:
    """Runs a tool only on *allow*; without an objection the SDK's own permissions decide."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def before_tool(self, given: Any, _: str | None, __: Any) -> dict[str, Any]:
        more = {name: given[name] for name in FIELDS if given.get(name)}
        decision = await self._client.decide(given["session_id"], given["tool_name"], given["tool_input"], **more)
        if not decision.objection and not decision.allowed:
            return {}
        told = decision.agent_message if decision.verdict == "deny" else decision.reason
        answer = {"permissionDecision": decision.verdict, "permissionDecisionReason": told}
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}}


async def ask(tool_name: str, tool_input: dict[str, Any], context: Any) -> PermissionResultDeny:
    """Ask your person here; this one says no."""
    print("a person is asked:", tool_input, getattr(context, "decision_reason", None))
    return PermissionResultDeny(message="The user said no.")


async def main() -> None:
    async with AsyncClient(os.environ.get("LINECLEAR_URL", "http://127.0.0.1:8642")) as client:
        hooks = {"PreToolUse": [HookMatcher(hooks=[Lineclear(client).before_tool])]}
        options = ClaudeAgentOptions(hooks=hooks, can_use_tool=ask, setting_sources=[])
        async with ClaudeSDKClient(options) as agent:
            await agent.query("go on")
            async for message in agent.receive_response():
                for block in message.content if isinstance(message, UserMessage) else ():
                    print("told the model:", getattr(block, "content", block))


asyncio.run(main())
