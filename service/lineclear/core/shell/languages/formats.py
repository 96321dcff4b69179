"""Formats of ``printf``: conversions that only print text. Some shells evaluate what the numeric ones are given."""

from __future__ import annotations

import re

_CONVERSION = re.compile(r"%(?:%|[-# 0]*[0-9]*(?:\.[0-9]+)?(.)|.|\Z)", re.DOTALL)


def format_only_prints(text: str) -> bool:
    """Whether a format has no conversion but of strings and characters."""
    return all(found[0] == "%%" or (found[1] or "") in {"s", "b", "c", "q"} for found in _CONVERSION.finditer(text))
