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
from lineclear.policyfiles.reference import reference
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


def keys(schema, path=""):
    """Every key that is named in the schema, with what is said of it."""
    for name, value in schema.get("properties", {}).items():
        yield f"{path}.{name}", value
        yield from keys(value, f"{path}.{name}")
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from keys(inner, f"{path}[]")


def test_each_key_is_described():
    named = [*keys(SCHEMA), *(pair for name, part in SCHEMA["$defs"].items() for pair in keys(part, name))]
    assert [path for path, value in named if not ({"description", "$ref"} & set(value))] == []
    assert [name for name, part in SCHEMA["$defs"].items() if "description" not in part] == []


def test_what_is_said_to_hold_where_a_key_is_left_out_does():
    written = {}
    for name, section in SCHEMA["properties"].items():
        if "default" in section:
            written[name] = section["default"]
        elif inner := {key: one["default"] for key, one in section.get("properties", {}).items() if "default" in one}:
            written[name] = inner
    assert set(written) >= {"enforcement", "headless", "modes", "workspace", "breaker", "approvals", "classifier"}
    said, unsaid = policy(**written), policy()
    for field in ("enforce", "headless", "modes", "workspace", "breaker", "question_ttl_s", "trust_host", "guidance"):
        assert getattr(said, field) == getattr(unsaid, field), field
    assert said.version == unsaid.version


def test_the_reference_is_made_of_it():
    page = Path(__file__).parents[3] / "docs" / "policy-reference.md"
    advice = "run `lineclear policy schema --output markdown > docs/policy-reference.md`"
    assert page.read_text() == reference(SCHEMA), advice
