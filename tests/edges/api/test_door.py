"""Nobody gets in without the right key, and no web page gets in at all."""

from __future__ import annotations

import pytest

from lineclear.api.app import routes
from lineclear.api.endpoints import DECIDE, ENDPOINTS, EndpointIndex
from lineclear.api.problems import Problems
from lineclear.core.call import Role

DECISIONS = "/v1/decisions"
BODY = (
    b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}, "decisions": [], "outcome": "approved",'
    b' "messages": [{"role": "user", "content": "go on"}], "reason": "a false alarm",'
    b' "files": {"organisation/a.yaml": "version: 1"}}'
)
JSON = {"content-type": "application/json"}
KEYED = [endpoint for endpoint in ENDPOINTS if endpoint.roles is not None]


def spelled(path: str) -> str:
    return path.replace("{decision_id}", "01981f00-0000-7000-8000-000000000001")


def flat(found):
    """The routes of routers within routers."""
    for route in found:
        inner = getattr(route, "original_router", None)
        yield from flat(inner.routes) if inner is not None else [route]


def test_every_route_is_in_the_table(world):
    framework = routes(world.needs, Problems(world.metrics))
    served = {(method, route.path) for route in flat(framework.routes) for method in route.methods}
    assert served | {(DECIDE.method, DECIDE.path)} == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}


@pytest.mark.parametrize("endpoint", KEYED, ids=lambda e: f"{e.method} {e.path}")
@pytest.mark.parametrize("role", Role)
async def test_a_key_opens_its_role_s_endpoints_and_no_others(world, endpoint, role):
    async with world.client(role) as client:
        answer = await client.request(endpoint.method, spelled(endpoint.path), content=BODY, headers=JSON)
    if role in endpoint.roles:
        assert answer.status_code in {200, 404} or endpoint.path.endswith("/outcome")
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert world.engine.seen == []


@pytest.mark.parametrize("endpoint", KEYED, ids=lambda e: f"{e.method} {e.path}")
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer lck_wrong",
        "Basic bGNrX2hvc3Q6",
        "lck_host",
        "Bearer " + "x" * 9000,
        "Bearer ÿ",
    ],
    ids=["none", "empty", "no key", "blank key", "unknown", "basic", "no scheme", "long", "not ascii"],
)
async def test_without_a_known_key_there_is_nothing(world, endpoint, authorization):
    headers = JSON if authorization is None else JSON | {"authorization": authorization.encode("latin-1")}
    async with world.client() as client:
        answer = await client.request(endpoint.method, spelled(endpoint.path), content=BODY, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert world.engine.seen == []


async def test_two_keys_in_one_request_are_none(world):
    async with world.client() as client:
        headers = [("authorization", f"Bearer {world.secrets[Role.HOST]}")] * 2 + list(JSON.items())
        answer = await client.post(DECISIONS, content=BODY, headers=headers)
    assert answer.status_code == 401


async def test_a_revoked_key_is_unknown(world):
    await world.keys.revoke("k-host")
    async with world.client(Role.HOST) as client:
        answer = await client.post(DECISIONS, content=BODY, headers=JSON)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"origin": "http://localhost:8642"}, 403, "origin_refused"),
        ({"origin": "null"}, 403, "origin_refused"),
        ({"host": "evil.example"}, 403, "host_refused"),
        ({"host": "localhost.evil.example:8642"}, 403, "host_refused"),
        ({"host": "localhost@evil.example"}, 403, "host_refused"),
        ({"host": ""}, 403, "host_refused"),
        ({"content-type": "text/plain"}, 415, "unsupported_media_type"),
        ({"content-type": "application/x-www-form-urlencoded"}, 415, "unsupported_media_type"),
        ({"content-type": "application/json-patch+json"}, 415, "unsupported_media_type"),
        ({"content-type": "application/json; charset=utf-16"}, 415, "unsupported_media_type"),
        ({"content-encoding": "gzip"}, 415, "unsupported_media_type"),
    ],
    ids=lambda value: str(value)[:48],
)
async def test_what_a_web_page_could_send_is_refused(world, headers, status, code):
    async with world.client(Role.HOST) as client:
        answer = await client.post(DECISIONS, content=BODY, headers=JSON | headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert world.engine.seen == []


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "LOCALHOST:1"},
        {"host": "localhost."},
        {"host": "[::1]:8642"},
        {"host": "127.0.0.1"},
        {"content-type": "Application/JSON; charset=UTF-8"},
        {"authorization": "bearer lck_host"},
    ],
    ids=str,
)
async def test_other_spellings_of_what_is_allowed_are_too(world, headers):
    async with world.client(Role.HOST) as client:
        answer = await client.post(DECISIONS, content=BODY, headers=JSON | headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/v1", 404),
        ("POST", "/v1/decisions/", 404),
        ("POST", "//v1/decisions", 404),
        ("POST", "/v1/Decisions", 404),
        ("GET", "/v1/decisions/a/b", 404),
        ("DELETE", "/v1/decisions", 405),
        ("PUT", "/v1/decisions", 405),
        ("OPTIONS", "/v1/decisions", 405),
        ("POST", "/livez", 405),
        ("DELETE", "/v1/policy", 405),
    ],
)
async def test_what_is_not_in_the_table_is_not_served(world, method, path, status):
    async with world.client(Role.HOST) as client:
        answer = await client.request(method, f"http://localhost{path}", headers=JSON)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    if status == 405:
        assert answer.headers["allow"]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: f"{e.method} {e.path}")
def test_the_index_finds_each_row(endpoint):
    assert EndpointIndex(ENDPOINTS).at(spelled(endpoint.path))[endpoint.method] is endpoint


async def test_failures_of_keys_are_counted_by_cause(world):
    async with world.client() as client:
        await client.get("/v1/policy")
        await client.get("/v1/policy", headers={"authorization": "Bearer lck_nobody"})
    async with world.client(Role.AGENT) as client:
        await client.get("/v1/policy")
    for cause in ("missing", "unknown", "role"):
        assert world.count(f'lineclear_auth_failures_total{{cause="{cause}"}}') == 1
