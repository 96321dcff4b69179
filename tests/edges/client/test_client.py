"""Both clients: an answer is acted on, and whatever is none is what was chosen for that: by default a denial."""

from __future__ import annotations

import json
import time

import pytest

from edges.client.conftest import DECISION, http
from lineclear.client import Client, NoVerdict
from lineclear.client.http import Address, Reply

CALL = ("s-1", "Bash", {"command": "ls"})


@pytest.fixture
def client(clients, service):
    made = clients.open(f"http://127.0.0.1:{service.name[1]}")
    yield made
    made.close()


def test_an_allow(client, service):
    decision = client.decide(*CALL, tool_use_id="t-1", cwd="/work/repo")
    assert (decision.allowed, decision.asked, decision.id, decision.code) == (True, False, "d-1", "allow_rule")
    assert decision.objection is False
    (body,) = service.bodies
    assert body.pop("timeout_ms") == 27_000
    assert body == {
        "session_id": "s-1",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "t-1",
        "cwd": "/work/repo",
    }
    head = service.requests[0].partition(b"\r\n\r\n")[0]
    assert head.startswith(b"POST /v1/decisions HTTP/1.1\r\nhost: 127.0.0.1:")
    assert b"\r\nauthorization: Bearer lck_k\r\n" in head


def test_over_a_unix_socket(clients, unix_service):
    client = clients.open(f"unix:{unix_service.name}")
    assert client.decide(*CALL).allowed
    client.close()


def test_connections_are_kept(client, service):
    for _ in range(5):
        assert client.decide(*CALL).allowed
    assert service.connections == 1


def test_a_connection_that_the_service_closed_is_opened_again(client, service):
    service.close_after = True
    for _ in range(3):
        assert client.decide(*CALL).allowed
        time.sleep(0.05)
    assert len(service.requests) == 3


def test_connections_that_are_to_be_closed_are(client, service):
    service.answers = [http(DECISION, connection="close")]
    client.decide(*CALL)
    client.decide(*CALL)
    assert service.connections == 2


@pytest.mark.parametrize("verdict", ["deny", "ask", "Allow", "maybe", None, True, 1, ["allow"], {}])
def test_only_allow_allows(client, service, verdict):
    service.answers = [http(DECISION | {"verdict": verdict})]
    decision = client.decide(*CALL)
    assert not decision.allowed
    assert decision.verdict == ("ask" if verdict == "ask" else "deny")


NONE = {
    "a problem": http({"code": "storage_unavailable", "detail": "d"}, 503),
    "a problem that is an allow": http(DECISION, 500),
    "a redirect": http(b"", 302),
    "no JSON": http(b"allow"),
    "a list": http([DECISION]),
    "no verdict": http({}),
    "nothing": b"",
    "no HTTP": b"allow\r\n\r\n",
    "no length": b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(DECISION).encode(),
    "chunks": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "too long": b"HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n",
    "a length of thousands of digits": b"HTTP/1.1 200 OK\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n",
    "cut off": http(DECISION)[:-5],
    "an endless head": b"HTTP/1.1 200 OK\r\nx: " + b"x" * 70_000,
    "nesting": http(b"[" * 100_000),
}


@pytest.mark.parametrize("answer", NONE.values(), ids=NONE)
def test_no_answer_is_a_denial(client, service, answer):
    service.answers, service.close_after = [answer], True
    decision = client.decide(*CALL)
    assert (decision.verdict, decision.id) == ("deny", None)
    assert decision.code.startswith("no_verdict:")
    assert "outage" in decision.agent_message


@pytest.mark.parametrize(("chosen", "verdict"), [("deny", "deny"), ("ask", "ask"), ("allow", "allow")])
def test_what_was_chosen_for_no_answer(clients, chosen, verdict):
    client = clients.open("unix:/nonexistent", on_failure=chosen)
    assert client.decide(*CALL).verdict == verdict


def test_the_failure_itself_can_be_chosen(clients):
    with pytest.raises(NoVerdict, match="can't be reached"):
        clients.open("unix:/nonexistent", on_failure="raise").decide(*CALL)


def test_a_choice_that_there_is_not(clients):
    with pytest.raises(ValueError, match="open"):
        clients.open("unix:/x", on_failure="open")


