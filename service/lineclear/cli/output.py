"""How what was found is printed: as text for people, as JSON for machines, as Markdown for reviews."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any, assert_never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Lines = Callable[[dict[str, Any]], Iterable[str]]
    """What makes lines of a document."""


class Output(StrEnum):
    """How it is printed."""

    TEXT = "text"
    JSON = "json"


class ReviewOutput(StrEnum):
    """How what is looked at in a review is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def reviewed(told: dict[str, Any], output: ReviewOutput, *, text: Lines, markdown: Lines) -> None:
    """Print a document in the form that was chosen."""
    match output:
        case ReviewOutput.JSON:
            as_json(told)
        case ReviewOutput.MARKDOWN:
            print("\n".join(markdown(told)))
        case ReviewOutput.TEXT:
            print("\n".join(text(told)))
        case never:
            assert_never(never)


def as_json(document: object) -> None:
    """Print a document for machines that people may read too."""
    print(json.dumps(document, indent=2, ensure_ascii=False))
