"""pydantic-ai: a capability asks Lineclear before each tool; what a person must decide is deferred.

LINECLEAR_KEY=… python examples/pydantic_ai_agent.py
"""

from __future__ import annotations

import asyncio
import os
import uuid
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, ApprovalRequired, DeferredToolRequests
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from lineclear.client import AsyncClient

COMMANDS = ("touch denied", "touch allowed", "touch asked")


@dataclass
class Lineclear(AbstractCapability[Any]):
    """Runs a tool only on *allow*, or once its person has approved."""

    client: AsyncClient
    session_id: str = field(default_factory=lambda: uuid.uuid4().hex)

    async def wrap_tool_execute(self, ctx, *, call, tool_def, args, handler):
        if ctx.tool_call_approved:
            return await handler(args)
        decision = await self.client.decide(
            self.session_id, call.tool_name, args, tool_use_id=call.tool_call_id, cwd=os.getcwd()
        )
        if decision.asked:
            raise ApprovalRequired(metadata={"reason": decision.reason})
        return await handler(args) if decision.allowed else decision.agent_message


def play(messages: list[Any], _: Any) -> ModelResponse:
    """A model that runs the commands, one after the other: put your own in its place."""
    done = sum(isinstance(part, ToolReturnPart) for message in messages for part in message.parts)
    if done == len(COMMANDS):
        return ModelResponse([TextPart("done")])
    return ModelResponse([ToolCallPart("Bash", {"command": COMMANDS[done]})])


async def main() -> None:
    async with AsyncClient(os.environ.get("LINECLEAR_URL", "http://127.0.0.1:8642")) as client:
        agent = Agent(FunctionModel(play), output_type=[str, DeferredToolRequests], capabilities=[Lineclear(client)])

        @agent.tool_plain(name="Bash")
        def bash(command: str) -> str:
            return f"ran {command}"

        result = await agent.run("go on")
    for message in result.all_messages():
        for part in message.parts:
            if isinstance(part, ToolReturnPart):
                print("told the model:", part.content)
    if isinstance(result.output, DeferredToolRequests):
        for call in result.output.approvals:
            print("a person is asked:", call.args, result.output.metadata[call.tool_call_id]["reason"])


asyncio.run(main())
