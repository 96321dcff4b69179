"""What is answered is what the contract says, to each role what it may see."""

from __future__ import annotations

import uuid

import msgspec
import pytest

from lineclear.api.documents import DecisionDocument, RecordDocument

ENVIRONMENT = {
    "workspace_roots": ["/work/repo"],
    "home": "/home/dev",
    "platform": "linux",
    "shell": "bash",
    "repository_trusted": True,
}

CALLS = {
    "allow": {"tool_name": "Bash", "tool_input": {"command": "git status"}},
    "ask": {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}},
    "deny": {"tool_name": "Bash", "tool_input": {"command": "cat /etc/shadow"}},
    "deny it": {
        "tool_name": "Write",
        "tool_input": {"file_path": "/work/repo/a", "content": "x"},
        "permission_mode": "plan",
    },
}


def asked(client, name, **more):
    call = {"session_id": f"s-{uuid.uuid4()}", "cwd": "/work/repo", "environment": ENVIRONMENT} | CALLS[name] | more
    answer = client.post("/v1/decisions", json=call)
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize("name", CALLS)
def test_answers_fit_the_contract(service, name):
    with service.client() as client:
        answer = asked(client, name)
    document = msgspec.json.decode(answer.content, type=DecisionDocument)
    assert document.verdict == name.split()[0]
    assert document.findings[0].code == document.code


@pytest.mark.parametrize("name", CALLS)
def test_a_decision_is_read_as_it_was_answered(service, name):
    with service.client() as client, service.client("operator") as operator:
        answer = asked(client, name).json()
        assert client.get(f"/v1/decisions/{answer['decision_id']}").json() == answer
        watched = operator.get(f"/v1/decisions/{answer['decision_id']}?wait_s=0.1")
        assert watched.json().items() >= answer.items()
        assert (
            msgspec.json.decode(watched.content, type=RecordDocument).request["tool_name"] == CALLS[name]["tool_name"]
        )


def test_an_agent_s_key_is_told_no_rule(service, lineclear):
    key = lineclear("keys", "create", "--role", "agent", "--principal", "bot", data=service.data).stdout.strip()
    with service.client(None) as client:
        client.headers["authorization"] = f"Bearer {key}"
        answer = asked(client, "deny")
        msgspec.json.decode(answer.content, type=DecisionDocument)
        document = answer.json()
        assert document["reason"] is None
        assert all(set(finding) == {"code", "verdict"} for finding in document["findings"])
        again = client.get(f"/v1/decisions/{document['decision_id']}").json()
        assert again == document
    with service.client() as other:
        assert other.get(f"/v1/decisions/{document['decision_id']}").status_code == 404


def test_secrets_leave_in_no_answer(service):
    secret = "ghp_" + "a1B2" * 9
    with service.client() as client:
        answer = asked(client, "ask", tool_input={"command": f"git push https://u:{secret}@github.com/a/b main"})
    assert secret not in answer.text


def test_every_metric_of_a_decision_moves(service, lineclear):
    key = lineclear("keys", "create", "--role", "metrics", "--principal", "p", data=service.data).stdout.strip()
    with service.client() as client:
        asked(client, "ask", agent={"host": "claude-code"})
        asked(client, "ask", agent={"host": "something-new"})
        scraped = client.get("/metrics", headers={"authorization": f"Bearer {key}"}).text
    for sample in (
        'host="claude-code"',
        'host="other"',
        'lineclear_decision_duration_seconds_count{path="deterministic"}',
        'lineclear_check_duration_seconds_count{stage="commit"}',
        "lineclear_commit_batch_records_count",
        "lineclear_policy_info{version=",
    ):
        assert sample in scraped
    assert "something-new" not in scraped
