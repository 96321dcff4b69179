"""``policy replay``: what another policy would have made of recorded calls is what it makes of them when they come."""

import json
from dataclasses import replace

import pytest

from lineclear.bootstrap.replaying import CHUNK
from lineclear.wire.exported import as_line, of_line
from support.judging import call
from support.recording import decided, exported

BEFORE = """
version: 1
permissions: {allow: ["Bash(npm test)", "Bash(make *)"], deny: ["Bash(rm *)", "Read(secrets/**)"]}
"""
AFTER = """
version: 1
permissions: {allow: ["Bash(npm *)"], deny: ["Read(secrets/**)", "mcp__jira"], ask: ["Bash(npm test)"]}
"""
CALLS = [
    *(call("Bash", {"command": text}) for text in (
        "ls -la", "npm test", "npm run build", "make all", "rm -r build", "rm a.txt", "cat secrets/key", "git push",
        "npm test && make x", "python3 x.py", "(",
    )),
    call("Bash", {"command": "make all"}, permission_mode="auto"),
    call("Bash", {"command": "npm run build"}, permission_mode="dontAsk"),
    call("Bash", {"command": "npm run build"}, interactive=False),
    call("Read", {"file_path": "/work/repo/secrets/key"}),
    call("Read", {"file_path": "/work/repo/README.md"}),
    call("Write", {"file_path": "/work/repo/a", "content": "x"}, permission_mode="acceptEdits"),
    call("mcp__jira__search", {"query": "x"}),
    call("WebFetch", {"url": "https://docs.python.org/3/", "prompt": "x"}),
]  # fmt: skip


