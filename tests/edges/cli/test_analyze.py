"""``analyze`` tells what a command would do, to programs line by line and to people as a picture."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.serving import environment


@pytest.fixture
def told(lineclear):
    """What is said of some commands, as JSON."""

    def ask(*commands, options=()):
        lines = b"".join(json.dumps({"command": command}).encode() + b"\n" for command in commands)
        (status, out, err) = lineclear("analyze", "--jsonl", "-", "--cwd", "/work/repo", *options, stdin=lines)
        assert (status, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    return ask


def test_each_part_with_what_it_does(told):
    (found,) = told('cd src && timeout 5 cat a "$x" > /tmp/b; curl https://x.y/z')
    assert found["command"] == 'cd src && timeout 5 cat a "$x" > /tmp/b; curl https://x.y/z'
    wrapper, reader, fetch = found["parts"][1:]
    assert list(wrapper) == ["words", "reads", "writes", "executes", "network"]
    assert wrapper["executes"] == ['cat a "$x"']
    assert reader["words"] == ["cat", "a", None]
    assert reader["reads"] == ["/work/repo/src/a", '"$x"']
    assert fetch["network"] == ["https://x.y/z"]
    assert "/tmp/b" in [path for part in found["parts"] for path in part["writes"]]


def test_answers_come_in_order_one_for_each_line(told):
    assert [found["command"] for found in told("ls", "rm a", "pwd")] == ["ls", "rm a", "pwd"]


def test_trust_in_the_repository_is_stated(told):
    assert told("git status")[0]["read_only"] == "unknown"
    assert told("git status", options=["--trusted-repository"])[0]["read_only"] == "proven"


def test_another_shell_is_another_reading(told):
    assert told("ls =(rm a)")[0]["read_only"] == "unknown"
    assert "(dialect)" in told("Get-ChildItem", options=["--shell", "powershell"])[0]["reason"]


def test_what_is_no_command_gets_an_error_in_its_place(lineclear):
    lines = b'{"command": "ls"}\n\nnope\n[1]\n{"command": 3}\n\xff\n' + b"[" * 100_000 + b'\n{"command": "pwd"}\n'
    (status, out, _) = lineclear("analyze", "--jsonl", "-", stdin=lines)
    found = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [one.get("read_only") for one in found] == ["proven", None, None, None, None, None, "proven"]
    assert found[1]["error"] == "line 3: this isn't JSON in UTF-8"
    assert '{"command": "ls"}' in found[2]["error"]


def test_a_file_is_read(lineclear, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"command": "ls", "verdict": "allow"}\n')
    (status, out, _) = lineclear("analyze", "--jsonl", "a.jsonl")
    assert status == 0
    assert json.loads(out)["read_only"] == "proven"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give either a command or `--jsonl FILE`"),
        (("ls", "--jsonl", "-"), "give either a command or `--jsonl FILE`"),
        (("--jsonl", "missing.jsonl"), "can't read `missing.jsonl`"),
        (("rm", "-rf", "a b"), "put it in quotes: `lineclear analyze 'rm -rf '\"'\"'a b'\"'\"''`"),
        (("git", "push"), "put it in quotes: `lineclear analyze 'git push'`"),
        (("--", "ls", "-la"), "put it in quotes: `lineclear analyze 'ls -la'`"),
        (("--jsnl", "a.jsonl"), "there is no option `--jsnl`"),
    ],
    ids=str,
)
def test_what_is_typed_wrongly_ends_in_one_line(lineclear, arguments, said):
    (status, out, err) = lineclear("analyze", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_what_is_no_text_is_told_as_it_was_given(lineclear):
    (status, out, _) = lineclear("analyze", "--jsonl", "-", stdin=b'{"command": "ls \\ud800"}\n')
    assert status == 0
    assert json.loads(out)["command"] == "ls \ud800"
    (status, out, _) = lineclear("analyze", os.fsdecode(b"ls \xff"))
    assert (status, out) == (0, "read-only: unknown  (it isn't text in UTF-8)\n")


def test_redirects_alone_are_a_part_without_words(told, lineclear):
    (part,) = told("> a < b")[0]["parts"]
    assert part == {"words": [], "reads": ["/work/repo/b"], "writes": ["/work/repo/a"], "executes": [], "network": []}
    assert [found["words"] for found in told("> a; ls")[0]["parts"]] == [[], ["ls"]]
    assert "(redirects alone)" in lineclear("analyze", "> a")[1]


def test_what_cannot_be_known_in_a_script_is_three_dots(told):
    assert told('eval "$x"')[0]["parts"][0]["executes"] == ["…"]


def test_a_picture_for_people(lineclear, tmp_path):
    (status, out, _) = lineclear("analyze", "cat 'a b' | sudo tee out\x1b[2J")
    assert status == 0
    assert out.splitlines()[0].startswith("read-only: no  (it may ")
    assert '    words       "cat" "a b"' in out
    assert f"    reads       {os.fspath(tmp_path)}/a b" in out
    assert "executes    tee" in out
    assert "\x1b" not in out


def test_nothing_is_run(lineclear, tmp_path):
    lineclear("analyze", f"touch {tmp_path}/made; echo $(touch {tmp_path}/made)")
    assert not (tmp_path / "made").exists()


def test_the_page_shows_what_is_printed(told):
    page = (Path(__file__).parents[3] / "docs" / "shell.md").read_text()
    (shown,) = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert told(shown["command"]) == [shown]


def test_a_line_is_answered_before_the_next_one_is_given(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "lineclear", "analyze", "--jsonl", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path, {}),
    ) as process:  # fmt: skip
        for command in ("ls", "rm a"):
            process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["command"] == command
        process.stdin.close()
    assert process.returncode == 0
