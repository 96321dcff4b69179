"""``lineclear report``: what would have been asked or denied is what enforcing the same policy asks and denies."""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from lineclear.core.redact import Redacted
from support.judging import call
from support.recording import decided, exported

RULES = """
rules:
  - {id: no-rm, effect: deny, command: ["rm *"]}
  - {id: no-build, effect: deny, path: ["build/**"]}
  - {id: trial, effect: deny, command: ["ls *"], dry_run: true}
permissions: {ask: ["Bash(make *)"]}
"""
OBSERVE, ENFORCE = (f"version: 1\nenforcement: {word}\n{RULES}" for word in ("observe", "enforce"))
CALLS = [
    *(call("Bash", {"command": text}) for text in ("ls -la", "rm -r build", "rm a.txt", "make all", "make x", "ls")),
    call("Read", {"file_path": "/work/repo/build/a"}),
    call("mcp__jira__search", {"query": "x"}),
]


@pytest.fixture
def observed(organisation):
    return decided(organisation(OBSERVE), CALLS)


def as_json(lineclear, tmp_path, records, *more):
    status, out, err = lineclear("report", "--file", exported(tmp_path, records), "--output", "json", *more)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_what_is_observed_is_what_enforcing_does(lineclear, tmp_path, observed, organisation):
    told = as_json(lineclear, tmp_path, observed)
    enforced = Counter(record.verdict for record in decided(organisation(ENFORCE, "other"), CALLS))
    assert {record.enforced for record in observed} == {False}
    assert (told["decisions"], told["unenforced"]) == (len(CALLS), len(CALLS))
    assert (told["deny"], told["ask"]) == (enforced["deny"], enforced["ask"]) == (3, 3)


def test_each_rule_is_told_with_what_it_would_do_alone(lineclear, tmp_path, observed):
    by = {row["rule"]: row for row in as_json(lineclear, tmp_path, observed)["by"]["rule"]}
    first = by["organisation:no-rm"]
    assert (first["deny"], first["ask"], first["alone"], first["sessions"]) == (2, 0, 1, 2)
    assert first["source"].startswith("organisation/a.yaml:")
    assert [sample["input"] for sample in first["samples"]] == ["rm -r build", "rm a.txt"]
    assert (by["organisation:no-build"]["deny"], by["organisation:no-build"]["alone"]) == (2, 1)
    assert by["organisation:ask:Bash(make *)"]["ask"] == 2
    assert [name for name in by if name.startswith("(")] == ["(no_rule)"] or len(by) == 4


def test_it_is_told_by_tool_session_and_principal(lineclear, tmp_path, observed):
    by = as_json(lineclear, tmp_path, observed)["by"]
    assert {row["tool"]: (row["deny"], row["ask"]) for row in by["tool"]} == {
        "Bash": (2, 2),
        "Read": (1, 0),
        "mcp__jira__search": (0, 1),
    }
    assert len(by["session"]) == 6
    assert [(row["principal"], row["deny"], row["ask"]) for row in by["principal"]] == [("test", 3, 3)]


def test_rules_on_trial_are_counted_though_they_decide_nothing(lineclear, tmp_path, observed):
    (trial,) = as_json(lineclear, tmp_path, observed)["trials"]
    assert (trial["rule"], trial["effect"], trial["matched"], trial["stricter"]) == ("organisation:trial", "deny", 2, 2)


def test_what_was_enforced_counts_only_if_asked_for(lineclear, tmp_path, organisation):
    records = decided(organisation(ENFORCE), CALLS)
    told = as_json(lineclear, tmp_path, records)
    assert (told["unenforced"], told["deny"], told["ask"], told["by"]["rule"]) == (0, 0, 0, [])
    status, out, _ = lineclear("report", "--file", exported(tmp_path, records))
    assert status == 0
    assert "set `enforcement: observe`" in out
    told = as_json(lineclear, tmp_path, records, "--all")
    assert (told["deny"], told["ask"]) == (3, 3)


