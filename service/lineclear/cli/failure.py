"""What a verb couldn't do, in words for the person who typed it."""

from __future__ import annotations


class Failure(Exception):
    """Ends the program with a message; ``status`` is its exit status: 1, or 2 where what was typed is at fault."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status
