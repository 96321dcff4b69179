"""Names that look alike, and names that several servers could own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.toolnames import EVERYWHERE, Naming, plain, skeleton


@pytest.mark.parametrize(
    ("disguise", "name"),
    [
        pytest.param("BASH", "Bash", id="capitals"),
        pytest.param("\uff22ash", "Bash", id="wide letter"),
        pytest.param("R\u0435ad", "Read", id="cyrillic e"),
        pytest.param("B\u0430sh", "Bash", id="cyrillic a"),
        pytest.param("Gl\u03bfb", "Glob", id="greek omicron"),
        pytest.param("B\u0251sh", "Bash", id="phonetic alpha"),
        pytest.param("GIob", "Glob", id="capital i for a small L"),
        pytest.param("G1ob", "Glob", id="one for a small L"),
        pytest.param("Gl0b", "Glob", id="nought for an o"),
        pytest.param("Ba\u200bsh", "Bash", id="zero width space"),
        pytest.param("\u202eBash", "Bash", id="bidi override"),
        pytest.param("Bash\u00ad", "Bash", id="soft hyphen"),
        pytest.param("Bash\ufe0f", "Bash", id="variation selector"),
        pytest.param("Bash\u0336", "Bash", id="loose mark"),
        pytest.param(" Bash", "Bash", id="leading blank"),
        pytest.param("Bash\u3164", "Bash", id="hangul filler"),
        pytest.param("Bash\U000e0041", "Bash", id="tag letter"),
        pytest.param("web\uff3ffetch", "web_fetch", id="wide low line"),
        pytest.param("Ta\u017fk", "Task", id="long s"),
    ],
)
def test_a_disguise_has_the_skeleton_of_the_name(disguise: str, name: str) -> None:
    assert skeleton(disguise) == skeleton(name)


@pytest.mark.parametrize(
    ("one", "other"), [("Read", "Reed"), ("Bash", "Dash"), ("Task", "Tasks"), ("a_b", "ab"), ("B\u00e4sh", "Bash")]
)
def test_names_that_differ_to_the_eye_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=30))
def test_a_skeleton_is_its_own_skeleton(name: str) -> None:
    assert skeleton(skeleton(name)) == skeleton(name)


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=30))
def test_printable_ascii_hides_nothing(name: str) -> None:
    assert plain(name) == name


@pytest.mark.parametrize("hidden", ["mcp__a\u200b__b", "mcp__\uff41__b", "mcp__a__b\n", "mcp__a__ b"])
def test_a_name_that_hides_something_is_not_its_plain_form(hidden: str) -> None:
    assert plain(hidden) != hidden


@pytest.mark.parametrize(
    ("name", "splits"),
    [
        pytest.param("mcp__fs__read", [("fs", "read")], id="one reading"),
        pytest.param("mcp__a__b__c", [("a__b", "c"), ("a", "b__c")], id="longest server first"),
        pytest.param("mcp__a___b", [("a_", "b"), ("a", "_b")], id="three low lines"),
        pytest.param("mcp__a____b", [("a__", "b"), ("a_", "_b"), ("a", "__b")], id="four low lines"),
        pytest.param("mcp__fs", [], id="a server is no tool"),
        pytest.param("mcp____read", [], id="no server"),
        pytest.param("mcp__fs__", [], id="no tool"),
        pytest.param("MCP__fs__read", [], id="capitals are another prefix"),
        pytest.param("fs__read", [], id="no prefix"),
    ],
)
def test_every_reading_of_a_server_tools_name(name: str, splits: list[tuple[str, str]]) -> None:
    assert list(EVERYWHERE.splits(name)) == splits


def test_a_host_without_a_prefix_leaves_open_whether_it_is_a_servers_tool_at_all() -> None:
    assert Naming("", "_").splits("jira_search") == (("jira", "search"), ("", "jira_search"))
    assert Naming("", "_").splits("bash") == ()


@given(st.text("ab_", min_size=1, max_size=8), st.text("ab_", min_size=1, max_size=8))
def test_the_pair_that_made_a_name_is_among_its_readings(server: str, tool: str) -> None:
    assert (server, tool) in EVERYWHERE.splits(EVERYWHERE.name(server, tool))
