"""A broken policy never comes into force: it stops the first start, and later the last good one stays."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from support.serving import ROOT, eventually

PUSH = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "wc -l notes.txt"}}
DENY = 'version: 1\npermissions:\n  deny: ["Bash(wc *)"]\n'
BROKEN = 'version: 1\npermissions:\n  deyn: ["Bash(wc *)"]\n'


@pytest.fixture
def policies(tmp_path):
    """A folder of policies of the test's own."""
    folder = tmp_path / "policies"
    shutil.copytree(ROOT / "policies" / "organisation", folder / "organisation")
    return folder


def test_a_broken_policy_stops_the_start_with_its_place(policies, lineclear, folders):
    (policies / "organisation" / "x.yaml").write_text(BROKEN)
    done = lineclear("serve", "--port", "0", "--policies", str(policies), data=folders())
    assert done.returncode == 2
    assert "organisation/x.yaml:3:3: " in done.stderr
    assert "deny" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_not_there_stops_the_start(lineclear, folders):
    done = lineclear("serve", "--port", "0", "--policies", "/nowhere", data=folders())
    assert (done.returncode, "/nowhere" in done.stderr) == (2, True)


def test_a_change_comes_into_force_and_a_broken_one_does_not(policies, start):
    running = start("--port", "0", "--policies", str(policies))
    file = policies / "organisation" / "x.yaml"
    with running.client() as client, running.client("operator") as operator:

        def verdict():
            return client.post("/v1/decisions", json=PUSH).json()["verdict"]

        def warned():
            return "x.yaml" in client.get("/readyz?verbose").text

        first = operator.get("/v1/policy").json()["version"]
        assert verdict() == "allow"
        file.write_text(DENY)
        assert eventually(lambda: verdict() == "deny")
        second = operator.get("/v1/policy").json()["version"]
        assert second != first
        file.write_text(BROKEN)
        assert eventually(warned)
        assert eventually(lambda: '"event":"policy_refused"' in running.logged())
        assert verdict() == "deny"
        assert client.get("/readyz").status_code == 200
        assert operator.get("/v1/policy").json()["version"] == second
        file.unlink()
        assert eventually(lambda: verdict() == "allow" and not warned())
        assert operator.get("/v1/policy").json()["version"] == first
        file.write_text(BROKEN)
        assert eventually(warned)
        file.unlink()
        assert eventually(lambda: not warned())
    assert running.end() == 0
    events = [json.loads(line) for line in running.logged().splitlines() if '"event":"policy_' in line]
    assert [one.get("mended") for one in events] == [False, False, None, True, None, True]
    assert [one["version"] for one in events if "version" in one] == [first, second, first, first]


def test_what_a_policy_would_have_done_is_reported_before_it_is_enforced(policies, start, folders, lineclear):
    data = folders()
    observe = DENY.replace("permissions:", "enforcement: observe\npermissions:")
    (policies / "organisation" / "x.yaml").write_text(observe)
    running = start("--port", "0", "--policies", str(policies), data=data)
    with running.client() as client:
        answers = [client.post("/v1/decisions", json=PUSH | {"session_id": name}).json() for name in ("a", "b", "a")]
    assert {(one["verdict"], one["enforced"], one["objection"]) for one in answers} == {("deny", False, False)}
    with running.client("operator") as operator:
        assert operator.get("/v1/policy").json()["enforcement"] == "observe"
    assert running.end() == 0
    done = lineclear("report", "--since", "1h", data=data)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 decisions, 3 of them not enforced" in done.stdout
    assert "3 would have been denied, 0 asked" in done.stdout
    assert "organisation:deny:Bash(wc *)  (organisation/x.yaml:4:" in done.stdout


def test_versions_are_kept_with_their_time_and_commit(policies, start, folders, lineclear):
    data = folders()
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        mine = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run([*mine, *arguments], cwd=policies, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=policies, check=True, capture_output=True, text=True)
    running = start("--port", "0", "--policies", str(policies), data=data)
    with running.client("operator") as operator:
        first = operator.get("/v1/policy").json()
        (policies / "organisation" / "x.yaml").write_text(DENY)
        assert eventually(lambda: operator.get("/v1/policy").json()["version"] != first["version"])
        now = operator.get("/v1/policy").json()
        assert eventually(lambda: len(operator.get("/v1/policy").json()["versions"]) == 2)
        told = operator.get("/v1/policy").json()["versions"]
    assert [one["version"] for one in told] == [now["version"], first["version"]]
    assert [(one["commit"], one["modified"]) for one in told] == [
        (commit.stdout.strip(), True),
        (commit.stdout.strip(), False),
    ]
    assert told[0]["first_seen_at"] > told[1]["first_seen_at"]
    assert running.end() == 0
    done = lineclear("policy", "show", "--versions", "--policies", str(policies), "--output", "json", data=data)
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert (shown["version"], shown["commit"], shown["modified"]) == (now["version"], commit.stdout.strip(), True)
    assert shown["versions"] == told
    text = lineclear("policy", "show", "--versions", "--policies", str(policies), data=data).stdout
    assert f"commit       {commit.stdout.strip()} (with changes on top)" in text
    assert f"{first['version']}  commit {commit.stdout.strip()}\n" in text
