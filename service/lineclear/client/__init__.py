"""The client for agents' programs: ask before each tool, and run it only on ``allow``. Standard library only."""

from lineclear.client.aio import AsyncClient
from lineclear.client.decision import Decision, NoVerdict, OnFailure
from lineclear.client.sync import Client

__all__ = ["AsyncClient", "Client", "Decision", "NoVerdict", "OnFailure"]
