"""Redaction as a type: storage, logs, the classifier and replies take only what has been through it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from lineclear.core.call import JSON

Redacted = NewType("Redacted", object)
"""A JSON value without secrets. Only ``redact`` makes one."""
