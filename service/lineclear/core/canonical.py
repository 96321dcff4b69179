"""Canonical JSON and the hashes made of it: the same value gives the same bytes, on any machine."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.call import JSON, Call
    from lineclear.core.tools import Tool


def canonical(value: JSON) -> bytes:
    """The value as UTF-8 JSON, keys sorted by code point, no blanks."""
    return _ENCODER.encode(value).encode()


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def keyed_hash(key: bytes, value: JSON) -> str:
    """HMAC-SHA256 over the canonical JSON, in hex: tells inputs apart without letting anybody guess them."""
    return hmac.new(key, canonical(value), hashlib.sha256).hexdigest()


def fingerprint(tool: Tool, call: Call, cwd: str | None) -> str:
    """What tells calls apart: SHA-256, in hex, of tool, exact input, directory as stated, agent and resolved paths."""
    agent = call.agent
    value: JSON = {
        "tool": [tool.source, tool.host, tool.name, tool.kind],
        "input": call.tool_input,
        "cwd": cwd,
        "agent": [agent.host, agent.id, agent.type],
        "real_paths": call.environment.real_paths,
    }
    return hashlib.sha256(canonical(value)).hexdigest()
