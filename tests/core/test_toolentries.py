"""A catalogue's mapping means what it says, or is refused with the key and the reason."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.toolentries import EntryError, HostNames, entry, host_names, override
from lineclear.core.toolnames import Naming
from lineclear.core.tools import Argument, Choice, Flags, Kind, Use

PLAIN = {"name": "get", "kind": "read"}


def test_an_entry_means_what_it_says() -> None:
    made = entry(
        {
            "name": "run",
            "kind": "shell",
            "command": ["/command", "/shell"],
            "directory": "/workdir",
            "prose": "/why",
            "required": "/command",
            "language": "powershell",
            "typed": "/is_input",
            "unsandboxed": "/free",
            "max_result_chars": 100,
            "open_world": False,
            "description": "Runs.",
        },
        "a-host",
    )
    assert (made.name, made.host, made.kind, made.description) == ("run", "a-host", Kind.SHELL, "Runs.")
    assert made.arguments == (
        Argument("/command", Use.COMMAND, required=True),
        Argument("/shell", Use.COMMAND),
        Argument("/workdir", Use.DIRECTORY),
        Argument("/why", Use.PROSE),
    )
    assert (made.language, made.typed, made.unsandboxed) == ("powershell", "/is_input", "/free")
    assert made.flags == Flags(open_world=False, max_result_chars=100)


def test_what_is_not_said_is_the_worse() -> None:
    assert entry(PLAIN, "h").flags == Flags(read_only=False, concurrency_safe=False, open_world=True)


@pytest.mark.parametrize(
    ("kind", "use"),
    [("read", Use.PATH_READ), ("search", Use.PATH_READ), ("edit", Use.PATH_WRITE), ("other", Use.PATH_WRITE)],
)
def test_a_path_is_read_only_where_the_kind_says_that_the_tool_reads(kind: str, use: Use) -> None:
    _, said = override({"tool": "mcp__a__b", "kind": kind, "path": "/p"})
    assert said.arguments == (Argument("/p", use),)


def test_a_path_of_an_override_without_a_kind_is_written() -> None:
    assert override({"tool": "x", "path": "/p"})[1].arguments == (Argument("/p", Use.PATH_WRITE),)


@pytest.mark.parametrize(
    ("mapping", "key", "words"),
    [
        pytest.param({"kind": "read"}, "name", "`name` is missing", id="no name"),
        pytest.param({"name": "x"}, "kind", "`kind` is missing", id="no kind"),
        pytest.param({"name": "", "kind": "read"}, "name", "isn't empty", id="empty name"),
        pytest.param({"name": 7, "kind": "read"}, "name", "must be a text", id="name that is a number"),
        pytest.param({"name": "x", "kind": "reed"}, "kind", "`reed` is no kind", id="unknown kind"),
        pytest.param({"name": "x", "kind": ["read"]}, "kind", "is no kind", id="kind that is a list"),
        pytest.param({**PLAIN, "readonly": True}, "readonly", "`readonly` is no key of a tool", id="unknown key"),
        pytest.param({**PLAIN, "reads": "path"}, "reads", "an argument `x` is written `/x`", id="no pointer"),
        pytest.param({**PLAIN, "reads": ["/a", 1]}, "reads", "list of texts", id="pointer that is a number"),
        pytest.param({**PLAIN, "reads": "/"}, "reads", "is no JSON pointer", id="pointer to nothing"),
        pytest.param({**PLAIN, "required": "/p"}, "required", "no key says what it is for", id="required, unlisted"),
        pytest.param({**PLAIN, "reads": "/p", "data": "/p"}, "data", "data and something else", id="data and path"),
        pytest.param({**PLAIN, "read_only": "yes"}, "read_only", "true or false", id="flag that is a text"),
        pytest.param({**PLAIN, "max_result_chars": 0}, "max_result_chars", "above nought", id="limit of nought"),
        pytest.param({**PLAIN, "max_result_chars": True}, "max_result_chars", "above nought", id="limit that is true"),
        pytest.param({**PLAIN, "read_only": True, "destructive": True}, "destructive", "both", id="reads and destroys"),
        pytest.param({"name": "x", "kind": "shell"}, "command", "needs `command`", id="shell that runs nothing"),
        pytest.param({**PLAIN, "variants": {"when": 1}}, "variants", "must be a list", id="variants no list"),
        pytest.param({**PLAIN, "variants": ["view"]}, "variants", "must be a mapping", id="variant no mapping"),
        pytest.param({**PLAIN, "variants": [{"kind": "edit"}]}, "when", "must name one", id="variant without choice"),
        pytest.param({**PLAIN, "variants": [{"when": {"/c": 1}}]}, "when", "exact text", id="choice of a number"),
        pytest.param({**PLAIN, "variants": [{"when": {"c": "v"}}]}, "when", "no JSON pointer", id="choice, no pointer"),
        pytest.param({**PLAIN, "variants": [{"when": {"/c": "v"}, "name": "y"}]}, "name", "no key", id="renamed"),
    ],
)
def test_a_mapping_that_no_catalogue_can_mean(mapping: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(EntryError) as error:
        entry(mapping, "h")
    assert error.value.key == key
    assert words in str(error.value)


@given(st.dictionaries(st.text(max_size=8), st.recursive(st.none() | st.booleans() | st.text(), st.lists), max_size=4))
def test_any_mapping_is_an_entry_or_an_entry_error(noise: dict[str, Any]) -> None:
    with suppress(EntryError):
        assert entry({**PLAIN, **noise}, "h").kind in set(Kind)


def test_a_variant_in_another_language_is_in_that_language() -> None:
    shell = {"name": "run", "kind": "shell", "command": "/code"}
    made = entry({**shell, "variants": [{"when": {"/in": "py"}, "language": "python"}]}, "h")
    ((_, variant),) = made.variants
    assert (made.language, variant.language) == (None, "python")
    with pytest.raises(EntryError, match="`language` must be a text"):
        entry({**shell, "variants": [{"when": {"/in": "py"}, "language": ["python"]}]}, "h")


def test_a_variant_changes_what_it_names_and_keeps_the_rest() -> None:
    made = entry(
        {
            "name": "editor",
            "kind": "edit",
            "writes": "/path",
            "data": "/text",
            "variants": [{"when": {"/command": "view"}, "kind": "read", "reads": "/path", "read_only": True}],
        },
        "h",
    )
    ((choice, view),) = made.variants
    assert choice == Choice("/command", "view")
    assert (view.kind, view.flags.read_only) == (Kind.READ, True)
    assert set(view.arguments) == {Argument("/path", Use.PATH_READ), Argument("/text", Use.DATA)}


@pytest.mark.parametrize("mapping", [{"tool": "x"}, {"kind": "read"}, {"tool": "x", "kind": "read", "host": "h"}])
def test_an_override_names_a_tool_and_changes_something(mapping: dict[str, Any]) -> None:
    with pytest.raises(EntryError):
        override(mapping)


def test_the_head_of_a_file() -> None:
    head = host_names({"host": "g", "aliases": ["gee"], "mcp_names": "mcp_{server}_{tool}"})
    assert head == HostNames("g", frozenset({"gee"}), Naming("mcp_", "_"))
    assert host_names({"host": "g"}) == HostNames("g")


@pytest.mark.parametrize("spelling", ["mcp__", "{tool}_{server}", "{server}{tool}", "{server}_{tool}_x", ""])
def test_servers_tools_that_cant_be_told_apart(spelling: str) -> None:
    with pytest.raises(EntryError, match="`mcp_names` must be like"):
        host_names({"host": "g", "mcp_names": spelling})
