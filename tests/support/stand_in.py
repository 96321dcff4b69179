"""A stand-in for a model, by a rule that it prints: shows the whole path without a key, and is no judge of anything.

``PYTHONPATH=tests python -m support.stand_in --port 8643``
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from support.messages_server import MessagesServer
from support.plays import ALLOW, UNSURE, Play, block

if TYPE_CHECKING:
    from support.messages_server import Received

RULES = (
    ("upload", r"\bcurl\b.*(?:\s-d\b|--data|\s-F\b|\s-T\b|--upload-file)|\b(?:scp|rsync)\b.*:", "exfiltration"),
    ("remove recursively", r"\brm\b.*\s-\w*[rR]", "destruction"),
    ("run what was fetched", r"(?:curl|wget)\b.*\|\s*(?:ba|z)?sh\b", "fetched-code"),
)
"""The whole judgement: what is looked for in the call, and the end of the id of the rule that is then cited."""
FAST_TOKENS = 64


def stand_in(request: Received) -> Play:
    """Block what the table names, by a rule of the policy that came along, in the second stage; allow the rest."""
    call = json.dumps(request.data("call"))
    ids = re.findall(r"^- id `([^`]+)`", request.parts[0], re.MULTILINE)
    for what, pattern, ending in RULES:
        cited = next((rule for rule in ids if rule.endswith(ending)), None)
        if re.search(pattern, call):
            fast = request.json["max_tokens"] <= FAST_TOKENS
            return UNSURE if fast or cited is None else block(cited, f"The call would {what}.")
    return ALLOW


async def serve(port: int) -> None:
    """Serve until interrupted, and say how to use it."""
    print(f"stand-in for a model: blocks what would {', '.join(what for what, _, _ in RULES)}; allows the rest")  # noqa: T201
    async with MessagesServer(judge=stand_in, port=port) as server:
        print(f"LINECLEAR_CLASSIFIER__BASE_URL={server.base_url} LINECLEAR_CLASSIFIER__API_KEY=any", flush=True)  # noqa: T201
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 8643))
