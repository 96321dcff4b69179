"""From the first start to the last signal."""

from __future__ import annotations

import shlex
import signal
import socket
import stat
import subprocess
import threading
import time

import httpx
import pytest

from support.serving import ROOT, eventually

OK = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


def test_the_first_start_tells_all_that_is_needed(service):
    for word in (
        "database: embedded",
        "policy: sha256:",
        "classifier: off (auto mode will ask)",
        "host key:",
        "plug in",
    ):
        assert word in service.said
    for role in ("host", "operator"):
        file = service.data / "keys" / f"{role}.key"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((service.data / "secret").stat().st_mode) == 0o600
    assert service.key() not in service.said


def test_the_curl_line_works_as_printed(service):
    (line,) = [line for line in service.said.splitlines() if line.strip().startswith("curl ")]
    done = subprocess.run(["sh", "-c", line.strip()], capture_output=True, text=True, timeout=20, check=True)
    assert '"verdict":"allow"' in done.stdout


def test_a_decision_outlives_a_kill(start):
    first = start()
    with first.client() as client:
        decided = client.post("/v1/decisions", json=OK).json()
    first.end(signal.SIGKILL)
    second = start(data=first.data)
    with second.client("operator") as client:
        found = client.get(f"/v1/decisions/{decided['decision_id']}")
    assert found.json().items() >= decided.items()
    assert second.end() == 0


def test_the_same_keys_and_policy_after_a_restart(start):
    first = start()
    key, secret = first.key(), (first.data / "secret").read_text()
    assert first.end() == 0
    second = start(data=first.data)
    assert (second.key(), (second.data / "secret").read_text()) == (key, secret)
    with second.client() as client:
        assert client.post("/v1/decisions", json=OK).status_code == 200
    assert second.end() == 0


def test_asked_to_stop_it_is_not_ready_and_still_answers(start):
    running = start(drain_s="2")
    with running.client() as client:
        running.process.send_signal(signal.SIGTERM)
        assert eventually(lambda: client.get("/readyz").status_code == 503, within_s=1.5)
        assert client.get("/readyz?verbose").json()["checks"]["shutdown"] == "asked to stop"
        assert client.post("/v1/decisions", json=OK).status_code == 200
    assert running.process.wait(15) == 0


def test_a_call_under_way_is_answered_before_it_ends(start):
    running = start()
    host, _, port = running.url.removeprefix("http://").rpartition(":")
    body = b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}'
    head = (
        f"POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {running.key()}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(head.encode() + body[:10])
        time.sleep(0.3)
        running.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        connection.sendall(body[10:])
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b" 200 " in answer.splitlines()[0]
    assert b'"verdict"' in answer
    assert running.process.wait(15) == 0


def test_every_answer_that_was_sent_is_in_the_log(start):
    running, answered = start(), []

    def ask(number):
        with running.client() as client:
            while True:
                try:
                    answered.append(client.post("/v1/decisions", json=OK | {"session_id": str(number)}).json())
                except httpx.HTTPError:
                    return

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    running.end(signal.SIGKILL)
    for thread in threads:
        thread.join()
    again = start(data=running.data)
    with again.client("operator") as client:
        known = [client.get(f"/v1/decisions/{one['decision_id']}").status_code for one in answered[-50:]]
    assert known == [200] * len(known)
    assert known
    assert again.end() == 0


def test_a_second_service_on_the_same_folder_is_refused(service, lineclear):
    done = lineclear("serve", "--port", "0", data=service.data)
    assert done.returncode == 2
    assert "in use by another running service" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_named(service, lineclear, folders):
    port = service.url.rpartition(":")[2]
    done = lineclear("serve", "--port", port, data=folders())
    assert done.returncode == 2
    assert f"127.0.0.1:{port}" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_unix_socket_serves(start, folders):
    path = folders() / "s"
    running = start("--uds", str(path))
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://localhost") as client:
        headers = {"authorization": f"Bearer {running.key()}"}
        assert client.post("/v1/decisions", json=OK, headers=headers).json()["verdict"] == "allow"
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    second = start("--uds", str(path))
    assert second.process.wait(10) == 2
    assert "in use by a running service" in second.logged()
    running.end(signal.SIGKILL)
    third = start("--uds", str(path), data=running.data)
    assert third.process.poll() is None, "a socket that a killed service left behind is taken over"
    assert third.end() == 0


def test_a_key_that_is_open_to_others_stops_the_start(start, lineclear):
    running = start()
    running.end()
    (running.data / "keys" / "host.key").chmod(0o644)
    done = lineclear("serve", "--port", "0", data=running.data)
    assert done.returncode == 2
    assert "chmod 600" in done.stderr


def test_production_takes_no_embedded_database(lineclear, folders):
    done = lineclear("serve", "--port", "0", data=folders(), env="production")
    assert done.returncode == 2
    assert "LINECLEAR_DATABASE_URL" in done.stderr


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_it_leaves_no_database_behind(start, signal_number):
    running = start()
    pid_file = running.data / "postgres" / "postmaster.pid"
    assert pid_file.exists()
    assert running.end(signal_number) == 0
    assert not pid_file.exists()


def test_metrics_on_an_address_of_their_own(start):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = start(metrics_listen=f"127.0.0.1:{port}")
    with running.client() as client:
        client.post("/v1/decisions", json=OK)
    scraped = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert 'lineclear_decisions_total{code="read_only_command"' in scraped
    assert httpx.get(f"http://127.0.0.1:{port}/v1/policy").status_code == 404
    assert running.end() == 0


def test_the_log_says_one_event_a_decision_and_no_argument(start):
    running = start()
    secret = "sk-" + "a1" * 20
    with running.client() as client:
        for number in range(3):
            call = OK | {"tool_input": {"command": f"echo {secret}"}, "session_id": f"session-{number}"}
            client.post("/v1/decisions", json=call)
    assert running.end() == 0
    log = running.logged()
    assert log.count('"event":"decision"') == 3
    assert secret not in log
    assert "session-1" not in log
    assert running.key() not in log
    assert shlex.quote(secret) not in running.said
    assert ROOT.as_posix() not in "".join(line for line in log.splitlines() if '"decision"' in line)
