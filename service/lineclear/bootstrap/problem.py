"""What keeps the service from starting, in words for the person who started it."""

from __future__ import annotations


class CannotStart(Exception):
    """The message says what is wrong, where, and what to do."""