@pytest.fixture
def before(organisation):
    return organisation(BEFORE, "before")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """All the calls as they were decided before."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "organisation").mkdir()
    (folder / "organisation" / "a.yaml").write_text(BEFORE)
    return decided(folder, CALLS)


@pytest.fixture
def after(organisation):
    return organisation(AFTER, "after")


def replayed(lineclear, tmp_path, records, candidate, *more):
    path = exported(tmp_path, records)
    status, out, err = lineclear("policy", "replay", "--policies", candidate, "--file", path, *more)
    assert err == ""
    return status, out


def as_json(lineclear, tmp_path, records, candidate):
    return json.loads(replayed(lineclear, tmp_path, records, candidate, "--output", "json")[1])


def test_a_record_survives_the_file(recorded):
    for record in recorded:
        assert as_line(of_line(as_line(record))) == as_line(record)


def test_flips_are_what_deciding_anew_gives(lineclear, tmp_path, recorded, after):
    old, new = recorded, decided(after, CALLS)
    flips = [(one.verdict, other.verdict) for one, other in zip(old, new, strict=True) if one.verdict != other.verdict]
    told = as_json(lineclear, tmp_path, old, after)
    assert {(way["before"], way["after"]): way["count"] for way in told["ways"]} == {
        way: flips.count(way) for way in flips
    }
    assert (told["replayed"], told["flips"], told["inexact"]) == (len(CALLS), len(flips), 0)
    assert len(flips) >= 7


def test_the_same_policy_flips_nothing(lineclear, tmp_path, recorded, before):
    told = as_json(lineclear, tmp_path, recorded, before)
    assert (told["flips"], told["other_codes"]) == (0, 0)


@pytest.mark.parametrize("rules", [AFTER, BEFORE, "version: 1\nheadless: hold\n"], ids=["rules", "none", "more"])
def test_the_policies_before_change_nothing_but_the_time_it_takes(
    lineclear, tmp_path, recorded, before, organisation, rules
):
    candidate = organisation(rules, "candidate")
    told = as_json(lineclear, tmp_path, recorded, candidate)
    _, out = replayed(lineclear, tmp_path, recorded, candidate, "--output", "json", "--before", before)
    assert json.loads(out) == told


def test_many_decisions_are_counted_by_several_processes(lineclear, tmp_path, recorded, after, before):
    many = [*recorded, *(recorded * (CHUNK // len(recorded) + 1))]
    more = ("--output", "json", "--before", before, "--processes")
    one, two = (json.loads(replayed(lineclear, tmp_path, many, after, *more, count)[1]) for count in (1, 2))
    assert one == two
    assert [sample["count"] for way in one["ways"] for sample in way["samples"] if sample["input"] == "npm test"] == [
        sum(record.request["tool_input"].get("command") == "npm test" for record in many)
    ]
    assert one["replayed"] == len(many) > CHUNK
    path = exported(tmp_path, many)
    path.write_bytes(path.read_bytes() + b"nonsense\n")
    status, _, err = lineclear("policy", "replay", "--policies", after, "--file", path, "--processes", 2)
    assert status == 2
    assert f"decisions.jsonl:{len(many) + 1}: " in err


def test_policies_before_that_cant_be_loaded_are_told_where_somebody_named_them(lineclear, tmp_path, recorded, after):
    path = exported(tmp_path, recorded)
    arguments = ("policy", "replay", "--policies", after, "--file", path)
    (tmp_path / "policies" / "organisation").mkdir(parents=True)
    (tmp_path / "policies" / "organisation" / "a.yaml").write_text("version: 2\n")
    assert lineclear(*arguments)[0] == 0
    status, _, err = lineclear(*arguments, "--before", tmp_path / "policies")
    assert status == 2
    assert "a.yaml:1:" in err


def test_a_team_s_rule_counts_for_its_groups_alone(lineclear, tmp_path, recorded, organisation):
    strict = organisation(BEFORE, "strict")
    (strict / "teams" / "payments").mkdir(parents=True)
    team = "version: 1\napplies_to: {groups: [payments]}\npermissions: {deny: [Bash]}\n"
    (strict / "teams" / "payments" / "a.yaml").write_text(team)
    shells = [record for record in recorded if record.tool_name == "Bash" and record.verdict != "deny"]
    member = [replace(one, request=one.request | {"principal": {"id": "m", "groups": ["payments"]}}) for one in shells]
    assert as_json(lineclear, tmp_path, shells, strict)["flips"] == 0
    assert as_json(lineclear, tmp_path, [*shells, *member], strict)["flips"] == len(member)


def test_an_agent_s_call_without_surroundings_is_told_apart(lineclear, tmp_path, recorded, before):
    bare = {"cwd": None, "environment": recorded[0].request["environment"] | {"workspace_roots": None}}
    records = [
        replace(recorded[0], role="agent"),
        replace(recorded[0], role="agent", request=recorded[0].request | bare),
    ]
    assert as_json(lineclear, tmp_path, records, before)["inexact"] == 1


def test_flips_are_counted_by_what_decides(lineclear, tmp_path, recorded, after):
    by = as_json(lineclear, tmp_path, recorded, after)["by"]
    assert {"before": "allow", "after": "ask", "rule": "organisation:ask:Bash(npm test)", "count": 2} in by["rule"]
    assert {"before": "ask", "after": "deny", "tool": "mcp__jira__search", "count": 1} in by["tool"]


@pytest.mark.parametrize(
    ("candidate", "fail_on", "status"),
    [("after", "allow", 1), ("after", "any", 1), ("after", "never", 0), ("before", "any", 0)],
)
def test_what_fails_a_pull_request(lineclear, tmp_path, recorded, before, after, candidate, fail_on, status):
    folder = {"before": before, "after": after}[candidate]
    assert replayed(lineclear, tmp_path, recorded, folder, "--fail-on", fail_on)[0] == status


def test_tightening_alone_passes_fail_on_allow(lineclear, tmp_path, recorded, organisation):
    strict = organisation("version: 1\npermissions: {deny: [Bash, Read]}\n", "strict")
    assert replayed(lineclear, tmp_path, recorded, strict, "--fail-on", "allow")[0] == 0
    assert replayed(lineclear, tmp_path, recorded, strict, "--fail-on", "any")[0] == 1


def test_what_rests_on_something_redacted_is_told_apart(lineclear, tmp_path, before, organisation):
    secret = "ghp_" + "a1B2" * 9
    calls = [
        call("Bash", {"command": f"make TOKEN={secret}"}),
        call("Write", {"file_path": "/work/repo/a", "content": secret}, permission_mode="acceptEdits"),
    ]
    strict = organisation("version: 1\npermissions: {deny: [Bash, Edit]}\n", "strict")
    told = as_json(lineclear, tmp_path, decided(before, calls), strict)
    assert (told["inexact"], told["inexact_flips"], told["flips"]) == (1, 1, 1)


def test_a_field_that_a_rule_reads_isnt_exact_when_redacted(lineclear, tmp_path, before, organisation):
    calls = [
        call("Write", {"file_path": "/work/repo/a", "content": "ghp_" + "a1B2" * 9}, permission_mode="acceptEdits")
    ]
    reads = organisation(
        "version: 1\nrules: [{id: r, effect: deny, tools: [Write], input: {content: 'ghp*'}}]\n", "reads"
    )
    assert as_json(lineclear, tmp_path, decided(before, calls), reads)["inexact"] == 1


def test_markdown_for_a_pull_request(lineclear, tmp_path, recorded, before, after):
    calls = [call("Bash", {"command": "npm run a`|`b"})]
    _, out = replayed(lineclear, tmp_path, [*recorded, *decided(before, calls)], after, "--output", "markdown")
    lines = out.splitlines()
    assert lines[0] == "### What this policy would have changed"
    assert "| allow | ask | `organisation:ask:Bash(npm test)` | 2 |" in lines
    assert all(line.startswith("|") == line.endswith("|") for line in lines)


def test_text_shows_samples(lineclear, tmp_path, recorded, after):
    _, out = replayed(lineclear, tmp_path, recorded, after)
    assert "allow -> ask: " in out
    assert "  Bash: npm test\n" in out
    assert out.splitlines()[-1].startswith(f"{len(CALLS)} decisions replayed, ")


@pytest.mark.parametrize("line", [b"{}", b"nonsense", b"[1]"])
def test_a_line_that_is_no_decision_is_named(lineclear, tmp_path, before, line):
    path = tmp_path / "x.jsonl"
    path.write_bytes(line + b"\n")
    status, _, err = lineclear("policy", "replay", "--policies", before, "--file", path)
    assert status == 2
    assert "x.jsonl:1: " in err


def test_a_span_that_is_none_is_refused(lineclear, before):
    assert lineclear("policy", "replay", "--policies", before, "--since", "yesterday")[0] == 2
