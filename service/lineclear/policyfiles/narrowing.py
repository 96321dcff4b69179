"""A caller's own list of tools, read as allow rules are: a text that could be none allows nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.rule import Effect, Layer, Origin
from lineclear.policyfiles import short

if TYPE_CHECKING:
    from lineclear.core.policy import Narrowing
    from lineclear.core.rules.rule import Rule
    from lineclear.policyfiles.vocabulary import Vocabulary

_LISTS_KEPT = 64
_MOST_IN_A_LIST = 50
"""Of longer lists only the last is kept, for a call's other readings: what is kept stays small, whoever asks."""
_ORIGIN = Origin("allowed_tools", 1, 1)


def narrowing(vocabulary: Vocabulary) -> Narrowing:
    """How lists are read by a policy's words; those of a session stay the same from call to call, and are kept."""

    def book(texts: tuple[str, ...]) -> RuleBook | None:
        rules = [found for text in dict.fromkeys(texts) if (found := _rule(text, vocabulary)) is not None]
        return RuleBook(rules, vocabulary.programs) if rules else None

    kept, last = lru_cache(maxsize=_LISTS_KEPT)(book), lru_cache(maxsize=1)(book)
    return lambda texts: (kept if len(texts) <= _MOST_IN_A_LIST else last)(texts)


def _rule(text: str, vocabulary: Vocabulary) -> Rule | None:
    try:
        return short.rule(text, Effect.ALLOW, Layer.ORGANISATION, _ORIGIN, vocabulary)
    except RuleFault:
        return None
