"""What the use case can't answer with a verdict; the API turns each into a problem document."""

from __future__ import annotations


class Conflict(Exception):
    """The request contradicts an earlier one: another call under a ``tool_use_id``, a second answer to a question."""


class Overtaken(Exception):
    """The session changed faster than the call could be decided; the caller may try again."""


class CallerGone(Exception):
    """The caller left before a model had answered, and the model was told so; nobody waits for an answer."""


class Missing(Exception):
    """There is no such thing, or none that this key may know of."""


class NotAllowed(Exception):
    """This key may not do that with this thing."""
