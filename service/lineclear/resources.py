"""Where the shipped files are: in the wheel beside the package, in a checkout at its root."""

from __future__ import annotations

from pathlib import Path

_SHIPPED = Path(__file__).parent / "_shipped"
_CHECKOUT = Path(__file__).parents[2]


def migrations() -> Path:
    """The folder of the database's migrations."""
    return (_SHIPPED if _SHIPPED.exists() else _CHECKOUT) / "migrations"
