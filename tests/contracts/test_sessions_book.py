"""Sessions are found, listed, reset and closed."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, NOW, a_record, a_session
from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.call import Key, Principal, Role, SessionKey
from lineclear.core.redact import Redacted
from lineclear.engine.ids import uuid7_of
from lineclear.engine.log import Entry
from lineclear.engine.sessions import Deed

OTHER = SessionKey(("installation-2", KEY[1]))
ANNA = Key("k-9", Role.OPERATOR, Principal("anna"))


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


async def test_sessions_are_found_listed_and_reset(books):
    keys = [SessionKey(("p-1", "a")), SessionKey(("p-2", "b")), SessionKey(("p-1", "c"))]
    opened_breaker = Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)
    for number, key in enumerate(keys):
        session = replace(a_session(key), id=uuid7_of(number + 1, number))
        if number == 1:
            session = replace(session, breaker=opened_breaker, steps=1)
        await books.log.commit([Entry(a_record(key), session, None)])
    first, second, third = [(await books.log.known(key, None)).session for key in keys]
    page = books.sessions.page
    assert list(await page(None, open_only=False, before=None, limit=9)) == [third, second, first]
    assert list(await page(None, open_only=False, before=third.id, limit=1)) == [second]
    assert list(await page("p-1", open_only=False, before=None, limit=9)) == [third, first]
    assert list(await page(None, open_only=True, before=None, limit=9)) == [second]
    assert await books.sessions.find(second.id) == second
    assert await books.sessions.find(uuid4()) is None
    assert await books.sessions.named(keys[0]) == first
    assert await books.sessions.named(OTHER) is None
    deed = Deed(uuid4(), ANNA, NOW, Redacted("a false alarm"))
    assert (await books.sessions.reset(second, deed)).breaker == Breaker(0, 3, None, 1)
    assert await books.sessions.reset(second, deed) is None
    assert await books.sessions.reset(first, deed) is None
