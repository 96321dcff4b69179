"""`doctor` runs nothing that a repository brought along, and shows its key to nobody but this machine's service."""

from __future__ import annotations

import json
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lineclear import resources
from lineclear.cli.doctor import _brought_along, _posted
from lineclear.hosts.setup.canaries import Outcome
from lineclear.hosts.setup.found import Hook

DENIAL = json.dumps({"hookSpecificOutput": {"permissionDecision": "deny"}}).encode()
SHIM = str(resources.shim())


@contextmanager
def listening(status: int = 200, body: bytes = DENIAL, **headers: str):
    """A server of this machine: its port, and the keys that it was shown."""
    shown = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            shown.append(self.headers["authorization"])
            self.send_response(status)
            for name, value in (headers | {"content-length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.do_POST()

        def do_CONNECT(self):
            self.do_POST()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server.server_port, shown
    finally:
        server.shutdown()
        server.server_close()


def posted(port: int):
    return _posted(f"http://127.0.0.1:{port}/v1/hooks/claude-code?event=PreToolUse", "{}")


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("LINECLEAR_KEY", "lck_x")


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_no_proxy_is_shown_the_key(monkeypatch, variable):
    with listening(body=b"{}") as (proxy, seen), listening() as (port, asked):
        monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy}")
        assert posted(port)[0] is Outcome.DENIED
    assert (seen, asked) == ([], ["Bearer lck_x"])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_nobody_sends_it_on(status):
    with (
        listening(body=b"{}") as (elsewhere, seen),
        listening(status, location=f"http://127.0.0.1:{elsewhere}/") as (port, _),
    ):
        assert posted(port)[0] is None
    assert seen == []


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [(200, DENIAL, Outcome.DENIED), (200, b"\xff", Outcome.ON), (401, DENIAL, None), (500, b"", None)],
    ids=["a denial", "no text", "refused", "failed"],
)
def test_an_answer_is_one_with_status_200(status, body, said):
    with listening(status, body) as (port, _):
        assert posted(port)[0] is said


def test_where_nobody_listens_there_is_none():
    assert posted(9)[0] is None


PROJECT = Path("/work/project")
FILE = PROJECT / ".claude" / "settings.json"
BROUGHT = {
    "the shim": (("python3", "-I", "-S", "tools/lineclear_hook.py"), FILE, "tools/lineclear_hook.py"),
    "the shim by its whole path": (
        ("/usr/bin/python3", "-I", "-S", f"{PROJECT}/x/lineclear_hook.py"),
        FILE,
        f"{PROJECT}/x/lineclear_hook.py",
    ),
    "the shim by a way round": (
        ("python3", "-I", "-S", f"/tmp/../{PROJECT}/lineclear_hook.py"),
        FILE,
        f"/tmp/../{PROJECT}/lineclear_hook.py",
    ),
    "the interpreter": (("./python3", "-I", "-S", SHIM), FILE, "./python3"),
    "nothing": (("python3", "-I", "-S", "/opt/lineclear_hook.py"), FILE, None),
    "nothing but this installation": ((sys.executable, "-I", "-S", SHIM), FILE, None),
    "a user's own file": (("./python3", "-I", "-S", SHIM), Path("/home/dev/.claude/settings.json"), None),
}


@pytest.mark.parametrize(("words", "file", "expected"), BROUGHT.values(), ids=BROUGHT)
def test_what_a_repository_brought_along_is_named(words, file, expected):
    assert _brought_along(Hook(words), file, PROJECT) == expected


def test_this_installation_may_lie_in_the_project_that_it_guards():
    inside = Path(SHIM).parent
    words = (sys.executable, "-I", "-S", SHIM)
    assert _brought_along(Hook(words), inside / ".claude" / "settings.json", inside) is None
