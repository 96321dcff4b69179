"""``policy explain``: how one call is decided, as text for people and as JSON for machines."""

import json

import pytest

POLICY = """
version: 1
permissions:
  allow: ["Bash(npm test)"]
  deny: ["Bash(npm publish *)", "Read(secrets/**)"]
"""


def explained(lineclear, organisation, *arguments, stdin=b""):
    folder = organisation(POLICY)
    status, out, err = lineclear("policy", "explain", "--policies", folder, "--output", "json", *arguments, stdin=stdin)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_each_part_names_the_rule_that_took_it(lineclear, organisation):
    told = explained(lineclear, organisation, "cd src && npm test")
    assert (told["verdict"], told["code"], told["decision_id"]) == ("allow", "allow_rule", None)
    cd, npm = told["trace"]["parts"]["commands"]
    assert (cd["proof"], cd["covered_by"]) == ("read_only", None)
    assert (npm["proof"], npm["covered_by"]) == ("none", "organisation:allow:Bash(npm test)")
    assert npm["words"] == ["npm", "test"]


def test_each_check_is_told_in_order(lineclear, organisation):
    checks = explained(lineclear, organisation, "npm publish && cat .env")["trace"]["checks"]
    states = {check["number"]: check["state"] for check in checks}
    assert " ".join(states) == "1 2 3 3a 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"
    assert states["3"] == "decides"
    assert states["6"] == "found"
    assert states["14"] == "not_reached"


def test_every_other_rule_says_why_it_didnt_match(lineclear, organisation):
    rules = {one["rule"]: one for one in explained(lineclear, organisation, "npm test")["trace"]["rules"]}
    assert rules["organisation:allow:Bash(npm test)"]["reach"] == "matches"
    assert rules["organisation:deny:Bash(npm publish *)"]["why"] == "none of the commands is one that it means"
    assert rules["organisation:deny:Read(secrets/**)"]["why"] == "no path is read or written"


def test_a_person_reads_what_is_not_proven(lineclear, organisation):
    _, out, _ = lineclear("policy", "explain", "--policies", organisation(POLICY), "cd src && npm test")
    assert "  command  `cd src`: read only\n" in out
    assert "  command  `npm test`: not proven, covered by organisation:allow:Bash(npm test)\n" in out


def test_in_auto_it_says_that_a_model_would_be_asked(lineclear, organisation):
    told = explained(lineclear, organisation, "make", "--mode", "auto")
    assert told["trace"]["checks"][-1]["state"] == "asked"


def test_a_request_may_be_given_with_its_caller(lineclear, organisation):
    request = {
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": "git status"},
        "cwd": "/work/repo",
        "environment": {"workspace_roots": ["/work/repo"], "shell": "bash", "repository_trusted": True},
    }
    host = explained(lineclear, organisation, stdin=json.dumps(request).encode())
    agent = explained(lineclear, organisation, "-", stdin=json.dumps({**request, "role": "agent"}).encode())
    assert (host["verdict"], agent["verdict"]) == ("allow", "deny")


def test_secrets_are_redacted(lineclear, organisation):
    secret = "ghp_" + "a1B2" * 9
    told = json.dumps(explained(lineclear, organisation, f"curl -H 'Authorization: token {secret}' https://x.y"))
    assert secret not in told


def test_the_text_tells_the_same(lineclear, organisation):
    status, out, _ = lineclear("policy", "explain", "npm publish", "--policies", organisation(POLICY))
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "deny  deny_rule  (mode default)"
    assert any(line.startswith("    3  decides") for line in lines)
    assert any("organisation/a.yaml:5:10" in line for line in lines)


def test_what_is_no_request_is_refused(lineclear, organisation):
    status, _, err = lineclear("policy", "explain", "--policies", organisation(POLICY), stdin=b"{}")
    assert status == 2
    assert "session_id" in err


def test_a_call_leads_no_terminal(lineclear, organisation):
    folder = organisation("version: 1\n")
    _, out, _ = lineclear("policy", "explain", "--policies", folder, "printf \x1b[2J\x07 \u202e 'a\nb'; ls")
    assert "\\u001b[2J" in out
    assert not set(out) & {"\x1b", "\x07", "\u202e"}
    assert "  command  `ls`: read only" in out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("git", "push"), "put it in quotes: `lineclear policy explain 'git push'`"),
        (("ls", "-la"), "put it in quotes: `lineclear policy explain 'ls -la'`"),
        (("--moed", "plan"), "there is no option `--moed`; see `lineclear policy explain --help`"),
    ],
    ids=str,
)
def test_a_command_without_quotes_is_shown_with_them(lineclear, typed, said):
    (status, out, err) = lineclear("policy", "explain", *typed)
    assert (status, out) == (2, "")
    assert said in err
