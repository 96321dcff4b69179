"""OpenAI Agents SDK: a tool's guardrail asks Lineclear; what a person must decide interrupts the run.

LINECLEAR_KEY=… python examples/openai_agents.py
"""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, ToolGuardrailFunctionOutput, Usage, function_tool
from agents.tool_guardrails import ToolInputGuardrail
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from lineclear.client import AsyncClient, Decision

COMMANDS = ("touch denied", "touch allowed", "touch asked")


class Lineclear:
    """Runs a tool only on *allow*, or once its person has approved: the run comes to the guardrail only then."""

    def __init__(self, client: AsyncClient, tool_name: str) -> None:
        self._client = client
        self._tool_name = tool_name
        self._session_id = uuid.uuid4().hex
        self._decisions: dict[str, Decision] = {}
        self.guardrail = ToolInputGuardrail(guardrail_function=self._guard, name="lineclear")

    async def needs_approval(self, _: Any, arguments: dict[str, Any], call_id: str) -> bool:
        decision = await self._client.decide(
            self._session_id, self._tool_name, arguments, tool_use_id=call_id, cwd=os.getcwd()
        )
        self._decisions[call_id] = decision
        if decision.asked:
            print("a person is asked:", arguments, decision.reason)
        return decision.asked

    async def _guard(self, data: Any) -> ToolGuardrailFunctionOutput:
        decision = self._decisions.get(data.context.tool_call_id)
        if decision is not None and (decision.allowed or decision.asked):
            return ToolGuardrailFunctionOutput.allow()
        message = "This call was not decided." if decision is None else decision.agent_message
        return ToolGuardrailFunctionOutput.reject_content(message)


class Played(Model):
    """A model that runs the commands, one after the other: put your own in its place."""

    async def get_response(self, system_instructions, input, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        done = sum(isinstance(item, dict) and item.get("type") == "function_call_output" for item in input)
        item: Any = ResponseOutputMessage(
            id="m", role="assistant", status="completed", type="message",
            content=[ResponseOutputText(text="done", type="output_text", annotations=[])],
        )  # fmt: skip
        if done < len(COMMANDS):
            arguments = json.dumps({"command": COMMANDS[done]})
            call_id = f"call_{uuid.uuid4().hex}"
            item = ResponseFunctionToolCall(arguments=arguments, call_id=call_id, name="Bash", type="function_call")
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


async def main() -> None:
    os.environ.setdefault("OPENAI_AGENTS_DISABLE_TRACING", "1")
    async with AsyncClient(os.environ.get("LINECLEAR_URL", "http://127.0.0.1:8642")) as client:
        lineclear = Lineclear(client, "Bash")

        @function_tool(
            name_override="Bash",
            needs_approval=lineclear.needs_approval,
            tool_input_guardrails=[lineclear.guardrail],
        )
        def bash(command: str) -> str:
            """Run a command."""
            return f"ran {command}"

        result = await Runner.run(Agent("agent", tools=[bash], model=Played()), "go on")
    for item in result.new_items:
        if item.type == "tool_call_output_item":
            print("told the model:", item.output)


asyncio.run(main())
