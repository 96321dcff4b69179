"""The shim without an answer: the call is asked about or blocked, as chosen, in the host's own form, with a reason."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.canaries import Outcome, canary
from support.shim import FILE as SHIM
from support.shim import made_of, run

if TYPE_CHECKING:
    from pathlib import Path

GOOD = b"HTTP/1.1 200 OK\r\nlineclear-hook: %s\r\nlineclear-exit: %s\r\ncontent-length: %d\r\n\r\n%s"


@pytest.fixture
def key(tmp_path):
    file = tmp_path / "key"
    file.write_text("lck_x\n")
    return file


@pytest.fixture
def service(tmp_path):
    """Plays an answer: bytes, or None to be silent. Tells what it was sent."""
    sockets, heard = [], []

    def play(answer: bytes | None) -> tuple[Path, list[bytes]]:
        path = tmp_path / f"s{len(sockets)}"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        sockets.append(listener)

        def serve():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            data = b""
            while not complete(data):
                data += connection.recv(1 << 20)
            heard.append(data)
            if answer is None:
                time.sleep(3)
            else:
                connection.sendall(answer)
            connection.close()

        threading.Thread(target=serve, daemon=True).start()
        return path, heard

    yield play
    for listener in sockets:
        listener.close()


def complete(data: bytes) -> bool:
    head, found, body = data.partition(b"\r\n\r\n")
    if not found:
        return False
    length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    return len(body) >= int(length.partition(b":")[2])


def good(host: str, body: bytes = b"{}", status: bytes = b"0") -> bytes:
    return GOOD % (host.encode(), status, len(body), body)


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("fail", ["ask", "block", "open"])
def test_the_service_is_down(host, fail, key):
    ended = run(host, "--socket", "/nonexistent", "--key-file", key, "--fail", fail)
    can_ask = HOSTS[host].abilities.can_ask
    expected = {"ask": Outcome.ASKED if can_ask else Outcome.DENIED, "block": Outcome.DENIED, "open": Outcome.ON}
    assert made_of(ended) is expected[fail]
    assert b"no verdict" in ended.stderr


BROKEN = {
    "500": b"HTTP/1.1 500 Oops\r\ncontent-length: 2\r\n\r\n{}",
    "garbage": b"\x00\xff garbage",
    "nothing": b"",
    "another service's 200": b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
    "another host's answer": good("codex"),
    "no JSON": good("claude-code", b"hello"),
    "a list": good("claude-code", b"[]"),
    "cut off": good("claude-code", b'{"a": 1}')[:-3],
    "more than was announced": good("claude-code") + b"x",
    "an exit status of its own": good("claude-code", b"{}", b"1"),
    "a denial without a text": good("claude-code", b" \n", b"2"),
    "no exit status": good("claude-code").replace(b"lineclear-exit", b"x"),
    "a redirect": b"HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
    "silence": None,
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_an_answer_that_is_none(service, key, answer):
    path, _ = service(answer)
    ended = run("claude-code", "--socket", path, "--key-file", key, "--fail", "block", "--timeout", "1")
    assert made_of(ended) is Outcome.DENIED
    assert ended.stderr.startswith(b"Lineclear gave no verdict: ")


def test_a_denial_by_exit_status_keeps_its_text(service, key):
    path, _ = service(good("windsurf", b"Lineclear: no", b"2"))
    ended = run("windsurf", "--socket", path, "--key-file", key)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, b"", b"Lineclear: no")


def test_an_answer_is_passed_on(service, key):
    path, heard = service(good("claude-code", b'{"x": 1}'))
    ended = run("claude-code", "--socket", path, "--key-file", key, "--event", "PreToolUse")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b'{"x": 1}', b"")
    head, _, body = heard[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/hooks/claude-code?event=PreToolUse HTTP/1.1\r\n")
    assert b"Authorization: Bearer lck_x\r\n" in head
    sent = json.loads(body)
    assert sent.pop("lineclear")["platform"] == sys.platform
    assert sent == canary("claude-code", "ls", "/", "s")


@pytest.mark.parametrize("host", HOSTS)
def test_no_objection_is_silence_where_no_document_is_read(service, key, host):
    """What is written there is shown to the person or added to what the model knows."""
    path, _ = service(good(host))
    expected = b"" if HOSTS[host].abilities.by_exit else b"{}"
    for reach in (path, "/nonexistent"):
        ended = run(host, "--socket", reach, "--key-file", key, "--fail", "pass")
        assert (ended.returncode, ended.stdout) == (0, expected)


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[]", b'"x"', b"\xff", b"null", b"[" * 100_000, b"{}x", b'{"a": NaN'], ids=repr
)
def test_a_payload_that_is_none(key, payload):
    ended = run("claude-code", "--socket", "/nonexistent", "--key-file", key, "--fail", "block", payload=payload)
    assert made_of(ended) is Outcome.DENIED


@pytest.mark.parametrize(
    "words",
    [
        ("--fail",),
        ("--fail", "maybe"),
        ("--unknown", "x"),
        ("--timeout", "soon"),
        ("--url", "http://example.org:80"),
        ("--url", "x"),
        ("--key-file", "/nonexistent"),
        ("--key-file", "/dev/zero"),
    ],
    ids=" ".join,
)
def test_wrong_options_block(words):
    ended = run("codex", *words)
    assert made_of(ended) is Outcome.DENIED


def test_without_a_key_nothing_passes():
    assert made_of(run("codex")) is Outcome.DENIED


def test_without_pythons_modules_it_still_blocks(tmp_path, key):
    """A broken installation: nothing can be imported but what is built in."""
    script = tmp_path / "hook.py"
    blind = "import sys\nsys.meta_path.clear()\nsys.path.clear()\nfor m in ('os', '_json', '_socket', 'json'):\n"
    script.write_text(blind + "    sys.modules[m] = None\n" + SHIM.read_text())
    words = [sys.executable, "-I", "-S", str(script), "codex", "--key-file", str(key)]
    ended = subprocess.run(words, input=b"{}", capture_output=True, timeout=30, check=False)
    assert made_of(ended) is Outcome.DENIED


def test_what_no_call_waits_for_passes():
    ended = run("claude-code", "--fail", "pass", payload="{")
    assert (ended.returncode, ended.stdout) == (0, b"{}")
    assert ended.stderr


@pytest.mark.parametrize("fail", ["ask", "open"])
def test_padding_is_nothing_to_ask_about(key, fail):
    payload = json.dumps({"tool_input": {"command": "x" * 17_000_000}})
    ended = run("claude-code", "--key-file", key, "--fail", fail, payload=payload)
    assert made_of(ended) is Outcome.DENIED


def test_it_imports_nothing_of_ours_and_nothing_slow():
    code = f"import sys; sys.argv=['x']; exec(open({str(SHIM)!r}).read().replace('__main__', 'no'))"
    code += "; main(['claude-code', '--socket', '/nonexistent']); print(sorted(sys.modules))"
    words = [sys.executable, "-I", "-S", "-c", code]
    loaded = subprocess.run(words, input="{}", capture_output=True, text=True, timeout=30, check=True).stdout
    assert not {"json", "re", "socket", "typing", "pathlib", "lineclear"} & set(eval(loaded))
