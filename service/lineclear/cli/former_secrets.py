"""The option that names earlier secrets, for verbs that look at what those vouch for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

FormerSecrets: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--former-secret", help="A file that holds an earlier LINECLEAR_SECRET; may be given again."),
]
