"""A model that plays tool calls, for the agents' own programs: it speaks the streams of four model APIs.

It answers a conversation by how many tool results it holds already: call 1, call 2 … and then a closing word.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

DONE = "all done"


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    input: dict[str, Any]


@dataclass
class ModelServer:
    """Serves while it is entered; ``requests`` holds (path, body) of each request of the conversation."""

    calls: list[ToolCall]
    requests: list[tuple[str, dict]] = field(default_factory=list)
    _server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def results(self) -> str:
        """What the program sent back of its tools, as text, to look things up in."""
        return json.dumps(self.requests[-1][1], ensure_ascii=False) if self.requests else ""

    def answer(self, path: str, body: dict) -> tuple[str, str]:
        """Content type and body of an answer."""
        if path.endswith("/count_tokens"):
            return "application/json", '{"input_tokens": 10}'
        if "messages" in path:
            return _messages(body, self._next(body))
        if path.endswith("/responses"):
            return _responses(self._next(body), _namespaces(body))
        if "enerateContent" in path:
            return _gemini(path, self._next(body))
        return "application/json", "{}"

    def _next(self, body: dict) -> ToolCall | None:
        """The next call; none where the program offers no tool, as for a title or a summary."""
        if not body.get("tools"):
            return None
        text = json.dumps(body.get("messages") or body.get("input") or body.get("contents") or [])
        done = sum(text.count(mark) for mark in ('"tool_result"', '_call_output"', '"functionResponse"'))
        return self.calls[done] if done < len(self.calls) else None


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            body = json.loads(raw) if raw[:1] == b"{" else {}
            path = self.path.partition("?")[0]
            if body.get("tools"):
                server.requests.append((path, body))
            kind, text = server.answer(self.path, body)
            self._send(kind, text)

        def do_GET(self) -> None:
            self._send("application/json", '{"data": [], "models": []}')

        def _send(self, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _events(events: list[dict]) -> tuple[str, str]:
    return "text/event-stream", "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)


def _messages(body: dict, call: ToolCall | None) -> tuple[str, str]:
    usage = {"input_tokens": 10, "output_tokens": 5}
    number = len(body.get("messages", []))
    if call is None:
        block: dict = {"type": "text", "text": DONE}
        start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number:04d}", "name": call.name, "input": call.input}
        start = block | {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.input)}
    stop = "end_turn" if call is None else "tool_use"
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model", "m")}
    message |= {"stop_sequence": None, "usage": usage}
    if not body.get("stream"):
        return "application/json", json.dumps(message | {"content": [block], "stop_reason": stop})
    return _events(
        [
            {"type": "message_start", "message": message | {"content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ]
    )


def _namespaces(body: dict) -> dict[str, str]:
    """Tools that are offered inside a namespace, by name."""
    return {
        inner["name"]: tool["name"]
        for tool in body.get("tools", [])
        if tool.get("type") == "namespace"
        for inner in tool.get("tools", [])
    }


def _responses(call: ToolCall | None, namespaces: dict[str, str]) -> tuple[str, str]:
    if call is None:
        item: dict = {"type": "message", "role": "assistant", "id": "m1"}
        item["content"] = [{"type": "output_text", "text": DONE}]
    elif call.name == "apply_patch":
        item = {"type": "custom_tool_call", "call_id": "call_p", "name": call.name, "input": call.input["input"]}
    else:
        item = {"type": "function_call", "call_id": f"call_{abs(hash(str(call.input))) % 10**6}", "name": call.name}
        item["arguments"] = json.dumps(call.input)
        if call.name in namespaces:
            item["namespace"] = namespaces[call.name]
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return _events(
        [
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
        ]
    )


def _gemini(path: str, call: ToolCall | None) -> tuple[str, str]:
    part = {"text": DONE} if call is None else {"functionCall": {"name": call.name, "args": call.input}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    answer = json.dumps({"candidates": [candidate], "usageMetadata": usage})
    return ("text/event-stream", f"data: {answer}\r\n\r\n") if "alt=sse" in path else ("application/json", answer)
