"""``POST /v1/policy/explain``: for those who own the policy, without a record."""

import pytest

from lineclear.core.call import Role
from support.judging import ENVIRONMENT, policy

REQUEST = {
    "session_id": "s",
    "tool_name": "Bash",
    "tool_input": {"command": "git push"},
    "cwd": "/work/repo",
    "environment": ENVIRONMENT,
}
RULE = "version: 1\nrules: [{id: r, effect: deny, command: [ls], when: '\"x\" in principal.groups'}]\n"
PATH = "/v1/policy/explain"


@pytest.fixture
def explaining(world):
    world.policy.current = policy(RULE)
    return world


async def test_it_decides_and_records_nothing(explaining):
    async with explaining.client(Role.EDITOR) as client:
        answer = await client.post(PATH, json=REQUEST)
    told = answer.json()
    assert (answer.status_code, told["verdict"], told["code"]) == (200, "ask", "ask_rule")
    assert told["decision_id"] is None
    assert explaining.engine.seen == []
    decides = [check["number"] for check in told["trace"]["checks"] if check["state"] == "decides"]
    assert decides == ["10"]


async def test_it_decides_in_the_place_of_a_caller(explaining):
    listing = {**REQUEST, "tool_input": {"command": "ls"}}
    async with explaining.client(Role.OPERATOR) as client:
        alone = (await client.post(PATH, json=listing)).json()
        grouped = (await client.post(PATH, json={**listing, "principal": {"id": "p", "groups": ["x"]}})).json()
    assert (alone["verdict"], grouped["verdict"]) == ("allow", "deny")


@pytest.mark.parametrize("role", [Role.AGENT, Role.HOST, Role.METRICS])
async def test_it_is_not_for_those_who_are_judged(explaining, role):
    async with explaining.client(role) as client:
        assert (await client.post(PATH, json=REQUEST)).status_code == 403


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"tool_name": None}, "/tool_name"),
        ({"role": "operator"}, "/role"),
        ({"role": "nobody"}, "/role"),
        ({"principal": "x"}, "/principal"),
        ({"principal": {"groups": [1]}}, "/principal/groups/0"),
        ({"principal": {"id": "a\0"}}, ""),
    ],
    ids=["a call", "a role that isn't judged", "no role", "no principal", "a group that is no name", "a NUL"],
)
async def test_what_is_malformed_is_named(explaining, changed, pointer):
    async with explaining.client(Role.EDITOR) as client:
        answer = await client.post(PATH, json={**REQUEST, **changed})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
