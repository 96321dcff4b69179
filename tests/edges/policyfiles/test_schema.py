"""The published schema and the loader take the same files, as far as a schema can say it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lineclear import resources
from lineclear.policyfiles import long, sources, teams
from lineclear.policyfiles.compiling import SECTIONS
from lineclear.policyfiles.lint.finding import Kind
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.yaml import read
from support.rulings import policy

SCHEMA = json.loads(resources.policy_schema().read_text())
FIRST_LINE = "# yaml-language-server: $schema=../schema.json"
SHIPPED = sorted(resources.builtin().glob("*.yaml")) + sorted((resources.policies() / "organisation").glob("*.yaml"))
PAGE = (Path(__file__).parents[3] / "docs" / "policies.md").read_text()
BLOCKS = [
    block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if block.startswith(("version:", "# teams"))
]


@pytest.fixture(scope="module")
def valid():
    """Whether a document fits the schema."""
    rs = pytest.importorskip("jsonschema_rs")
    return rs.validator_for(SCHEMA).is_valid


def test_it_knows_every_section_and_every_key():
    assert set(SCHEMA["properties"]) == {"version", *SECTIONS, *teams.SECTIONS}
    assert set(SCHEMA["$defs"]["rule"]["properties"]) == set(long.KEYS)
    assert set(SCHEMA["$defs"]) >= {"rule", "selector", "agent", "protected"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_files_name_it_and_fit(valid, path):
    text = path.read_text()
    assert text.splitlines()[0] == FIRST_LINE
    assert valid(read(text).plain())


@pytest.mark.parametrize("text", BLOCKS, ids=range(len(BLOCKS)))
def test_documented_policies_fit(valid, text):
    assert valid(read(text).plain())


REFUSED = [
    {"permisions": {}},
    {"permissions": {"alow": []}},
    {"permissions": {"allow": "Bash"}},
    {"rules": [{"id": "r", "effect": "deny"}]},
    {"rules": [{"id": "r", "effect": "permit", "command": ["x"]}]},
    {"rules": [{"effect": "deny", "command": ["x"]}]},
    {"rules": [{"id": "r", "effect": "deny", "comand": ["x"]}]},
    {"rules": [{"id": "r", "effect": "deny", "command": []}]},
    {"rules": [{"id": "r", "effect": "ask", "command": ["x"], "expires": "soon"}]},
    {"rules": [{"id": "r", "effect": "deny", "tools": [{"sever": "x"}]}]},
    {"modes": {"allowed": ["yolo"]}},
    {"enforcement": "strict"},
    {"breaker": {"consecutive": 0}},
    {"approvals": {"ttl": "soon"}},
    {"workspace": {"read": "anywhere"}},
    {"protected_paths": [{"id": "p", "path": "x", "access": "execute", "effect": "ask"}]},
    {"lint": {"ignore": [{"id": "x", "findings": [Kind.SUSPENDED.value]}]}},
]


@pytest.mark.parametrize("sections", REFUSED, ids=str)
def test_both_refuse(valid, sections):
    assert not valid({"version": 1, **sections})
    with pytest.raises(PolicyError):
        policy(**sections)


def test_neither_takes_a_file_without_its_version(valid):
    assert not valid({})
    with pytest.raises(PolicyError):
        sources.of_text("permissions: {}\n")
