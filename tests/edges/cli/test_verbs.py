"""The command line: what each verb prints and how it ends, without a service."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from lineclear.cli import VERBS, main
from lineclear.cli.config import without_password

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def lineclear(monkeypatch, capsys, tmp_path):
    """Runs the program: its exit status, what it printed, and what it complained of."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LINECLEAR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["lineclear", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        status = ended.value.code
        return (status or 0, *capsys.readouterr())

    return run


def test_the_version(lineclear):
    assert lineclear("--version") == (0, "lineclear 0.1.0\n", "")


def test_help_names_every_verb(lineclear):
    (status, out, _) = lineclear("--help")
    assert status == 0
    assert [verb for verb in VERBS if not re.search(rf"^  {verb} ", out, re.MULTILINE)] == []


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_explains_itself(lineclear, verb):
    (status, out, _) = lineclear(verb, "--help")
    assert status == 0
    assert f"lineclear {verb}" in out


def test_a_misspelled_verb_is_answered_with_the_nearest(lineclear):
    (status, _, err) = lineclear("serv")
    assert status == 2
    assert "Did you mean 'serve'" in err


def test_a_wrong_setting_ends_in_one_line(lineclear, monkeypatch):
    monkeypatch.setenv("LINECLEAR_PORT", "many")
    (status, out, err) = lineclear("config", "show")
    assert (status, out) == (2, "")
    assert err.startswith("lineclear: `LINECLEAR_PORT` must be ")
    assert err.count("\n") == 1


def test_config_shows_values_with_their_sources_and_no_secret(lineclear, monkeypatch):
    monkeypatch.setenv("LINECLEAR_SECRET", "hunter2-" + "x" * 20)
    monkeypatch.setenv("LINECLEAR_DATABASE_URL", "postgresql://u:hunter2@h:5432/d?sslpassword=hunter2")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "hunter2")
    (status, out, _) = lineclear("config", "show")
    rows = {line.split()[0]: line.split(None, 1)[1] for line in out.splitlines()}
    assert status == 0
    assert "hunter2" not in out
    assert re.fullmatch(r"postgresql://u:\*\*\*@h:5432/d +environment", rows["LINECLEAR_DATABASE_URL"])
    assert re.fullmatch(r"8642 +default", rows["LINECLEAR_PORT"])
    assert rows["LINECLEAR_CLASSIFIER__API_KEY"].endswith("ANTHROPIC_* in the environment")


def test_every_setting_is_documented(lineclear):
    (_, out, _) = lineclear("config", "show")
    documented = set(re.findall(r"^\| `(LINECLEAR_\w+)` \|", (DOCS / "operations.md").read_text(), re.MULTILINE))
    assert {line.split()[0] for line in out.splitlines()} == documented


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://u:p@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u:p%40q@h:1/d?password=p", "postgresql://u:***@h:1/d"),
        ("postgresql://u:p@p2@h/d", "postgresql://u:***@h/d"),
        ("postgresql://h/d", "postgresql://h/d"),
        ("postgresql:///d?host=/run/x", "postgresql:///d"),
        ("postgresql://[u:p@h/d", "(not a url)"),
    ],
)
def test_a_url_is_shown_without_its_password(url, shown):
    assert without_password(url) == shown


@pytest.mark.parametrize("arguments", [("keys", "create", "--role", "god", "--principal", "p"), ("keys", "create")])
def test_a_key_needs_a_role_and_a_principal(lineclear, arguments):
    assert lineclear(*arguments)[0] == 2
