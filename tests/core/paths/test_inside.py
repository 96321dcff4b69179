"""What lies in the workspace: only what provably does, by every view."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.paths.locate import inside
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS, at


@pytest.mark.parametrize(
    ("environment", "spelled"),
    [
        pytest.param(LINUX, "src/a.py", id="relative"),
        pytest.param(LINUX, "/work/repo", id="the root itself"),
        pytest.param(LINUX, "../repo/a", id="out and back"),
        pytest.param(replace(LINUX, roots=("/work/repo", "/work/lib")), "/work/lib/a", id="second root"),
        pytest.param(replace(LINUX, roots=("/work/repo/",)), "a", id="root with a slash at its end"),
        pytest.param(WINDOWS, "c:\\work\\REPO\\a", id="Windows, other case"),
        pytest.param(WINDOWS, "C:/Work/repo/a", id="Windows, forward slashes"),
        pytest.param(MACOS, "/users/DEV/Repo/a", id="macOS, other case"),
        pytest.param(UNKNOWN, "src/a.py", id="platform not known"),
        pytest.param(replace(LINUX, real_paths={"a": "/work/repo/b"}), "a", id="link within"),
        pytest.param(
            replace(LINUX, roots=("/link",), real_paths={"/link": "/work/repo"}),
            "/work/repo/a",
            id="root that is a link",
        ),
    ],
)
def test_inside(environment, spelled):
    assert inside(at(spelled, environment), environment, writing=True)


@pytest.mark.parametrize(
    ("environment", "spelled"),
    [
        pytest.param(LINUX, "/work/repo-old/a", id="sibling that begins like the root"),
        pytest.param(LINUX, "/work", id="parent"),
        pytest.param(LINUX, "/Work/Repo/a", id="other case on Linux"),
        pytest.param(LINUX, "../x", id="climbing out"),
        pytest.param(LINUX, "~/x", id="home"),
        pytest.param(replace(LINUX, home="/work/repo"), "~eve/x", id="another's home is never inside"),
        pytest.param(LINUX, "/proc/self/cwd/a", id="through the process"),
        pytest.param(replace(LINUX, roots=()), "src/a.py", id="no root was acceptable"),
        pytest.param(replace(LINUX, roots=None), "src/a.py", id="a directory is no root"),
        pytest.param(replace(LINUX, real_paths={"a": "/srv/a"}), "a", id="link out"),
        pytest.param(replace(LINUX, real_paths={"/work/repo/out": "/srv"}), "out/new", id="below a link out"),
        pytest.param(WINDOWS, "\\\\server\\share\\a", id="network share"),
        pytest.param(WINDOWS, "D:a", id="another drive's directory"),
        pytest.param(WINDOWS, "REPO~1\\a", id="short name"),
        pytest.param(WINDOWS, "a\\.. \\..\\b", id="blank behind a step up"),
        pytest.param(WINDOWS, "a\\...\\b", id="three dots"),
        pytest.param(MACOS, "/Users/dev/répo/a", id="accent"),
        pytest.param(replace(MACOS, roots=("/Users/dev/repÉ",)), "/Users/dev/repé/a", id="case beyond ASCII"),
        pytest.param(UNKNOWN, "src\\..\\..\\..\\a", id="outside by one of two readings"),
        pytest.param(UNKNOWN, "/WORK/repo/a", id="other case, platform not known"),
        pytest.param(NOWHERE, "/work/repo/a", id="absolute, nothing known"),
        pytest.param(NOWHERE, "../a", id="above, nothing known"),
        pytest.param(NOWHERE, "~/a", id="home, nothing known"),
    ],
)
def test_outside(environment, spelled):
    place = at(spelled, environment, environment.cwd or ".")
    assert not inside(place, environment, writing=False)


def test_relative_without_any_facts_is_inside_for_reading_only():
    place = at("src/a", NOWHERE, ".")
    assert inside(place, NOWHERE, writing=False)
    assert not inside(place, NOWHERE, writing=True)


@pytest.mark.parametrize("real", ["/", "/home/dev", "/home"])
def test_a_root_that_turns_out_to_be_too_much_is_none(real):
    environment = replace(LINUX, real_paths={"/work/repo": real})
    assert not inside(at("/etc/hosts", environment), environment, writing=False)
    assert not inside(at("/home/dev/x", environment), environment, writing=False)


def test_behind_a_change_to_an_unknown_directory_nothing_is_inside():
    assert not inside(at("src/a", LINUX, None), LINUX, writing=False)


def test_writing_to_a_path_that_nobody_resolved_needs_a_trusted_repository():
    environment = replace(LINUX, repository_trusted=False)
    assert not inside(at("a", environment), environment, writing=True)
    assert inside(at("a", environment), environment, writing=False)


def test_a_resolved_path_needs_no_trust():
    environment = replace(LINUX, repository_trusted=False, real_paths={"/work/repo/a": "/work/repo/a"})
    assert inside(at("a", environment), environment, writing=True)


def test_what_a_folder_s_entry_implies_is_not_resolved():
    """There may be a link below the folder that the caller resolved."""
    environment = replace(LINUX, repository_trusted=False, real_paths={"/work/repo": "/work/repo"})
    assert not inside(at("a", environment), environment, writing=True)
