"""The settings for a verb, or a message that says which one is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineclear.cli.failure import Failure
from lineclear.settings import load
from lineclear.settings_faults import SettingsError

if TYPE_CHECKING:
    from lineclear.settings import Settings


def reach(settings: Settings) -> tuple[str, str]:
    """The shim's option that leads to the service of these settings."""
    if settings.uds is not None:
        return "--socket", str(settings.uds.absolute())
    return "--url", f"http://127.0.0.1:{settings.port}"


def settled(**given: Any) -> Settings:
    """The settings in effect, with what the command line says; raises ``Failure``."""
    try:
        return load(**given)
    except SettingsError as error:
        raise Failure(str(error)) from None
