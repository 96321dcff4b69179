"""Lists refuse what they don't know, so that a misspelled filter never shows everything."""

from __future__ import annotations

import pytest

from lineclear.core.call import Role


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/v1/decisions", "verdit=deny"),
        ("/v1/decisions", "verdict=maybe"),
        ("/v1/decisions", "code=made_up"),
        ("/v1/decisions", "since=yesterday"),
        ("/v1/decisions", "since=0001-01-01T00:00:00%2B14:00"),
        ("/v1/decisions", "until=9999-12-31T23:59:59-14:00"),
        ("/v1/decisions", "session_id=a%00"),
        ("/v1/decisions", "rule=%00"),
        ("/v1/decisions", "tool_name=%00"),
        ("/v1/decisions", "verdict=deny&verdict=allow"),
        ("/v1/decisions", "limit=0"),
        ("/v1/decisions", "limit=201"),
        ("/v1/decisions", "cursor=!"),
        ("/v1/decisions", "cursor=AAAA"),
        ("/v1/approvals", "status=approved"),
        ("/v1/approvals", "principal=x"),
        ("/v1/sessions", "breaker=closed"),
        ("/v1/sessions", "open=true"),
    ],
)
async def test_what_a_list_does_not_know_is_malformed(world, path, query):
    async with world.client(Role.OPERATOR) as client:
        answer = await client.get(f"{path}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"]


@pytest.mark.parametrize("path", ["/v1/decisions", "/v1/approvals", "/v1/sessions"])
async def test_an_empty_list_has_no_next_page(world, path):
    async with world.client(Role.OPERATOR) as client:
        answer = await client.get(f"{path}?limit=5")
    assert (answer.status_code, answer.json()) == (200, {"items": [], "next_cursor": None})


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/v1/sessions/s/messages", {"messages": []}, "/messages"),
        (
            "/v1/sessions/AKIAIOSFODNN7EXAMPLE/messages",
            {"messages": [{"role": "user", "content": "hi"}]},
            "/session_id",
        ),
        ("/v1/sessions/s/messages", {}, ""),
        ("/v1/sessions/s/messages", {"messages": [{"role": "user"}]}, "/messages/0"),
        ("/v1/sessions/s/messages", {"messages": [{"role": "user", "content": 5}]}, "/messages/0/content"),
        ("/v1/decisions/01981f00-0000-7000-8000-000000000001/outcome", {"outcome": "ran"}, "/outcome"),
        (
            "/v1/decisions/01981f00-0000-7000-8000-000000000001/outcome",
            {"outcome": "approved", "scope": "ever"},
            "/scope",
        ),
        ("/v1/decisions/mine/outcome", {"outcome": "executed"}, "/path/decision_id"),
    ],
)
async def test_a_body_that_does_not_fit_is_named_by_its_place(world, path, body, pointer):
    async with world.client(Role.HOST) as client:
        answer = await client.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("content", ["\\u0000", "\\ud800"])
async def test_texts_that_no_database_holds_are_refused(world, content):
    async with world.client(Role.HOST, **{"content-type": "application/json"}) as client:
        body = f'{{"messages": [{{"role": "user", "content": "{content}"}}]}}'
        answer = await client.post("/v1/sessions/s/messages", content=body)
    assert answer.status_code == 400
