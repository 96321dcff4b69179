"""What `audit verify` quotes of a log that somebody else wrote into can't lead the terminal that it is read in."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

LINK = {
    "line": "link",
    "writer": str(uuid4()),
    "sequence": 1,
    "previous": "00",
    "ids": [],
    "moments": [],
    "digests": [],
    "columns": 25,
    "key": "k",
    "mac": "00",
}
ESCAPE = "\x1b]0;intact\x07\u202e"


@pytest.mark.parametrize(
    "line",
    [LINK | {"key": ESCAPE}, LINK | {ESCAPE: 1}, {"line": ESCAPE}, {"line": "end", ESCAPE: ESCAPE}],
    ids=["a key's name", "a field's name", "a kind of line", "the end"],
)
@pytest.mark.parametrize("output", ["text", "json"])
def test_no_character_reaches_the_terminal_as_it_is(lineclear, monkeypatch, tmp_path, line, output):
    monkeypatch.setenv("LINECLEAR_SECRET", "s" * 32)
    (tmp_path / "export").write_text(json.dumps(line, ensure_ascii=False) + "\n")
    status, out, err = lineclear("audit", "verify", "--file", tmp_path / "export", "--output", output)
    assert status == 1
    assert not set("\x1b\x07") & set(out + err)
    assert output == "json" or "\u202e" not in out + err
