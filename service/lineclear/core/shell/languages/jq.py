"""Filters of jq: everything of the language but what shows the environment or loads other code."""

from __future__ import annotations

import re

_FORBIDDEN = re.compile(
    r"(?<![.\w])env\b|\bENV\b|\b(?:import|include|modulemeta|get_search_list|input_filename)\b|\$__prog"
)


def jq_only_prints(script: str) -> bool:
    """Whether a filter does nothing but read its input and print."""
    return _FORBIDDEN.search(script) is None
