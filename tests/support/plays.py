"""What the local Messages server can be told to do with one request."""

from __future__ import annotations

import json
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Say:
    """Answer with status 200 and these blocks, or with one text block."""

    text: str = ""
    stop_reason: str = "end_turn"
    delay_s: float = 0.0
    blocks: tuple[dict, ...] | None = None
    usage: dict = field(default_factory=lambda: {"input_tokens": 812, "output_tokens": 9})

    def body(self, model: str) -> bytes:
        content = self.blocks if self.blocks is not None else ({"type": "text", "text": self.text},)
        return json.dumps(
            {
                "id": "msg_local",
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": list(content),
                "stop_reason": self.stop_reason,
                "stop_sequence": None,
                "usage": self.usage,
            }
        ).encode()


@dataclass(frozen=True, slots=True)
class Status:
    """Answer with an error."""

    code: int
    body: dict | bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Raw:
    """Answer with status 200 and these bytes, whatever they are."""

    body: bytes
    content_type: str = "application/json"
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Drop:
    """Close the connection: at once, or in the middle of the answer."""

    midway: bool = False
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Hang:
    """Never answer; the connection ends when the client gives up."""

    delay_s: float = 3600.0


Play = Say | Status | Raw | Drop | Hang

ALLOW = Say('{"verdict": "allow"}')
UNSURE = Say('{"verdict": "unsure"}')
REFUSAL = Say(stop_reason="refusal", blocks=())
CUT_OFF = Say('{"verdict": "allow"}', stop_reason="max_tokens")
EMPTY = Say(blocks=())


def block(rule: str, reason: str | None = None, **more) -> Say:
    """A block that rests on a rule."""
    answer = {"verdict": "block", "rule": rule} | ({} if reason is None else {"reason": reason})
    return Say(json.dumps(answer), **more)


def error(code: int, kind: str = "api_error", **headers: str) -> Status:
    """An error as the API words it."""
    body = {"type": "error", "error": {"type": kind, "message": "as the script says"}}
    return Status(code, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))
