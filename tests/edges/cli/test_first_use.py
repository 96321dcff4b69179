"""What a first-time user of a verb does wrong is told in a line: what, where, what to do; never a traceback."""

from __future__ import annotations

import json

import pytest

GOOD = 'version: 1\npermissions: {deny: ["Bash(rm *)"]}\n'


@pytest.fixture
def place(tmp_path):
    """A folder with what somebody may take for a folder of policies, and one that is one."""
    (tmp_path / "file").write_text("hello")
    (tmp_path / "empty").mkdir()
    (tmp_path / "good" / "organisation").mkdir(parents=True)
    (tmp_path / "good" / "organisation" / "a.yaml").write_text(GOOD)
    return tmp_path


WRONG = [
    ("policy lint --policies nowhere", "the folder of policies `nowhere` isn't there"),
    ("policy lint --policies file", "`file` is a file; name the folder that holds `organisation/`"),
    ("policy show --policies empty", "there is no folder `organisation` in it; make one"),
    ("policy test --policies good", "good/tests:1:1: there is no such file or folder of cases; name one"),
    ("policy test --policies good nowhere", "nowhere:1:1: there is no such file or folder of cases"),
    ("policy test --policies good file", "file:1:1: a case must be a mapping"),
    ("policy explain --policies good", "nothing to explain; name a shell command, or give a decision request"),
    ("policy explain --policies good -", "nothing to explain"),
    ("policy diff nowhere good", "the folder of policies `nowhere` isn't there"),
    ("policy diff good file", "`file` is a file"),
    ("policy diff good good --builtin empty", "`empty` holds no built-in layer; name the folder"),
    ("policy diff good good --builtin nowhere", "`nowhere` holds no built-in layer"),
    ("policy replay --policies good --file nowhere", "`nowhere` can't be read: no such file or directory"),
    ("policy replay --policies good --file empty", "`empty` can't be read: is a directory"),
    ("policy replay --policies good --file file", "file:1: it is no recorded decision"),
    ("policy replay --policies good --since soon", "`soon` is no time span; write `90m`"),
    ("policy import claude-code nowhere", "`nowhere` can't be read: no such file or directory"),
    ("policy import claude-code empty", "`empty` can't be read: is a directory"),
    ("policy import claude-code file", "file: not JSON"),
    ("report --file empty", "`empty` can't be read: is a directory"),
    ("report --since soon", "`soon` is no time span"),
    ("check --policies nowhere", "the folder of policies `nowhere` isn't there"),
]


@pytest.mark.parametrize(("typed", "told"), WRONG, ids=[typed for typed, *_ in WRONG])
@pytest.mark.usefixtures("place")
def test_it_is_told_in_a_line(lineclear, typed, told):
    ended, out, err = lineclear(*typed.split())
    assert ended == 2
    assert told in out + err
    assert "Traceback" not in err
    assert "Errno" not in err


FILES = {
    "nothing": (b"", 1, 1, "needs at least `version: 1`"),
    "a comment": (b"# later\n", 1, 1, "needs at least `version: 1`"),
    "a list": (b"- version: 1\n", 1, 1, "must be a mapping"),
    "a text": (b"hello\n", 1, 1, "must be a mapping"),
    "a quoted version": (b'version: "1"\n', 1, 10, "must be 1, without quotes"),
    "another version": (b"version: 2\n", 1, 10, "must be 1, the only format"),
    "a tab": (b"version: 1\npermissions:\n\tdeny: []\n", 3, 1, "a tab can't indent; use spaces"),
    "a tab in a list": (b"version: 1\nrules:\n- id: r\n\teffect: deny\n", 4, 1, "a tab can't indent; use spaces"),
    "a bracket": (b"version: 1\npermissions: {deny: [Bash(a)}\n", 2, 29, "did not find expected"),
    "a key twice": (b"version: 1\nmodes: {}\nmodes: {}\n", 3, 1, "a second time, first on line 2"),
    "a NUL": (b"version: 1\n# \x00\n", 2, 1, "control character"),
    "Latin-1": (b"version: 1\n# \xe9\n", 2, 1, "isn't UTF-8"),
    "UTF-16": ("version: 1\n".encode("utf-16"), 1, 1, "isn't UTF-8"),
    "two documents": (b"version: 1\n---\nversion: 1\n", 3, 1, "a second document begins here"),
    "an alias bomb": (
        b"version: 1\na: &a [1,1,1,1,1,1,1,1,1]\n"
        + b"".join(b"%c: &%c [%s]\n" % (i, i, b",".join([b"*%c" % (i - 1)] * 9)) for i in range(98, 105)),
        7, 11, "with what the aliases repeat; split the file",
    ),
    "a word for a list": (b"version: 1\npermissions: {deny: Bash}\n", 2, 21, "must be a list"),
    "a number for a text": (b"version: 1\npermissions: {deny: [1]}\n", 2, 22, "must be a text"),
    "an operator": (b"version: 1\npermissions: {deny: ['Bash(a; b)']}\n", 2, 22, "the operator `;`"),
    "an open quote": (b"version: 1\npermissions: {deny: ['Bash(a \"b)']}\n", 2, 22, "quote"),
    "a condition that ends early": (
        b"version: 1\nrules:\n- {id: r, effect: deny, command: [x], when: 'call.tool =='}\n",
        3, 45, "character 13: something is missing at its end",
    ),
    "a condition within another": (
        b"version: 1\nrules:\n- {id: r, effect: deny, command: [x], when: '[1].all(a, [1].all(b, true))'}\n",
        3, 45, "inside another loop",
    ),
    "a condition that would take too long": (
        b"version: 1\nrules:\n- {id: r, effect: deny, command: [x], when: '%s'}\n" % b" || ".join([b"true"] * 400),
        3, 45, "more than 2000; split the rule",
    ),
    "eleven megabytes": (b"version: 1\n" + b"#" * 11_000_000, 1, 1, "bytes, more than 1048576; split it"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "line", "column", "told"), FILES.values(), ids=FILES)
def test_a_faulty_file_is_told_with_its_place(lineclear, place, content, line, column, told):
    (place / "good" / "organisation" / "b.yaml").write_bytes(content)
    status, out, err = lineclear("policy", "lint", "--policies", "good", "--output", "json")
    assert (status, err) == (1, "")
    first, *_ = json.loads(out)
    assert (first["file"], first["code"]) == ("organisation/b.yaml", "load")
    assert told in first["message"]
    assert (first["line"], first["column"]) == (line, column)


def test_json_is_taken_for_what_it_is(lineclear, place):
    (place / "good" / "organisation" / "a.yaml").write_text('{"version": 1, "permissions": {"deny": ["Bash(x)"]}}')
    assert lineclear("policy", "lint", "--policies", "good")[0] == 0


@pytest.mark.usefixtures("place")
def test_a_question_of_check_waits_for_nobody(lineclear):
    request = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "git push"}}
    told = json.loads(lineclear("check", "--policies", "good", stdin=json.dumps(request).encode())[1])
    assert (told["verdict"], told["next"], told["approval"]) == ("ask", "ask_user", None)
    assert "has been asked" not in told["agent_message"]
