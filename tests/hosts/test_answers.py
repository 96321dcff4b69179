"""What each host reads for allow, deny, ask, no objection, a refusal and an outage: exactly this."""

from __future__ import annotations

import pytest

from lineclear.hosts.host import Reply
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.ruling import NO_OBJECTION, OUTAGE, Ruling, Say, refused, ruled

DECISION = {
    "verdict": "deny",
    "code": "deny_rule",
    "reason": "WHY",
    "agent_message": "NO",
    "objection": True,
    "enforced": True,
}
ALLOW = DECISION | {"verdict": "allow", "objection": False}
ASK = DECISION | {"verdict": "ask"}
REFUSAL = "Lineclear gave no verdict, so the call is denied: the body is too large."
DOWN = "Lineclear gave no verdict, so the call is denied: the log is down. " + OUTAGE
NOTHING = Reply({})
CANT_ASK = "Lineclear: NO A person must decide, and this program can't ask here."


def claude(decision, text):
    inner = {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": text}
    return Reply({"hookSpecificOutput": inner})


def cursor(permission, user, agent):
    return Reply({"permission": permission, "user_message": user, "agent_message": agent})


def copilot(decision, text):
    return Reply({"permissionDecision": decision, "permissionDecisionReason": text})


def blocked(text):
    return Reply(exit_status=2, text=text)


EXACT = {
    "claude-code": (
        claude("allow", "Lineclear: WHY"),
        claude("deny", "Lineclear: NO"),
        claude("ask", "Lineclear: WHY"),
        claude("deny", REFUSAL),
        claude("deny", DOWN),
    ),
    "codex": (
        NOTHING,
        claude("deny", "Lineclear: NO"),
        claude("deny", CANT_ASK),
        claude("deny", REFUSAL),
        claude("deny", DOWN),
    ),
    "gemini-cli": (
        NOTHING,
        Reply({"decision": "deny", "reason": "Lineclear: NO"}),
        Reply({"decision": "deny", "reason": CANT_ASK}),
        Reply({"decision": "deny", "reason": REFUSAL}),
        Reply({"decision": "deny", "reason": DOWN}),
    ),
    "opencode": (
        NOTHING,
        Reply({"deny": "Lineclear: NO"}),
        Reply({"deny": CANT_ASK}),
        Reply({"deny": REFUSAL}),
        Reply({"deny": DOWN}),
    ),
    "cursor": (
        cursor("allow", "Lineclear: WHY", "Lineclear: NO"),
        cursor("deny", "Lineclear: WHY", "Lineclear: NO"),
        cursor("ask", "Lineclear: WHY", "Lineclear: NO"),
        cursor("deny", REFUSAL, REFUSAL),
        cursor("deny", DOWN.removesuffix(" " + OUTAGE), DOWN),
    ),
    "copilot-cli": (
        copilot("allow", "Lineclear: WHY"),
        copilot("deny", "Lineclear: NO"),
        copilot("ask", "Lineclear: WHY"),
        copilot("deny", REFUSAL),
        copilot("deny", DOWN),
    ),
    "windsurf": (NOTHING, blocked("Lineclear: NO"), blocked(CANT_ASK), blocked(REFUSAL), blocked(DOWN)),
    "kiro": (NOTHING, blocked("Lineclear: NO"), blocked(CANT_ASK), blocked(REFUSAL), blocked(DOWN)),
    "cline": (
        NOTHING,
        Reply({"cancel": True, "errorMessage": "Lineclear: NO"}),
        Reply({"cancel": True, "errorMessage": CANT_ASK}),
        Reply({"cancel": True, "errorMessage": REFUSAL}),
        Reply({"cancel": True, "errorMessage": DOWN}),
    ),
}


@pytest.fixture(params=HOSTS)
def host(request):
    return HOSTS[request.param]


def answer(host, ruling, event=None):
    return host.answer(event or host.abilities.gate, ruling)


def of(host, decision, *, sole=True, mode=None):
    return ruled(decision, host.abilities, sole=sole, mode=mode)


def test_exact_answers(host):
    rulings = (
        of(host, ALLOW),
        of(host, DECISION),
        of(host, ASK),
        refused("the body is too large", outage=False),
        refused("the log is down", outage=True),
    )
    assert tuple(answer(host, ruling) for ruling in rulings) == EXACT[host.abilities.name]


def test_no_objection_is_silence(host):
    for event in host.abilities.events:
        assert answer(host, NO_OBJECTION, event) == NOTHING


def test_beside_the_host_only_objections_are_sent(host):
    assert of(host, ALLOW, sole=False) is NO_OBJECTION
    assert of(host, ASK | {"code": "default_mode", "objection": False}, sole=False) is NO_OBJECTION
    assert of(host, DECISION, sole=False).say is Say.DENY
    assert of(host, ASK, sole=False).say in {Say.ASK, Say.DENY}


def test_what_is_only_observed_is_no_objection(host):
    assert of(host, DECISION | {"enforced": False}) is NO_OBJECTION


@pytest.mark.parametrize("verdict", [None, "", "ALLOW", "maybe", 1, {}])
def test_a_verdict_that_is_not_known_is_a_denial(host, verdict):
    assert of(host, DECISION | {"verdict": verdict}).say is Say.DENY


def test_an_ask_where_nobody_is_asked_is_a_denial():
    host = HOSTS["claude-code"]
    assert of(host, ASK, mode="dontAsk").say is Say.DENY
    assert of(host, ASK, mode="bypassPermissions").say is Say.ASK


@pytest.mark.parametrize("host_name", ["claude-code", "codex"])
def test_where_the_host_is_about_to_ask(host_name):
    host, event = HOSTS[host_name], "PermissionRequest"

    def told(decision):
        return Reply({"hookSpecificOutput": {"hookEventName": event, "decision": decision}})

    assert answer(host, of(host, ALLOW), event) == told({"behavior": "allow"})
    assert answer(host, of(host, DECISION), event) == told({"behavior": "deny", "message": "Lineclear: NO"})
    assert answer(host, Ruling(Say.ASK, "r", "m"), event) == NOTHING


def test_an_event_that_nothing_waits_for_is_never_blocked(host):
    for event, moment in host.abilities.events.items():
        if not moment.gates:
            assert answer(host, refused("x", outage=True), event) == NOTHING


def test_a_denial_always_has_a_text(host):
    """Exit status 2 without one, and an empty reason, are a go-ahead at several hosts."""
    reply = answer(host, of(host, {"verdict": "deny"}))
    assert reply.text or "Lineclear" in str(reply.document)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("beforeShellExecution", "ask"),
        ("beforeMCPExecution", "ask"),
        ("beforeReadFile", "deny"),
        ("preToolUse", "deny"),
    ],
)
def test_cursor_is_asked_only_where_it_is_known_to_ask(event, said):
    assert HOSTS["cursor"].answer(event, Ruling(Say.ASK, "r", "m")).document["permission"] == said
