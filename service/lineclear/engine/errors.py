"""What the use case can't answer with a verdict; the API turns each into a problem document."""

from __future__ import annotations


class Conflict(Exception):
    """The ``tool_use_id`` stands for another call already: another tool, input, directory or agent."""


class Overtaken(Exception):
    """The session changed faster than the call could be decided; the caller may try again."""
