"""Sections that are one word: ``enforcement`` and ``headless``."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.policy import Headless
from lineclear.policyfiles.layered import single

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


class Enforcement(StrEnum):
    """Whether decisions bind, or are only recorded."""

    ENFORCE = "enforce"
    OBSERVE = "observe"


def enforcement(sources: Sequence[Source], problems: Problems) -> Enforcement:
    """``enforcement``, shipped as ``enforce``."""
    setting = single(sources, "enforcement", problems)
    if setting is not None:
        with problems.of(setting.source.file):
            return setting.node.choice("`enforcement`", Enforcement)
    return Enforcement.ENFORCE


def headless(sources: Sequence[Source], problems: Problems) -> Headless:
    """``headless``: what becomes of a question where the caller has nobody to ask."""
    setting = single(sources, "headless", problems)
    if setting is not None:
        with problems.of(setting.source.file):
            return setting.node.choice("`headless`", Headless)
    return Headless.DENY
