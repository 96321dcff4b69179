"""New sessions are no way out of a breaker: too many that tripped theirs, and the next ones ask a person too."""

from __future__ import annotations

import pytest

from lineclear.core.call import Key, Principal, Role
from support.desks import ALLOW, AUTO, BLOCK, OPERATOR, said

OTHER = Key("k-other", Role.HOST, Principal("another-installation"))


async def tripped(opened, *more, sessions=3, **settings):
    """A principal that has tripped the breakers of its latest sessions."""
    desk = opened(*[BLOCK] * (3 * sessions), *more, **settings)
    for number in range(sessions):
        for call in range(3):
            assert await desk.run(f"make denied{call}", session_id=f"tripped-{number}") == "deny classifier_block"
    return desk


async def test_a_new_session_after_three_open_breakers_is_asked_about_and_no_model_is(opened):
    desk = await tripped(opened)
    asked = len(desk.classifier.asked)
    answer = await desk.decide({"command": "make fine"}, session_id="fresh")
    assert said(answer) == "ask breaker_open"
    assert "3 sessions of this principal" in answer["reason"]
    assert await desk.run("make more", session_id="fresh") == "ask breaker_open", "its second call as well"
    assert len(desk.classifier.asked) == asked
    assert await desk.run("git status", session_id="fresh") == "allow read_only_command", "checks decide as ever"


async def test_a_session_whose_user_spoke_first_is_none_the_older(opened):
    desk = await tripped(opened)
    words = [{"role": "user", "content": "make it", "message_id": "m-1"}]
    assert await desk.run("make fine", session_id="fresh", messages=words) == "ask breaker_open"


async def test_without_anybody_to_ask_it_is_denied(opened):
    desk = await tripped(opened)
    assert await desk.run("make fine", session_id="fresh", interactive=False) == "deny breaker_open"


async def test_two_open_breakers_are_no_flight(opened):
    desk = await tripped(opened, ALLOW, sessions=2)
    assert await desk.run("make fine", session_id="fresh") == "allow classifier_allow"


async def test_nor_are_those_of_another_principal(opened):
    desk = await tripped(opened, ALLOW)
    assert await desk.run("make fine", key=OTHER, session_id="fresh") == "allow classifier_allow"


async def test_nor_those_from_an_hour_ago(opened):
    desk = await tripped(opened, ALLOW)
    desk.clock.advance(hours=1, seconds=1)
    assert await desk.run("make fine", session_id="fresh") == "allow classifier_allow"


async def test_a_session_that_is_older_goes_on(opened):
    desk = opened(ALLOW, *[BLOCK] * 9, ALLOW)
    assert await desk.run("make first", session_id="old") == "allow classifier_allow"
    desk.clock.advance(hours=1, seconds=1)
    for number in range(3):
        for call in range(3):
            await desk.run(f"make denied{call}", session_id=f"tripped-{number}")
    assert await desk.run("make fine", session_id="old") == "allow classifier_allow"


async def test_an_operator_who_resets_one_lets_new_sessions_begin(opened):
    desk = await tripped(opened, ALLOW)
    [*sessions] = await desk.sessions.page(OPERATOR, open_only=True, before=None, limit=9)
    await desk.sessions.reset(str(sessions[0].id), OPERATOR, "a false alarm")
    assert await desk.run("make fine", session_id="fresh") == "allow classifier_allow"


async def test_a_policy_that_only_observes_knows_no_flight(opened):
    desk = opened(*[BLOCK] * 9, ALLOW, organisation=AUTO + "enforcement: observe\n")
    for number in range(3):
        for call in range(3):
            await desk.run(f"make denied{call}", session_id=f"tripped-{number}")
    assert await desk.run("make fine", session_id="fresh") == "allow classifier_allow"


@pytest.mark.parametrize("session_id", ["tripped-0", "tripped-2"])
async def test_the_sessions_themselves_ask_as_before(opened, session_id):
    desk = await tripped(opened)
    assert "in a row" in (await desk.decide({"command": "make fine"}, session_id=session_id))["reason"]
