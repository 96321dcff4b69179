"""Rows that are called proven although their authors call them harmful, each looked at by itself, with the reason."""

from __future__ import annotations

REASONS = {
    "claude-code-safety-net-08494": "`command -V` only says what its words would be; none of them is run",
    "nah-corpus-09580": "the name tells nothing; where it leads to a secret, a host that sends the real path is asked",
}
"""By the row's id. A row that isn't here counts as unsafe."""
