"""The way in: a folder of policies, read from disk and compiled; or a text, for cases and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, compiled

if TYPE_CHECKING:
    from pathlib import Path

    from lineclear.core.policy import Policy


def load(folder: Path, builtin: Path, prompts: str = "") -> Policy:
    """The policy of a folder, on the built-in layer in ``builtin``; ``prompts`` names the classifier's words.

    Raises ``PolicyError`` with everything that is wrong; nothing of such a folder is in force.
    """
    return compiled(Beneath.read(builtin, prompts), sources.organisation(folder))


def load_text(text: str, beneath: Beneath) -> Policy:
    """The policy of one text, taken as the organisation's only file. Raises ``PolicyError``."""
    return compiled(beneath, (sources.of_text(text),))
