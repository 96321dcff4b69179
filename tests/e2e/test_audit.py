"""The log of a real service: audited, exported, replayed, and audited again without a database."""

from __future__ import annotations

import asyncio
import json
import signal
from urllib.parse import quote

import asyncpg
import pytest

CALL = {"session_id": "s-1", "tool_name": "Bash", "tool_input": {"command": "git status"}, "cwd": "/work/repo"}


def decide(running, n, **changes):
    with running.client() as client:
        answer = client.post("/v1/decisions", json={**CALL, "tool_use_id": f"t-{n}", **changes})
    assert answer.status_code == 200, answer.text


def tamper(running, *statements):
    async def go():
        connection = await asyncpg.connect(
            f"postgresql://lineclear@/postgres?host={quote(str(running.data / 'postgres'))}"
        )
        for statement in statements:
            assert (await connection.execute(statement)).rpartition(" ")[2] != "0"
        await connection.close()

    asyncio.run(go())


@pytest.fixture(scope="module")
def audited(start, folders):
    """A service of which 12 decisions are on record, of two sessions."""
    data = folders()
    running = start("--port", "0", data=data, checkpoints=str(data / "checkpoints.jsonl"))
    for n in range(12):
        decide(running, n, session_id=f"s-{n % 2}")
    return running


def test_a_log_is_verified_beside_its_service(audited, lineclear):
    done = lineclear("audit", "verify", data=audited.data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["12 records as linked, by 12 links of 1 writer", "intact"]
    told = json.loads(lineclear("audit", "verify", "--output", "json", data=audited.data).stdout)
    assert (told["intact"], told["records"], told["findings"]) == (True, 12, 0)


def test_another_secret_verifies_nothing_until_the_former_one_is_named(audited, lineclear):
    done = lineclear("audit", "verify", data=audited.data, secret="another secret of ours")
    assert done.returncode == 1
    assert "key_unknown" in done.stdout
    former = str(audited.data / "secret")
    done = lineclear("audit", "verify", "--former-secret", former, data=audited.data, secret="another secret of ours")
    assert done.returncode == 0, done.stdout
    rotated = {"secret": "another secret of ours", "keep_days": "30"}
    done = lineclear("db", "maintain", "--former-secret", former, data=audited.data, **rotated)
    assert (done.returncode, done.stderr) == (0, "")
    done = lineclear("db", "maintain", "--former-secret", "/nowhere", data=audited.data, **rotated)
    assert (done.returncode, "`/nowhere` can't be read" in done.stderr) == (2, True)
    done = lineclear("audit", "verify", "--former-secret", former, data=audited.data, **rotated)
    assert "dropped for its age" in done.stdout
    assert lineclear("audit", "checkpoint", "--former-secret", former, data=audited.data, **rotated).returncode == 0
    assert lineclear("audit", "checkpoint", data=audited.data, **rotated).returncode == 1


def test_what_cannot_be_looked_through_is_neither_intact_nor_tampered_with(audited, lineclear):
    for arguments, settings, said in (
        (("--checkpoints", "/nowhere"), {}, "can't be read"),
        (("--file", "/nowhere"), {}, "`/nowhere`: no such file"),
        ((), {"data_dir": "/nowhere"}, "`/nowhere/secret` isn't there"),
        ((), {"data_dir": "/nowhere", "secret": "0123456789abcdef"}, "no database in `/nowhere`"),
        ((), {"database_url": "postgresql://nobody@127.0.0.1:1/x"}, "LINECLEAR_SECRET"),
        ((), {"database_url": "postgresql://nobody@127.0.0.1:1/x", "secret": "0123456789abcdef"}, "can't be used"),
    ):
        done = lineclear("audit", "verify", *arguments, data=audited.data, **settings)
        assert (done.returncode, said in done.stderr, done.stdout) == (2, True, ""), done.stderr


def test_an_export_is_read_by_the_replay_and_verified_without_a_database(audited, lineclear, tmp_path):
    file = tmp_path / "log.jsonl"
    done = lineclear("audit", "export", "--to", str(file), data=audited.data)
    assert (done.returncode, done.stderr) == (0, "12 records and 12 links exported\n")
    done = lineclear("audit", "export", "--to", "-", data=audited.data)
    assert done.stdout == file.read_text()
    done = lineclear("audit", "export", "--to", "/dev/full", data=audited.data)
    assert (done.returncode, done.stderr) == (2, "lineclear: the export can't be written: no space left on device\n")
    nowhere = {
        "database_url": "postgresql://nobody@127.0.0.1:1/x",
        "secret": (audited.data / "secret").read_text().strip(),
    }
    done = lineclear("audit", "verify", "--file", str(file), data=audited.data, **nowhere)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "intact")
    done = lineclear("policy", "replay", "--file", str(file), data=audited.data)
    assert done.returncode == 0, done.stderr
    assert "12 decisions replayed, 0 flip" in done.stdout

    file.write_text(file.read_text().replace('"tool_name":"Bash"', '"tool_name":"Read"'))
    done = lineclear("audit", "verify", "--file", str(file), data=audited.data, **nowhere)
    assert (done.returncode, done.stdout.count("record_changed")) == (1, 12)


