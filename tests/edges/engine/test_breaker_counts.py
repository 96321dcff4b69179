"""The breaker counts what the classifier said, once each, and while it is open a person decides."""

from __future__ import annotations

import asyncio

import pytest

from lineclear.engine.errors import Conflict
from support.desks import AGENT, ALLOW, AUTO, BLOCK, OPERATOR, OUTAGE, UNSURE, said

OBSERVE = AUTO + "enforcement: observe\n"
OPEN = {"state": "open", "consecutive": 3, "total": 3, "opened_by": "consecutive"}


async def blocked(desk, count=3, start=0):
    return [await desk.decide({"command": f"make denied{number}"}) for number in range(start, start + count)]


async def opened_breaker(opened, *more, **settings):
    desk = opened(BLOCK, BLOCK, BLOCK, *more, **settings)
    await blocked(desk)
    return desk


async def test_it_opens_at_three_in_a_row_and_then_asks_a_person(opened):
    desk = opened(BLOCK, BLOCK, BLOCK, ALLOW)
    answers = await blocked(desk)
    assert [said(answer) for answer in answers] == ["deny classifier_block"] * 3
    assert [answer["breaker"]["state"] for answer in answers] == ["closed", "closed", "open"]
    answer = await desk.decide({"command": "make fine"})
    assert said(answer) == "ask breaker_open"
    assert answer["breaker"] == OPEN
    assert answer["approval"]["state"] == "pending"
    assert "denied 3 calls of this session in a row" in answer["reason"]
    assert len(desk.classifier.asked) == 3
    assert desk.told.openings == ["consecutive"]


async def test_an_allow_breaks_the_row(opened):
    desk = opened(BLOCK, BLOCK, ALLOW, BLOCK, BLOCK, ALLOW)
    await blocked(desk, 2)
    assert await desk.run("make fine") == "allow classifier_allow"
    last = (await blocked(desk, 2, start=2))[-1]
    assert last["breaker"] == {"state": "closed", "consecutive": 2, "total": 4, "opened_by": None}


async def test_it_opens_at_the_total_with_allows_in_between(opened):
    desk = opened(*([BLOCK, ALLOW] * 20), organisation=AUTO + "breaker: {consecutive: 3, total: 5}\n")
    for number in range(5):
        await desk.run(f"make denied{number}")
        answer = await desk.decide({"command": f"make fine{number}"})
    assert said(answer) == "ask breaker_open"
    assert answer["breaker"] == {"state": "open", "consecutive": 1, "total": 5, "opened_by": "total"}
    assert desk.told.openings == ["total"]


@pytest.mark.parametrize("command", ["git status", "cat /etc/shadow", "git push origin main"])
async def test_what_no_model_said_neither_counts_nor_launders(opened, command):
    desk = opened(BLOCK, BLOCK, OUTAGE, UNSURE, BLOCK)
    await blocked(desk, 2)
    for _ in range(4):
        await desk.run(command)
    await desk.run("make a")
    await desk.run("make b")
    assert (await blocked(desk, 1, start=2))[0]["breaker"] == OPEN


async def test_while_it_is_open_checks_still_decide(opened):
    desk = await opened_breaker(opened)
    assert await desk.run("git status") == "allow read_only_command"
    assert await desk.run("cat /etc/shadow") != "ask breaker_open"
    assert await desk.run("make x", permission_mode="default") == "ask default_mode"


async def test_without_anybody_to_ask_an_open_breaker_stops(opened):
    desk = await opened_breaker(opened)
    answer = await desk.decide({"command": "make x"}, interactive=False)
    assert (said(answer), answer["next"], answer["downgraded_from"]) == ("deny breaker_open", "stop", "ask")


async def test_all_agents_of_a_session_share_it_and_other_sessions_do_not(opened):
    desk = await opened_breaker(opened, ALLOW, ALLOW)
    sub = {"host": "claude-code", "id": "a-9", "type": "explore"}
    assert await desk.run("make x", agent=sub) == "ask breaker_open"
    assert said(await desk.decide({"command": "make x"}, key=AGENT, interactive=True)) == "deny breaker_open"
    assert await desk.run("make x", session_id="another") == "allow classifier_allow"


