"""The settings for a verb, or a message that says which one is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineclear.cli.failure import Failure
from lineclear.settings import SettingsError, load

if TYPE_CHECKING:
    from lineclear.settings import Settings


def settled(**given: Any) -> Settings:
    """The settings in effect, with what the command line says; raises ``Failure``."""
    try:
        return load(**given)
    except SettingsError as error:
        raise Failure(str(error), 2) from None
