"""The schema and the loader know the same keys and words, and what the loader takes, the schema takes.

Nobody lists them here: a key that nobody knows makes the loader say which there are.
"""

from __future__ import annotations

import copy
import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from lineclear import resources
from lineclear.core.rules.rule import Layer
from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import examined
from lineclear.policyfiles.problems import Fault, PolicyError
from support.rulings import node, shipped
from support.whole_policy import ORGANISATION, TEAM

SCHEMA = json.loads(resources.policy_schema().read_text())
UNKNOWN = "0"
Path = tuple[str | int, ...]


@pytest.fixture(scope="module")
def valid():
    """Whether a document fits the schema."""
    rs = pytest.importorskip("jsonschema_rs")
    return rs.validator_for(SCHEMA).is_valid


def refusals(document: Any) -> list[str]:
    """What the loader has against a document: the organisation's, or a team's if it says to whom it applies."""
    team = isinstance(document, dict) and "applies_to" in document
    try:
        source = sources.of_node(node(document), layer=Layer.TEAM if team else Layer.ORGANISATION)
        examined(shipped(), (replace(source, team="t" if team else None),))
    except Fault as fault:
        return [str(fault)]
    except PolicyError as error:
        return [problem.message for problem in error.problems]
    return []


def resolved(schema: dict[str, Any], value: Any) -> dict[str, Any]:
    """The part of a schema that is about a value of this form."""
    if "$ref" in schema:
        return resolved(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if "anyOf" in schema and "properties" not in schema:
        kind = {dict: "object", list: "array"}.get(type(value), "plain")
        options = [resolved(one, value) for one in schema["anyOf"]]
        return next((one for one in options if one.get("type", "plain") == kind), options[0])
    return schema


def places(schema: dict[str, Any], value: Any, path: Path = ()):
    """Every value of a document, with its place and its part of the schema."""
    schema = resolved(schema, value)
    yield path, schema, value
    if isinstance(value, dict):
        for key, inner in value.items():
            known = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(known, dict):
                yield from places(known, inner, (*path, key))
    if isinstance(value, list) and "items" in schema:
        for at, inner in enumerate(value):
            yield from places(schema["items"], inner, (*path, at))


def changed(document: Any, path: Path, change) -> Any:
    """A copy of a document with the value at a place changed."""
    document = copy.deepcopy(document)
    if not path:
        return change(document)
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = change(holder[path[-1]])
    return document


def told(document: Any, path: Path) -> set[str]:
    """The words that the loader names in place of an unknown one."""
    lists = [re.search(r"there are ([^;]+)$", message) for message in refusals(document)]
    found = [set(re.findall(r"[\w-]+", one[1])) for one in lists if one]
    assert found, (path, refusals(document))
    return found[0]


DOCUMENTS = {"organisation": ORGANISATION, "team": TEAM}
PLACES = [
    pytest.param(document, path, schema, id=f"{name}:{'.'.join(map(str, path))}")
    for name, document in DOCUMENTS.items()
    for path, schema, value in places(SCHEMA, document)
    if isinstance(value, dict) and "properties" in schema and path
]
WORDS = [
    pytest.param(path, set(schema["enum"]), id=".".join(map(str, path)))
    for path, schema, _ in places(SCHEMA, ORGANISATION)
    if len(schema.get("enum", ())) > 1
]


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_the_whole_documents_are_taken_by_both(valid, document):
    assert refusals(document) == []
    assert valid(document)


def test_the_whole_documents_hold_every_key_of_the_schema():
    seen = {id(schema): set() for document in DOCUMENTS.values() for _, schema, _ in places(SCHEMA, document)}
    known = {}
    for document in DOCUMENTS.values():
        for _, schema, value in places(SCHEMA, document):
            if isinstance(value, dict) and "properties" in schema:
                seen[id(schema)] |= set(value)
                known[id(schema)] = set(schema["properties"])
    missing = {key for mark, keys in known.items() for key in keys - seen[mark]}
    assert missing == {"programs"}


def test_at_the_top_there_are_the_same_keys():
    both = told({**ORGANISATION, UNKNOWN: 1}, ()) | told({**TEAM, UNKNOWN: 1}, ())
    assert both == set(SCHEMA["properties"])


@pytest.mark.parametrize(("document", "path", "schema"), PLACES)
def test_each_mapping_has_the_same_keys(document, path, schema):
    assert told(changed(document, path, lambda value: {**value, UNKNOWN: 1}), path) == set(schema["properties"])


@pytest.mark.parametrize(("path", "words"), WORDS)
def test_each_choice_has_the_same_words(path, words):
    assert told(changed(ORGANISATION, path, lambda _: UNKNOWN), path) == words


VALUES: list[Any] = ["", "x", "*", "allow", 0, 1, -1, 1.5, True, False, None, [], [1], ["x"], {}, {"x": 1}, [[]], [{}]]


def mutated(document: Any, chance: random.Random) -> Any:
    """A document with one thing changed somewhere."""
    path, _, value = chance.choice([place for place in places(SCHEMA, document) if place[0]])
    match chance.randrange(4):
        case 0:
            return changed(document, path, lambda _: chance.choice(VALUES))
        case 1 if isinstance(value, dict) and value:
            gone = chance.choice(list(value))
            return changed(document, path, lambda _: {key: one for key, one in value.items() if key != gone})
        case 2 if isinstance(value, dict):
            return changed(
                document, path, lambda _: value | {chance.choice(["id", "x", "path"]): chance.choice(VALUES)}
            )
        case 3 if isinstance(value, list):
            return changed(document, path, lambda _: [*value, chance.choice(VALUES)])
        case _:
            return changed(document, path, lambda _: [value])


@pytest.mark.parametrize("rounds", [60, pytest.param(1200, marks=pytest.mark.slow)])
def test_what_the_loader_takes_the_schema_takes(valid, rounds):
    chance, taken = random.Random(rounds), 0
    for _ in range(rounds):
        document = mutated(chance.choice([ORGANISATION, ORGANISATION, TEAM]), chance)
        if not refusals(document):
            taken += 1
            assert valid(document), document
    assert taken
