"""Exceptions of protected paths: proven for every view, inside a workspace, and not for what is nested."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.effects import Deed
from lineclear.core.paths.protected import Protections
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS, protection, touch

ENTRIES = Protections(
    [
        protection(".env*", "any", exceptions=(".env.example", "/tests/")),
        protection("*.golden", exceptions=("/tests/*.golden",)),
        protection(".claude/", exceptions=(".claude/worktrees/",)),
        protection("locked", exceptions=("/free/**",)),
        protection("free", exceptions=("/free/**",)),
    ]
)


def free(spelled, environment=LINUX, cwd=..., **kinds):
    return not ENTRIES.breached(touch(spelled, Deed.WRITE, environment, cwd, **kinds), environment)


@pytest.mark.parametrize(
    ("spelled", "environment"),
    [
        pytest.param(".env.example", LINUX, id="bare name at the root"),
        pytest.param("a/b/.env.example", LINUX, id="bare name below"),
        pytest.param(".ENV.example", MACOS, id="case on macOS"),
        pytest.param(".env.EXAMPLE", WINDOWS, id="case on Windows"),
        pytest.param("tests/a.golden", LINUX, id="star"),
        pytest.param(".claude/worktrees/x/src/a.py", LINUX, id="what is in the folder"),
        pytest.param(".claude/worktrees/../worktrees/x", LINUX, id="detour"),
        pytest.param("free/a/locked/b", LINUX, id="any depth"),
        pytest.param("tests/.env", LINUX, id="a folder elsewhere frees what is protected in it"),
        pytest.param(".env.example", NOWHERE, id="nothing known"),
    ],
)
def test_free(spelled, environment):
    assert free(spelled, environment, environment.cwd or ".")


@pytest.mark.parametrize(
    ("spelled", "environment"),
    [
        pytest.param(".env.example.local", LINUX, id="longer name"),
        pytest.param(".ENV.example", LINUX, id="case on Linux"),
        pytest.param(".ENV.example", UNKNOWN, id="case, platform not known"),
        pytest.param(".env.e\u200bxample", LINUX, id="hidden character"),
        pytest.param(".env.\uff45xample", LINUX, id="full width"),
        pytest.param("/tmp/.env.example", LINUX, id="outside"),
        pytest.param("tests/x/a.golden", LINUX, id="star is one level"),
        pytest.param("tests/a.golden/b.golden", LINUX, id="a star names no folder"),
        pytest.param("/srv/.claude/worktrees/x", LINUX, id="folder outside"),
        pytest.param("sub/.claude/worktrees/x", LINUX, id="folder that is not at the root"),
        pytest.param(".claude/worktrees/../settings.json", LINUX, id="detour out"),
        pytest.param(".claude/worktrees/x/.claude/settings.json", LINUX, id="the same again, nested"),
        pytest.param(".env.example/.env", LINUX, id="the same again, in a folder of that name"),
        pytest.param("free", LINUX, id="the folder of which the content is free"),
        pytest.param(".claude", LINUX, id="the folder that holds it"),
        pytest.param(
            ".env.example",
            replace(LINUX, real_paths={".env.example": "/work/repo/.env"}),
            id="link to what is protected",
        ),
        pytest.param("a", replace(LINUX, real_paths={"a": "/work/repo/.env"}), id="link from elsewhere"),
        pytest.param(".env.example", replace(LINUX, roots=()), id="no workspace"),
        pytest.param("ENV~1.EXA", WINDOWS, id="short name"),
    ],
)
def test_not_free(spelled, environment):
    assert not free(spelled, environment)


def test_not_free_behind_a_change_to_an_unknown_directory():
    assert not free(".env.example", LINUX, None)


def test_not_free_by_a_glob_that_could_be_more():
    assert not free(".env.ex*", glob=True)
    assert free(".claude/worktrees/*/a", glob=True)
    assert not free(".claude/worktrees/*/.c*/a", glob=True)