def test_a_period_is_cut_out(lineclear, tmp_path, observed):
    now = datetime.now(UTC)
    aged = [replace(record, decided_at=now - timedelta(days=day)) for day, record in enumerate(observed)]
    assert as_json(lineclear, tmp_path, aged)["decisions"] == len(CALLS)
    assert as_json(lineclear, tmp_path, aged, "--since", "50h")["decisions"] == 3
    assert as_json(lineclear, tmp_path, aged, "--since", "50h", "--until", "10h")["decisions"] == 2


def test_a_call_that_comes_again_is_shown_once_with_how_often_it_came(lineclear, tmp_path, organisation):
    texts = ["rm a"] * 5 + ["rm b", "rm a", "rm c", "rm d", "rm b"]
    records = decided(organisation(OBSERVE), [call("Bash", {"command": text}) for text in texts])
    (rule,) = as_json(lineclear, tmp_path, records)["by"]["rule"]
    assert [(one["input"], one["count"]) for one in rule["samples"]] == [("rm a", 6), ("rm b", 2), ("rm c", 1)]
    assert [one["decision_id"] for one in rule["samples"]] == [str(records[at].id) for at in (0, 5, 7)]
    out = lineclear("report", "--file", exported(tmp_path, records))[1]
    assert [row.strip() for row in out.splitlines() if "Bash: " in row] == [
        "Bash: rm a (6 times)",
        "Bash: rm b (2 times)",
        "Bash: rm c",
    ]


def test_text_and_markdown_tell_the_same(lineclear, tmp_path, observed):
    path = exported(tmp_path, observed)
    text = lineclear("report", "--file", path)[1]
    assert f"{len(CALLS)} decisions, {len(CALLS)} of them not enforced" in text
    assert "3 would have been denied, 3 asked" in text
    assert "      2       0        2  organisation:no-rm  (organisation/a.yaml:" in text
    assert "rules on trial" in text
    markdown = lineclear("report", "--file", path, "--output", "markdown")[1].splitlines()
    assert markdown[0] == "### What would have been asked or denied"
    assert any(line.startswith("| `organisation:no-rm` | 2 | 0 | 2 | 1 | `Bash: rm -r build`<br>") for line in markdown)
    assert all(line.endswith("|") for line in markdown if line.startswith("|"))


@pytest.mark.parametrize("output", ["text", "markdown"])
def test_an_agent_s_text_leads_no_terminal(lineclear, tmp_path, organisation, output):
    commands = ["rm a\x1b[2J\x07", "rm b\u202ec"]
    records = decided(organisation(OBSERVE), [call("Bash", {"command": text}) for text in commands])
    out = lineclear("report", "--file", exported(tmp_path, records), "--output", output)[1]
    assert "\\u001b[2J" in out
    assert not set(out) & {"\x1b", "\x07", "\u202e"}


def test_nothing_recorded_is_said(lineclear, tmp_path):
    assert lineclear("report", "--file", exported(tmp_path, []))[1] == "no decisions were recorded in this time\n"


@pytest.mark.parametrize("span", ["yesterday", "0d", "-1d", "999999w", "7"])
def test_a_span_that_is_none_is_refused(lineclear, tmp_path, span):
    status, _, err = lineclear("report", "--file", exported(tmp_path, []), "--since", span)
    assert status == 2
    assert "write" in err or "No such option" in err


def test_a_file_that_is_no_export_is_refused_with_its_line(lineclear, tmp_path, observed):
    path = exported(tmp_path, observed[:1])
    path.write_bytes(path.read_bytes() + b"{}\n")
    status, _, err = lineclear("report", "--file", path)
    assert (status, f"{path}:2: " in err) == (2, True)


def test_a_record_of_before_trials_is_taken(lineclear, tmp_path, observed):
    answers = [{name: value for name, value in one.answer.items() if name != "dry_run"} for one in observed]
    old = [replace(one, answer=Redacted(answer)) for one, answer in zip(observed, answers, strict=True)]
    assert as_json(lineclear, tmp_path, old)["trials"] == []
