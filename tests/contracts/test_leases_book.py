"""A lease is one holder's, until it is given back or runs out."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY
from lineclear.core.call import SessionKey

OTHER = SessionKey(("installation-2", KEY[1]))


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


async def test_a_lease_is_one_s_until_it_is_given_back(books):
    first, second = uuid4(), uuid4()
    assert await books.leases.take(KEY, "t-1", first, for_s=60)
    assert not await books.leases.take(KEY, "t-1", second, for_s=60)
    assert await books.leases.take(KEY, "t-2", second, for_s=60)
    assert await books.leases.take(OTHER, "t-1", second, for_s=60)
    await books.leases.release(KEY, "t-1", second)
    assert not await books.leases.take(KEY, "t-1", second, for_s=60), "only its holder gives it back"
    await books.leases.release(KEY, "t-1", first)
    assert await books.leases.take(KEY, "t-1", second, for_s=60)


async def test_a_lease_whose_holder_died_runs_out(books):
    assert await books.leases.take(KEY, "t-1", uuid4(), for_s=0.05)
    await asyncio.sleep(0.1)
    assert await books.leases.take(KEY, "t-1", uuid4(), for_s=60)


async def test_of_many_one_has_it(books):
    taken = await asyncio.gather(*(books.leases.take(KEY, "t-1", uuid4(), for_s=60) for _ in range(16)))
    assert taken.count(True) == 1
