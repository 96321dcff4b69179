"""Cursors: where the next page of a list begins, in a form that nobody takes apart."""

from __future__ import annotations

import base64
import binascii
from uuid import UUID

from lineclear.wire.errors import Malformed, Problem


def write(before: UUID | None) -> str | None:
    """The cursor of a page that begins before an id."""
    return None if before is None else base64.urlsafe_b64encode(before.bytes).decode("ascii").rstrip("=")


def read(cursor: str | None) -> UUID | None:
    """Where a cursor's page begins; raises ``Malformed``."""
    if cursor is None:
        return None
    try:
        return UUID(bytes=base64.b64decode(cursor + "==", altchars=b"-_", validate=True))
    except (ValueError, binascii.Error):
        raise Malformed([Problem("/query/cursor", "invalid", "this is no cursor of this list")]) from None