async def test_a_repeat_of_a_tool_use_id_counts_once(opened):
    desk = opened(BLOCK, BLOCK, BLOCK)
    for _ in range(3):
        answer = await desk.decide(tool_use_id="t-1")
    assert answer["replayed"]
    desk.clock.advance(seconds=61)
    await desk.conversation.hear(("laptop", "s"), [{"role": "user", "content": "and now?"}])
    again = await desk.decide(tool_use_id="t-1")
    assert said(again) == "deny classifier_block"
    assert not again["replayed"]
    assert again["breaker"]["total"] == 1
    assert len(desk.classifier.asked) == 2


async def test_a_late_allow_resets_nothing_and_a_late_denial_stays_one(opened):
    gate = asyncio.Event()
    desk = opened(BLOCK, BLOCK, BLOCK, ALLOW, gate=gate)
    held = [asyncio.create_task(desk.decide({"command": f"make held{n}"})) for n in range(4)]
    await desk.asked(4)
    gate.set()
    answers = await asyncio.gather(*held)
    codes = sorted(said(answer) for answer in answers)
    assert codes in (
        ["ask breaker_open", *["deny classifier_block"] * 3],
        ["allow classifier_allow", *["deny classifier_block"] * 3],
    )
    desk.classifier.lines += [BLOCK, BLOCK, BLOCK]
    if "ask breaker_open" not in codes:  # the allow came in between
        await blocked(desk, 3)
    state = (await desk.sessions.page(OPERATOR, open_only=True, before=None, limit=9))[0].breaker
    assert state.open
    assert state.consecutive == 3
    assert desk.told.openings == ["consecutive"]


async def test_four_are_asked_at_a_time_and_who_waited_becomes_a_question(opened):
    gate = asyncio.Event()
    desk = opened(*[BLOCK] * 50, gate=gate)
    calls = [asyncio.create_task(desk.decide({"command": f"make it{n}"})) for n in range(50)]
    await desk.asked(4)
    await asyncio.sleep(0.3)
    assert len(desk.classifier.asked) == 4
    gate.set()
    answers = [said(answer) for answer in await asyncio.gather(*calls)]
    assert answers.count("ask breaker_open") == 50 - len(desk.classifier.asked)
    assert 3 <= len(desk.classifier.asked) <= 6
    assert desk.told.openings == ["consecutive"]
    state = (await desk.sessions.page(OPERATOR, open_only=True, before=None, limit=9))[0].breaker
    assert (state.consecutive, state.total, state.opening) == (3, 3, 1)


async def test_a_policy_that_only_observes_has_no_breaker(opened):
    desk = opened(*[BLOCK] * 5, organisation=OBSERVE)
    answers = await blocked(desk, 5)
    assert [(said(answer), answer["enforced"], answer["breaker"]) for answer in answers] == [
        ("deny classifier_block", False, None)
    ] * 5
    assert desk.told.openings == []


async def test_it_opens_as_often_as_it_was_closed(opened):
    desk = opened(*[BLOCK] * 6)
    await blocked(desk)
    session = (await desk.sessions.page(OPERATOR, open_only=True, before=None, limit=9))[0]
    after = await desk.sessions.reset(str(session.id), OPERATOR, "a false alarm")
    assert (after.breaker.consecutive, after.breaker.total, after.breaker.open) == (0, 3, False)
    with pytest.raises(Conflict):
        await desk.sessions.reset(str(session.id), OPERATOR, "again")
    last = (await blocked(desk, 3, start=3))[-1]
    assert last["breaker"] == {"state": "open", "consecutive": 3, "total": 6, "opened_by": "consecutive"}
    assert desk.told.openings == ["consecutive", "consecutive"]


async def test_closing_a_session_does_not_forget_an_open_breaker(opened):
    desk = await opened_breaker(opened)
    session = (await desk.sessions.page(OPERATOR, open_only=True, before=None, limit=9))[0]
    await desk.sessions.close(str(session.id), OPERATOR)
    assert await desk.run("make x") == "ask breaker_open"
