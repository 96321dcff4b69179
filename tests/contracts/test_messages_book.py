"""Conversations are kept in order, each message once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, a_session, an_entry
from lineclear.core.call import SessionKey
from lineclear.core.joining import Said
from lineclear.core.redact import Redacted
from lineclear.engine.conversation import Heard

OTHER = SessionKey(("installation-2", KEY[1]))


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


def a_message(text, message_id=None):
    return Heard(Said(message_id, f"hash of {text}"), Redacted([[text, False, False]]))


async def test_messages_are_kept_in_order_and_once(books):
    fresh = a_session()
    assert await books.messages.join(fresh, [a_message("a"), a_message("b")]) == 2
    assert await books.messages.join(fresh, [a_message("b"), a_message("c", "m-1")]) == 1
    kept, missing = await books.messages.latest(KEY, 10)
    assert ([one[0][0] for one in kept], missing) == (["a", "b", "c"], 0)
    assert (await books.log.known(KEY, None)).session.messages == 3
    assert await books.messages.latest(OTHER, 10) == ([], 0)


async def test_the_first_and_the_latest_are_told(books):
    await books.messages.join(a_session(), [a_message(str(n)) for n in range(9)])
    kept, missing = await books.messages.latest(KEY, 4)
    assert ([one[0][0] for one in kept], missing) == (["0", "6", "7", "8"], 5)


async def test_a_session_that_is_there_is_only_counted_on(books):
    entry = an_entry()
    await books.log.commit([entry])
    await books.messages.join(a_session(), [a_message("a")])
    assert (await books.log.known(KEY, None)).session == replace(entry.session, messages=1)
