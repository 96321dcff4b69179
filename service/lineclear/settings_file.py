"""The settings file: which one, and what it says; nothing is ever read from the working directory."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from lineclear.settings_faults import SettingsError

VARIABLE = "LINECLEAR_SETTINGS"
"""Names the file; unset, ``settings.toml`` or ``settings.yaml`` in the platform's configuration folder."""


def found() -> Path | None:
    """The file: the one that is named, whether it is there or not, else one in the platform's folder if there is."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    folder = user_config_path("lineclear", appauthor=False)
    return next((path for path in (folder / "settings.toml", folder / "settings.yaml") if path.is_file()), None)


def read(file: Path) -> dict[str, Any]:
    """What a file says, nested. Raises ``SettingsError``."""
    try:
        text = file.read_text("utf-8")
        return tomllib.loads(text) if file.suffix == ".toml" else _yaml(text)
    except OSError as error:
        raise SettingsError(
            f"settings file `{file}` can't be read: {(error.strerror or 'unknown error').lower()}"
        ) from None
    except ValueError as error:
        raise SettingsError(f"settings file `{file}`: {error}") from None


def _yaml(text: str) -> dict[str, Any]:
    from lineclear.policyfiles.problems import Fault  # noqa: PLC0415 - only where the file is YAML
    from lineclear.policyfiles.yaml import read as read_yaml  # noqa: PLC0415

    try:
        node = read_yaml(text)
        entries = {} if node is None else node.entries("what it holds")
    except Fault as fault:
        raise ValueError(f"line {fault.line}, column {fault.column}: {fault}") from None
    return {key: value.plain() for key, value in entries.items()}
