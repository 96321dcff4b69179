"""What is wrong with a rule, in words for the person who wrote it."""

from __future__ import annotations


class RuleFault(ValueError):
    """A pattern, a selector or a rule that can't be taken as it is written; the text says what to do."""
