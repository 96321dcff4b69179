"""What calls of real tools would do: each argument counts for what the catalogue says, and nothing is passed over."""

from typing import Any

import pytest

from lineclear.core.arguments import InputFault, declared
from lineclear.core.call import Agent, Call, Dialect, Environment, Platform, Principal
from lineclear.core.effects import Doubt, Effects
from lineclear.core.modes import Mode
from lineclear.core.shell.programs import Programs
from support.catalogues import shipped

ENVIRONMENT = Environment(
    cwd="/work/repo",
    roots=("/work/repo",),
    home="/home/dev",
    platform=Platform.LINUX,
    dialect=Dialect.BASH,
    repository_trusted=True,
)
PROGRAMS = Programs.of([])
PATCH = "*** Begin Patch\n*** Update File: db/a.sql\n@@\n-a\n+b\n*** End Patch"


def effects(name: str, host: str | None, tool_input: dict[str, Any]) -> Effects:
    call = Call(
        session_id="s",
        principal=Principal("p"),
        tool_name=name,
        tool_input=tool_input,
        tool_use_id=None,
        mode=Mode.DEFAULT,
        environment=ENVIRONMENT,
        agent=Agent(host=host),
        allowed_tools=None,
        interactive=True,
        context={},
    )
    return declared(shipped().resolve(name, host).called_with(tool_input), call, PROGRAMS)


def touched(found: Effects) -> set[tuple[str, str]]:
    return {(touch.place.lexical, touch.deed.value) for touch in found.touches if touch.place is not None}


@pytest.mark.parametrize(
    ("name", "host", "tool_input", "paths"),
    [
        pytest.param("Read", None, {"file_path": "a"}, {("/work/repo/a", "read")}, id="read"),
        pytest.param("Glob", None, {"pattern": ".ssh/*"}, {("/work/repo/.ssh/*", "read")}, id="pattern of names"),
        pytest.param("apply_patch", "codex", {"input": PATCH}, {("/work/repo/db/a.sql", "write")}, id="patch"),
        pytest.param("apply_patch", "codex", {"command": PATCH}, {("/work/repo/db/a.sql", "write")}, id="patch, hook"),
        pytest.param(
            "read_files",
            "cline",
            {"files": [{"path": "a"}, {"path": "b"}]},
            {("/work/repo/a", "read"), ("/work/repo/b", "read")},
            id="each element",
        ),
        pytest.param(
            "read_files",
            "cline",
            {"files": [{"path": "a"}, ".env"]},
            {("/work/repo/a", "read"), ("/work/repo/.env", "write")},
            id="an element of another form",
        ),
        pytest.param(
            "Read",
            "claude-code",
            {"file_path": "a", "save_as": ".git/config"},
            {("/work/repo/a", "read"), ("/work/repo/.git/config", "write")},
            id="an argument that isn't listed",
        ),
        pytest.param(
            "str_replace_editor",
            "openhands",
            {"command": "view", "path": "a"},
            {("/work/repo/a", "read")},
            id="view",
        ),
        pytest.param(
            "str_replace_editor",
            "openhands",
            {"command": "create", "path": "a"},
            {("/work/repo/a", "write")},
            id="create",
        ),
        pytest.param(
            "read_file",
            "gemini-cli",
            {"absolute_path": "/etc/passwd"},
            {("/etc/passwd", "read")},
            id="earlier version",
        ),
    ],
)
def test_paths(name: str, host: str | None, tool_input: dict[str, Any], paths: set[tuple[str, str]]) -> None:
    assert touched(effects(name, host, tool_input)) == paths


def test_a_command_runs_where_the_tools_own_argument_says() -> None:
    found = effects("run_shell_command", "gemini-cli", {"command": "touch x", "dir_path": "/etc"})
    assert [command.cwd for command in found.commands] == ["/etc"]
    assert ("/etc", "read") in touched(found)


def test_the_shell_that_reads_a_command_is_a_program_that_is_started() -> None:
    found = effects("exec_command", "codex", {"cmd": "ls", "shell": "./evil"})
    assert [command.text for command in found.commands] == ["ls", "./evil"]


def test_each_command_of_a_list_counts() -> None:
    found = effects("run_commands", "cline", {"commands": ["ls", "git push"]})
    assert [command.text for command in found.commands] == ["ls", "git push"]


@pytest.mark.parametrize(
    ("name", "host", "tool_input"),
    [
        pytest.param("PowerShell", "claude-code", {"command": "ls"}, id="powershell whatever the caller's shell"),
        pytest.param("execute_ipython_cell", "openhands", {"code": "ls"}, id="python"),
        pytest.param("terminal", "openhands", {"command": "yes", "is_input": True}, id="typed into a program"),
        pytest.param("execute_bash", "openhands", {"command": "yes", "is_input": "true"}, id="typed, as a text"),
        pytest.param("write_stdin", "codex", {"session_id": 1, "chars": "ls\n"}, id="keys"),
    ],
)
def test_a_text_in_another_language_cant_be_told(name: str, host: str, tool_input: dict[str, Any]) -> None:
    assert effects(name, host, tool_input).doubt is Doubt.DIALECT


@pytest.mark.parametrize("off", [{}, {"is_input": False}, {"is_input": "false"}])
def test_a_switch_that_is_off_changes_nothing(off: dict[str, Any]) -> None:
    assert effects("execute_bash", "openhands", {"command": "ls", **off}).doubt is None


@pytest.mark.parametrize(
    ("name", "host", "tool_input"),
    [
        pytest.param("Bash", None, {"description": "nothing"}, id="no command"),
        pytest.param("Bash", None, {"command": {"run": "ls"}}, id="command that is a mapping"),
        pytest.param("run_commands", "cline", {"commands": "git push"}, id="text in place of a list"),
        pytest.param("Write", None, {"file_path": ["a"], "content": ""}, id="path that is a list"),
        pytest.param("WebFetch", None, {"url": 7, "prompt": "x"}, id="URL that is a number"),
        pytest.param("apply_patch", "codex", {"input": "no patch"}, id="patch that names no file"),
    ],
)
def test_an_input_that_doesnt_fit(name: str, host: str | None, tool_input: dict[str, Any]) -> None:
    with pytest.raises(InputFault):
        effects(name, host, tool_input)
