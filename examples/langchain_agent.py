"""LangChain: a middleware asks Lineclear before each tool; what a person must decide interrupts the graph.

LINECLEAR_KEY=… python examples/langchain_agent.py
"""

from __future__ import annotations

import os
import uuid
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.messages import AIMessage, ToolMessage
from langchain.tools import tool
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt

from lineclear.client import Client

COMMANDS = ("touch denied", "touch allowed", "touch asked")


class Lineclear(AgentMiddleware):
    """Runs a tool only on *allow*, or once its person has approved."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client
        self._session_id = uuid.uuid4().hex

    def wrap_tool_call(self, request, handler):
        call = request.tool_call
        decision = self._client.decide(
            self._session_id, call["name"], call["args"], tool_use_id=call["id"], cwd=os.getcwd()
        )
        approved = decision.asked and interrupt({"call": call["args"], "reason": decision.reason}) == "approve"
        if decision.allowed or approved:
            return handler(request)
        return ToolMessage(decision.agent_message, tool_call_id=call["id"], name=call["name"], status="error")


class Model(GenericFakeChatModel):
    """A model that plays: put your own in its place."""

    def bind_tools(self, *_: Any, **__: Any) -> Model:
        return self


@tool("Bash")
def bash(command: str) -> str:
    """Run a command."""
    return f"ran {command}"


def main() -> None:
    calls = (
        AIMessage("", tool_calls=[{"name": "Bash", "args": {"command": command}, "id": f"call_{uuid.uuid4().hex}"}])
        for command in COMMANDS
    )
    with Client(os.environ.get("LINECLEAR_URL", "http://127.0.0.1:8642")) as client:
        agent = create_agent(
            Model(messages=iter(calls)), [bash], middleware=[Lineclear(client)], checkpointer=InMemorySaver()
        )
        state = agent.invoke({"messages": "go on"}, {"configurable": {"thread_id": "1"}})
    for message in state["messages"]:
        if isinstance(message, ToolMessage):
            print("told the model:", message.content)
    for question in state.get("__interrupt__", ()):
        print("a person is asked:", question.value["call"], question.value["reason"])


main()
