"""The shipped catalogues hold what is known of seven agents, and show models nothing that they mustn't see."""

import json
from typing import Any

import pytest
from benchmarks import given

from lineclear.core.toolnames import skeleton
from lineclear.core.tools import Kind, Use
from support.catalogues import documents, entries, shipped

HOSTS = {"claude-code", "codex", "gemini-cli", "opencode", "cline", "openhands", "kinetaios"}
CORPUS = given.corpora() / "agent_tools.jsonl"
COMPATIBLE = {
    "execute": {Kind.SHELL},
    "read": {Kind.READ, Kind.SEARCH, Kind.SESSION, Kind.OTHER},
    "edit": {Kind.EDIT, Kind.OTHER},
    "network": {Kind.FETCH, Kind.WEB_SEARCH, Kind.DEVICE, Kind.AGENT, Kind.OTHER},
    "delegate": {Kind.AGENT, Kind.SKILL, Kind.OTHER},
    "control": {Kind.CONTROL},
    "session": {Kind.SESSION, Kind.CONTROL, Kind.AGENT, Kind.DEVICE, Kind.OTHER},
    "device": {Kind.DEVICE},
}
"""Which kinds an effect may be: its own, or one that is trusted less."""


def rows() -> list[Any]:
    if not CORPUS.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no corpus at {CORPUS}; set LINECLEAR_CORPORA"))]
    return [
        pytest.param(json.loads(line), id=json.loads(line)["id"]) for line in CORPUS.read_text("utf-8").splitlines()
    ]


@pytest.mark.parametrize("row", rows())
def test_each_tool_of_the_corpus_is_known_with_its_effect_and_arguments(row: dict[str, Any]) -> None:
    tool = shipped().resolve(row["tool"], row["agent"])
    assert tool.known
    assert tool.kind in COMPATIBLE[row["effect"]]
    listed = {argument.pointer.removesuffix("/*") for argument in tool.arguments if argument.use is not Use.DATA}
    assert {f"/{name}" for key in ("path_args", "command_args", "url_args") for name in row[key]} <= listed
    if (read_only := row.get("vendor_read_only")) is not None:
        assert tool.flags.read_only is read_only


def test_there_is_a_catalogue_for_each_agent_under_its_own_name() -> None:
    assert shipped().hosts == HOSTS
    assert {name: document["host"] for name, document in documents().items()} == {host: host for host in HOSTS}


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_no_two_names_of_a_host_look_alike(host: str) -> None:
    names = [tool.name for tool in entries() if tool.host == host]
    assert len({skeleton(name) for name in names}) == len(names)


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_a_catalogue_says_what_it_was_checked_against(host: str) -> None:
    checked = documents()[host]["checked"]
    assert set(checked) == {"version", "date", "basis"}
    assert all(checked.values())


@pytest.mark.parametrize("tool", entries(), ids=lambda tool: f"{tool.host}/{tool.name}")
def test_each_entry_is_sound(tool: Any) -> None:
    uses = {argument.use for argument in tool.arguments}
    assert tool.description.endswith(".")
    if tool.kind is Kind.EDIT:
        assert uses & {Use.PATH_WRITE, Use.PATCH}, "an edit that names no file could be settled by nothing"
    if tool.kind is Kind.FETCH:
        assert uses & {Use.URL, Use.URLS_IN_TEXT}
        assert tool.flags.open_world
    if tool.kind in {Kind.SHELL, Kind.EDIT, Kind.AGENT, Kind.SKILL, Kind.DEVICE} and not tool.variants:
        assert not tool.flags.read_only or tool.kind is Kind.DEVICE
    if tool.kind in {Kind.READ, Kind.SEARCH, Kind.CONTROL, Kind.SESSION}:
        assert not tool.flags.open_world, "what is free by default reaches nothing outside"
        assert Use.PATH_WRITE not in uses


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for child in value.values() for key in keys_of(child)}
    return {key for child in value for key in keys_of(child)} if isinstance(value, list) else set()


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_a_model_sees_no_flag(host: str) -> None:
    shown = shipped().export(host)
    assert [set(tool) for tool in shown] == [{"name", "description", "input_schema"}] * len(shown)
    words = {"read_only", "destructive", "concurrency_safe", "open_world", "deferrable", "max_result_chars", "kind"}
    for tool in shown:
        schema = {name: {} for name in tool["input_schema"]["properties"]}
        assert not words & (keys_of(tool) - set(schema)), tool["name"]


def test_the_schema_that_a_model_sees() -> None:
    shown = {tool["name"]: tool["input_schema"] for tool in shipped().export("cline")}
    assert shown["read_files"]["required"] == ["files"]
    assert shown["read_files"]["properties"]["files"]["items"]["required"] == ["path"]
    assert shown["editor"]["properties"]["path"] == {"type": "string"}
    with pytest.raises(KeyError):
        shipped().export("nobody")