def test_a_session_and_a_span_are_exported_alone(audited, lineclear):
    lines = lineclear("audit", "export", "--session", "s-1", data=audited.data).stdout.splitlines()
    records = [json.loads(line) for line in lines if not line.startswith('{"line"')]
    assert {record["session_id"] for record in records} == {"s-1"}
    assert len(records) == 6
    lines = lineclear("audit", "export", "--until", "1h", data=audited.data).stdout.splitlines()
    assert [json.loads(line)["line"] for line in lines] == ["end"]


def test_checkpoints_find_a_cut_tail_that_nothing_else_finds(start, folders, lineclear):
    data = folders()
    kept = folders() / "checkpoints.jsonl"
    running = start("--port", "0", data=data, checkpoints=str(kept))
    for n in range(3):
        decide(running, n)
    by_hand = lineclear("audit", "checkpoint", "--to", str(kept.with_name("more.jsonl")), data=data)
    assert by_hand.returncode == 0, by_hand.stderr
    assert running.end() == 0
    [checkpoint] = map(json.loads, kept.read_text().splitlines())
    assert checkpoint["sequence"] == 3
    assert [
        line for line in running.logged().splitlines() if '"audit_checkpoint"' in line and checkpoint["seal"] in line
    ]

    again = start("--port", "0", data=data)
    tamper(
        again,
        "DELETE FROM decisions WHERE id = (SELECT ids[1] FROM audit_links WHERE sequence = 3)",
        "DELETE FROM audit_links WHERE sequence = 3",
    )
    assert lineclear("audit", "verify", data=data).returncode == 0
    for place in (kept.parent, kept.with_name("more.jsonl")):
        done = lineclear("audit", "verify", "--checkpoints", str(place), data=data)
        assert done.returncode == 1
        assert f"tail_missing: link 2 of writer {checkpoint['writer']}, the chain ends here" in done.stdout
    forged = "SELECT writer, 9, mac, ids, moments, digests, columns, key, mac FROM audit_links WHERE sequence = 2"
    tamper(again, f"INSERT INTO audit_links {forged}")
    sealed = lineclear("audit", "checkpoint", data=data)
    assert (sealed.returncode, sealed.stdout) == (1, ""), "what nobody with the key wrote is not sealed"
    assert sealed.stderr.startswith(f"link_changed: link 9 of writer {checkpoint['writer']}")
    assert again.end() == 0


def test_a_killed_service_leaves_a_log_that_is_intact_and_starts_again_by_itself(start, folders, lineclear):
    data = folders()
    running = start("--port", "0", data=data)
    for n in range(3):
        decide(running, n)
    running.end(signal.SIGKILL)
    again = start("--port", "0", data=data)
    decide(again, 4)
    done = lineclear("audit", "verify", data=data)
    assert done.stdout.splitlines() == ["4 records as linked, by 4 links of 2 writers", "intact"]
    second = start("--port", "0", data=data)
    assert second.process.wait(15) != 0
    assert f"`{data / 'postgres'}` is in use by another running service" in second.logged()
    assert again.end() == 0


def test_a_place_for_checkpoints_that_cannot_be_written_stops_the_start(start, folders):
    running = start("--port", "0", data=folders(), checkpoints="/nowhere/checkpoints")
    assert running.process.wait(15) == 2
    assert "checkpoints can't be written to `/nowhere/checkpoints`: no such file or directory" in running.logged()
