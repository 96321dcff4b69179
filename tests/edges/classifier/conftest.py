"""A classifier over a local Messages server, with the SDK's real client on a real socket."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from lineclear.classifier.config import ClassifierConfig, StageConfig
from lineclear.classifier.worker import OffLoop
from lineclear.engine.classify import Unwatched
from support.messages_server import MessagesServer

FAST = StageConfig("fast-model", max_tokens=64, timeout_s=5.0)
THINKING = StageConfig("thinking-model", max_tokens=4096, timeout_s=5.0)


@pytest.fixture
def classifier():
    """``async with classifier(*script, …) as (judge, server)``; keywords go to the configuration."""

    @asynccontextmanager
    async def opened(*script, models=None, watcher=None, **config):
        async with MessagesServer(script=list(script), models=models or {}) as server:
            settings = {"fast": FAST, "thinking": THINKING, "fence_key": b"k" * 32, "api_key": "sk-test"} | config
            judge = await OffLoop.open(ClassifierConfig(base_url=server.base_url, **settings), watcher or Unwatched())
            try:
                yield judge, server
            finally:
                await judge.close()

    return opened
