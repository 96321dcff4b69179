from __future__ import annotations

import pytest

from support.desks import desk


@pytest.fixture(params=["memory", "postgres"])
def opened(request):
    """Opens a deployment with a classifier that plays its lines."""
    database = None if request.param == "memory" else request.getfixturevalue("database")
    return lambda *lines, **more: desk(database, lines, **more)
