"""The one line of curl that the page of hosts shows: what isn't a whole answer of ours blocks, with a text."""

from __future__ import annotations

import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from lineclear.hosts.setup.canaries import Outcome, outcome

PAGE = Path(__file__).parents[2] / "docs" / "hosts" / "README.md"
DENIAL = b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'
ANSWERS = {
    "a denial": (200, DENIAL, Outcome.DENIED),
    "no objection": (200, b"{}", Outcome.ON),
    "a problem": (500, DENIAL, Outcome.DENIED),
    "unknown": (404, b"{}", Outcome.DENIED),
    "a redirect": (302, b"<html>moved</html>", Outcome.DENIED),
    "a page": (200, b"<html>{}</html>", Outcome.DENIED),
    "nothing": (200, b"", Outcome.DENIED),
    "cut off": (None, DENIAL[:40], Outcome.DENIED),
}


@pytest.fixture
def typed(tmp_path):
    """Runs the line in a home of its own against a port."""
    (line,) = re.findall(r"```sh\n(curl .*?)```", PAGE.read_text(), re.DOTALL)
    keys = tmp_path / ".local" / "share" / "lineclear" / "keys"
    keys.mkdir(parents=True)
    (keys / "host.key").write_text("lck_x\n")

    def run(port: int):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "http_proxy": "http://127.0.0.1:9"}
        script = line.replace("8642", str(port))
        ended = subprocess.run(
            ["/bin/sh", "-c", script], input=b"{}", capture_output=True, env=environment, check=False
        )
        return outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    return run


@pytest.mark.parametrize(("status", "body", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_what_is_no_answer_blocks(typed, status, body, expected):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status or 200)
            self.send_header("location", "/elsewhere")
            self.send_header("content-length", str(len(body) if status else 100))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_): ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert typed(server.server_port) is expected
    finally:
        server.shutdown()
        server.server_close()


def test_nobody_listens(typed):
    assert typed(9) is Outcome.DENIED
