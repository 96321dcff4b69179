"""Which tool a name means: never another one than it says, and the stricter reading where that can't be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.catalogue import Catalogue, entry, override
from lineclear.core.toolentries import ANY_HOST, EntryError
from lineclear.core.tools import Entry, Kind, Source, Use
from support.catalogues import shipped, shipped_with

CLAUDE_NAMES = sorted(tool["name"] for tool in shipped().export("claude-code"))


@pytest.mark.parametrize(
    ("name", "host", "imitates"),
    [
        pytest.param("BASH", "claude-code", "Bash", id="capitals"),
        pytest.param("bash", "claude-code", "Bash", id="another host's name is no excuse"),
        pytest.param("bash", "Claude_Code", "Bash", id="another spelling of the host"),
        pytest.param("\uff22ash", "claude-code", "Bash", id="wide letter"),
        pytest.param("R\u0435ad", "claude-code", "Read", id="letter of another script"),
        pytest.param("Read", "opencode", "read", id="small letters are the real ones here"),
        pytest.param("Bash\u200b", None, "Bash", id="host unknown, hidden character"),
        pytest.param("READ_FILE", None, "read_file", id="host unknown, capitals"),
        pytest.param("MCP__fs__read", "claude-code", "mcp__fs__read", id="prefix of servers in capitals"),
        pytest.param("m\u0441p__fs__read", None, "mcp__fs__read", id="prefix of servers with a cyrillic letter"),
        pytest.param("mcp__f\u200bs__read", "claude-code", "mcp__fs__read", id="server with a hidden character"),
        pytest.param("cursor\u200b:rule", None, "cursor:rule", id="plugin with a hidden character"),
    ],
)
def test_a_name_that_only_looks_like_another_is_nobodys(name: str, host: str | None, imitates: str) -> None:
    tool = shipped().resolve(name, host)
    assert (tool.source, tool.kind, tool.imitates) == (Source.UNKNOWN, Kind.OTHER, imitates)


@given(st.sampled_from(CLAUDE_NAMES), st.data())
def test_any_change_of_case_is_the_name_itself_or_an_imitation(name: str, data: st.DataObject) -> None:
    flips = data.draw(st.lists(st.booleans(), min_size=len(name), max_size=len(name)))
    changed = "".join(letter.swapcase() if flip else letter for letter, flip in zip(name, flips, strict=True))
    tool = shipped().resolve(changed, "claude-code")
    if changed in CLAUDE_NAMES:
        assert tool.imitates is None
    else:
        assert (tool.imitates, tool.known) == (name, False)


@given(st.text(max_size=40), st.sampled_from([None, "codex", "opencode", "gemini-cli", "nobody", ""]))
def test_resolving_is_total_and_keeps_the_name(name: str, host: str | None) -> None:
    tool = shipped().resolve(name, host)
    assert tool.name == name
    assert tool.known or (tool.kind is Kind.OTHER and not tool.arguments and not tool.flags.read_only)


@pytest.mark.parametrize(
    ("name", "host", "kind"),
    [
        pytest.param("Bash", "claude-code", Kind.SHELL, id="exact"),
        pytest.param("bash", "opencode", Kind.SHELL, id="small letters where the host spells it so"),
        pytest.param("bash", None, Kind.SHELL, id="host unknown, some catalogue has it"),
        pytest.param("read_file", "claude code", Kind.OTHER, id="another host's tool is unknown here"),
        pytest.param("read_file", "some-new-agent", Kind.READ, id="host without a catalogue"),
        pytest.param("Frobnicate", None, Kind.OTHER, id="nobody's"),
    ],
)
def test_kind_of_a_name(name: str, host: str | None, kind: Kind) -> None:
    assert shipped().resolve(name, host).kind is kind


def read(host: str, **more: object) -> Entry:
    return entry(
        {"name": "get", "kind": "read", "reads": "/path", "read_only": True, "open_world": False, **more}, host
    )


class TestWhereTheHostIsntKnown:
    def test_kinds_that_differ_are_no_kind(self) -> None:
        tool = Catalogue.of([read("a"), read("b", kind="edit")]).resolve("get", None)
        assert (tool.kind, tool.host) == (Kind.OTHER, None)

    def test_the_worse_of_each_flag_counts(self) -> None:
        one = read("a", concurrency_safe=True, deferrable=True, max_result_chars=9)
        other = read("b", read_only=False, destructive=True, open_world=True, max_result_chars=5)
        flags = Catalogue.of([one, other]).resolve("get", None).flags
        assert (flags.read_only, flags.destructive, flags.concurrency_safe) == (False, True, False)
        assert (flags.open_world, flags.deferrable, flags.max_result_chars) == (True, False, 5)

    def test_every_argument_of_each_counts_and_none_is_required_by_one_alone(self) -> None:
        tool = Catalogue.of(
            [
                read("a", required="/path"),
                read("b", reads="/file", writes="/path", required="/file"),
                entry({"name": "get", "kind": "read", "data": "/path"}, "c"),
            ]
        ).resolve("get", None)
        assert {(argument.pointer, argument.use) for argument in tool.arguments} == {
            ("/path", Use.PATH_READ),
            ("/path", Use.PATH_WRITE),
            ("/file", Use.PATH_READ),
            ("/path", Use.DATA),
        }
        assert not any(argument.required for argument in tool.arguments)

    def test_a_language_that_cant_be_read_counts(self) -> None:
        shell = {"name": "run", "kind": "shell", "command": "/c"}
        hosts = [entry({**shell, "language": "bash"}, "a"), entry({**shell, "language": "python"}, "b")]
        assert Catalogue.of(hosts).resolve("run", None).language == "python"

    @given(st.permutations(["a", "b", "c"]))
    def test_the_order_of_the_catalogues_doesnt_matter(self, order: list[str]) -> None:
        made = {"a": read("a"), "b": read("b", kind="edit", destructive=True, read_only=False), "c": read("c")}
        tool = Catalogue.of([made[host] for host in order]).resolve("get", None)
        assert (tool.kind, tool.flags.destructive, tool.flags.read_only) == (Kind.OTHER, True, False)


class TestServers:
    def test_every_reading_of_the_name_is_kept(self) -> None:
        tool = shipped().resolve("mcp__a__b__c", None)
        assert (tool.source, tool.splits) == (Source.MCP, (("a__b", "c"), ("a", "b__c")))

    def test_a_host_names_them_in_its_own_way(self) -> None:
        assert shipped().resolve("mcp_jira_search", "gemini-cli").splits == (("jira", "search"),)
        assert shipped().resolve("mcp_jira_search", "claude-code").source is Source.UNKNOWN

    def test_what_is_said_of_a_server_tool_holds_under_each_hosts_spelling(self) -> None:
        said = dict([override({"tool": "mcp__fs__read", "kind": "read", "path": "/path"})])
        catalogue = shipped_with(overrides=said)
        for name, host in (("mcp__fs__read", None), ("mcp__fs__read", "codex"), ("mcp_fs_read", "gemini-cli")):
            tool = catalogue.resolve(name, host)
            assert (tool.source, tool.kind, tool.splits) == (Source.MCP, Kind.READ, (("fs", "read"),)), (name, host)

    def test_what_is_said_of_one_reading_may_only_tighten(self) -> None:
        said = dict([override({"tool": "mcp__fs__read_all", "kind": "read", "destructive": True, "open_world": False})])
        tool = shipped_with(overrides=said).resolve("mcp_fs_read_all", "gemini-cli")
        assert (tool.kind, tool.flags.destructive, tool.flags.open_world) == (Kind.OTHER, True, True)

    @pytest.mark.parametrize("name", ["mcp__FS__read", "mcp__fs__Read", "mcp__f\u0455__read", "mcp__FS__other"])
    def test_a_name_like_a_registered_server_or_tool_is_an_imitation(self, name: str) -> None:
        said = dict([override({"tool": "mcp__fs__read", "kind": "read"})])
        assert (shipped_with(overrides=said).resolve(name, None).imitates or "").startswith("mcp__fs__")


class TestWhatTheOrganisationSays:
    def test_an_override_replaces_what_it_names_and_forgets_no_argument(self) -> None:
        said = dict([override({"tool": "claude-code/WebFetch", "read_only": False, "data": "/url"})])
        tool = shipped_with(overrides=said).resolve("WebFetch", "claude-code")
        assert tool.kind is Kind.FETCH
        assert not tool.flags.read_only
        assert {argument.pointer for argument in tool.arguments} == {"/url", "/prompt", "/offset"}

    def test_an_override_without_a_host_holds_at_each(self) -> None:
        said = dict([override({"tool": "apply_patch", "destructive": True})])
        for host in ("codex", "cline", "opencode", None):
            assert shipped_with(overrides=said).resolve("apply_patch", host).flags.destructive

    def test_a_kind_holds_whatever_the_input_says(self) -> None:
        said = dict([override({"tool": "str_replace_editor", "kind": "other"})])
        tool = shipped_with(overrides=said).resolve("str_replace_editor", "openhands")
        assert tool.called_with({"command": "view"}).kind is Kind.OTHER

    def test_a_declared_tool_is_known_everywhere_but_replaces_nothing(self) -> None:
        extra = [entry({"name": name, "kind": "read", "reads": "/p"}, ANY_HOST) for name in ("lookup", "Bash")]
        catalogue = shipped_with(extra=extra)
        assert catalogue.known("lookup")
        assert catalogue.resolve("lookup", "codex").kind is Kind.READ
        assert catalogue.resolve("Bash", "claude-code").kind is Kind.SHELL
        assert catalogue.resolve("Bash", None).kind is Kind.OTHER

    @pytest.mark.parametrize("tool", ["Basch", "claude-code/shell", "nobody/Bash"])
    def test_an_override_of_nothing_is_an_error(self, tool: str) -> None:
        with pytest.raises(EntryError, match=r"`tools\.extra`"):
            shipped_with(overrides=dict([override({"tool": tool, "kind": "read"})]))

    def test_two_tools_of_one_name_are_an_error(self) -> None:
        with pytest.raises(EntryError, match="`get` is in the catalogue of `a` already"):
            Catalogue.of([read("a"), read("a")])


def test_one_argument_can_make_a_tool_another_one() -> None:
    editor = shipped().resolve("str_replace_editor", "openhands")
    view = editor.called_with({"command": "view", "path": "x"})
    assert (view.kind, view.flags.read_only) == (Kind.READ, True)
    assert [argument.use for argument in view.arguments if argument.pointer == "/path"] == [Use.PATH_READ]
    for other in ({"command": "create"}, {"command": "VIEW"}, {"command": ["view"]}, {}):
        assert editor.called_with(other) is editor


@pytest.mark.parametrize(
    ("wrong", "near"), [("Globb", "Glob"), ("Bsh", "Bash"), ("run_shel_command", "run_shell_command"), ("qqqq", None)]
)
def test_the_nearest_known_name(wrong: str, near: str | None) -> None:
    assert shipped().nearest(wrong) == near
    assert not shipped().known(wrong)


def test_rule_names_mean_kinds() -> None:
    assert shipped().kinds_of("Bash") == {Kind.SHELL}
    assert shipped().kinds_of("PowerShell") == {Kind.SHELL}
    assert shipped().kinds_of("Write") == {Kind.EDIT}
    assert shipped().kinds_of("TodoWrite") is None
