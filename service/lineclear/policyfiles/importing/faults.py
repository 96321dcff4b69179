"""A file that can't be imported at all; the text says what it should be."""

from __future__ import annotations


class ImportFault(ValueError):
    """The file isn't what it was said to be."""