def test_silence_ends_at_the_deadline(clients, service):
    service.answers = [b"hang"]
    begun = time.monotonic()
    decision = clients.open(f"http://127.0.0.1:{service.name[1]}", timeout_s=0.3).decide(*CALL)
    assert (decision.verdict, decision.code) == ("deny", "no_verdict:timed_out")
    assert time.monotonic() - begun < 2


def test_an_answer_that_drips_ends_at_the_deadline_too(clients, service):
    service.drip = True
    begun = time.monotonic()
    decision = clients.open(f"http://127.0.0.1:{service.name[1]}", timeout_s=0.5).decide(*CALL)
    assert decision.code == "no_verdict:timed_out"
    assert time.monotonic() - begun < 2


def test_what_comes_behind_an_answer_is_not_the_next_one(clients, service):
    denied = http(DECISION | {"verdict": "deny"})
    service.answers = [http(DECISION) + http(DECISION), denied]
    client = clients.open(f"http://127.0.0.1:{service.name[1]}")
    assert [client.decide(*CALL).verdict for _ in range(2)] == ["allow", "deny"]
    client.close()
    assert service.connections == 2


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, b"x", object()], ids=repr)
def test_what_is_no_json_is_not_sent_and_not_run(client, service, value):
    assert client.decide("s", "x", {"a": value}).code == "no_verdict:unsendable"
    assert service.requests == []


def test_reports_and_words(client, service):
    service.answers = [http({"retry": {"advice": "safe"}})]
    assert client.report("d/1", "executed") == {"retry": {"advice": "safe"}}
    client.say("s 1", [{"role": "user", "content": "push it"}])
    paths = [request.split(b" ")[1] for request in service.requests]
    assert paths == [b"/v1/decisions/d%2F1/outcome", b"/v1/sessions/s%201/messages"]
    assert service.bodies == [{"outcome": "executed"}, {"messages": [{"role": "user", "content": "push it"}]}]


def test_a_refused_report_is_said(client, service):
    service.answers = [http({"code": "conflict", "detail": "answered already"}, 409)]
    with pytest.raises(NoVerdict, match="answered already") as caught:
        client.report("d", "approved")
    assert (caught.value.status, caught.value.code) == (409, "conflict")


def test_words_are_enough(client, service):
    client.say("s", ["push it", {"role": "user", "content": "now"}])
    said = [{"role": "user", "content": text} for text in ("push it", "now")]
    assert service.bodies == [{"messages": said}]


def test_what_is_wrong_with_a_request_is_said(client, service):
    errors = [{"pointer": "/messages/0", "code": "type", "message": "expected an object"}]
    service.answers = [http({"code": "malformed", "detail": "no", "errors": errors}, 400)]
    with pytest.raises(NoVerdict, match=r"no \(expected an object at `/messages/0`\)"):
        client.say("s", [7])


@pytest.mark.parametrize("url", [f"http://{'a' * 64}.example:1", "http://a..b:1", "http://no-such-host.invalid:1"])
def test_a_name_that_leads_nowhere_is_no_verdict(clients, url):
    assert clients.open(url).decide(*CALL).code == "no_verdict:unreachable"


class Gone:
    """A kept connection whose network is gone: not closed, but out of reach."""

    def settimeout(self, _: float) -> None: ...

    def sendall(self, _: bytes) -> None:
        raise OSError(113, "No route to host")

    def close(self) -> None: ...


def test_a_kept_connection_that_broke_is_no_verdict():
    client = Client("http://127.0.0.1:9", "lck_k")
    client._idle.append(Gone())
    assert client.decide(*CALL).code == "no_verdict:unreachable"


@pytest.mark.parametrize("url", ["", "localhost", "ftp://x", "http://", "http://x/path", "http://x:port"])
def test_what_is_no_address(url):
    with pytest.raises(ValueError):
        Address.of(url)


def test_a_key_can_not_forge_a_header(service):
    decision = Client(f"http://127.0.0.1:{service.name[1]}", "lck_a\r\nx: y").decide(*CALL)
    assert decision.code == "no_verdict:unsendable"


def test_an_answer_in_pieces_is_the_same():
    reply, whole = Reply(), http(DECISION)
    assert [reply.fed(whole[at : at + 1]) for at in range(len(whole))].index(True) == len(whole) - 1
    assert reply.document() == DECISION
