"""What patterns match: by any reading for what denies or asks, by one strict reading for what allows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.paths.matcher import PathIndex
from lineclear.core.paths.pattern import PathPattern
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS, allowed, at, denied

SUBFOLDER = replace(LINUX, cwd="/work/repo/packages/api")
LINKED = replace(
    LINUX,
    real_paths={
        "src/link": "/etc/hosts",
        "src/near": "/work/repo/src/a",
        "/home/dev": "/data/dev",
        "v": "/data/dev/vault/a",
    },
)

BOTH = [
    pytest.param("/src/**", "src/a.py", LINUX, id="workspace root"),
    pytest.param("./src/**", "src/x/a.py", LINUX, id="root, dotted"),
    pytest.param("src/**", "src/a.py", LINUX, id="folder"),
    pytest.param("/docs", "docs/x/a.md", LINUX, id="a folder's name covers what is in it"),
    pytest.param("/docs/*.md", "docs/a.md", LINUX, id="star"),
    pytest.param("/docs/**/a.md", "docs/x/y/a.md", LINUX, id="any depth in the middle"),
    pytest.param("/docs/**/a.md", "docs/a.md", LINUX, id="no depth in the middle"),
    pytest.param("/logs/day?.txt", "logs/day1.txt", LINUX, id="question mark"),
    pytest.param("todo.md", "a/b/todo.md", LINUX, id="bare name below a root"),
    pytest.param("//work/repo/docs/**", "docs/a", LINUX, id="file system"),
    pytest.param("~/notes/**", "/home/dev/notes/a", LINUX, id="home"),
    pytest.param("~/notes/**", "~/notes/a", NOWHERE, id="home that nobody named"),
    pytest.param("src/**", "src/../src/a", LINUX, id="detour"),
    pytest.param("src/**", "src/near", LINKED, id="link within"),
    pytest.param("C:/Work/repo/docs/**", "c:\\work\\REPO\\docs\\a", WINDOWS, id="drive, case, separators"),
    pytest.param("//c/Work/**", "C:\\Work\\a", WINDOWS, id="drive as a folder"),
    pytest.param("/SRC/**", "src/a", MACOS, id="case on macOS"),
    pytest.param("**", "a/b", LINUX, id="everything"),
    pytest.param("/a*b*c", "a-b-b-c", LINUX, id="several stars"),
]

NEITHER = [
    pytest.param("/data/**", "/data/a", LINUX, id="one slash is not the file system"),
    pytest.param("/vendor", "vendors/a", LINUX, id="name that only begins like the folder"),
    pytest.param("./private/**", "private-notes/a", LINUX, id="folder that only begins like the folder"),
    pytest.param("plan.txt", "a/plan.txt.md", LINUX, id="name that only begins like the name"),
    pytest.param("/logs/day?.txt", "logs/day10.txt", LINUX, id="question mark is one character"),
    pytest.param("/docs/*.md", "docs/a.md.txt", LINUX, id="star before a fixed end"),
    pytest.param("/ab*ba", "aba", LINUX, id="the ends of a star don't overlap"),
    pytest.param("/SRC/**", "src/a", LINUX, id="case on Linux"),
    pytest.param("src/**", "src/../b", LINUX, id="detour out"),
    pytest.param("~/x", "~eve/x", LINUX, id="another's home"),
    pytest.param("/docs/*/a", "docs/a", LINUX, id="star is one folder"),
]


@pytest.mark.parametrize(("pattern", "spelled", "environment"), BOTH)
def test_matches_for_every_effect(pattern, spelled, environment):
    assert denied(pattern, spelled, environment, environment.cwd or ".")
    assert allowed(pattern, spelled, environment, environment.cwd or ".")


@pytest.mark.parametrize(("pattern", "spelled", "environment"), NEITHER)
def test_matches_for_no_effect(pattern, spelled, environment):
    assert not denied(pattern, spelled, environment)
    assert not allowed(pattern, spelled, environment)


@pytest.mark.parametrize(
    ("pattern", "spelled", "environment"),
    [
        pytest.param("id.token", "/mnt/x/id.token", LINUX, id="bare name anywhere"),
        pytest.param("migrations/**", "packages/db/migrations/1.sql", LINUX, id="folder at any depth"),
        pytest.param("src/**", "/elsewhere/src/a", LINUX, id="folder of that name outside"),
        pytest.param("./notes.txt", "notes.txt", SUBFOLDER, id="directory beside the root"),
        pytest.param("./private/**", "private", LINUX, id="listing the folder itself"),
        pytest.param("/docs/*", "docs/a/b", LINUX, id="what lies in a folder that a star stands for"),
        pytest.param("src/**", "src/link", LINKED, id="link that leads out"),
        pytest.param("//etc/hosts", "src/link", LINKED, id="link that leads there"),
        pytest.param("~/vault/**", "v", LINKED, id="home that is a link"),
        pytest.param("/SRC/**", "src/a", UNKNOWN, id="case, platform not known"),
        pytest.param("/src/**", "src\\a", UNKNOWN, id="separator, platform not known"),
        pytest.param("//private/etc/hosts", "/etc/hosts", MACOS, id="system link of macOS"),
        pytest.param("//etc/hosts", "/private/etc/hosts", MACOS, id="system link of macOS, backwards"),
        pytest.param("//etc/hosts", "/proc/self/root/etc/hosts", LINUX, id="root through the process"),
        pytest.param("/src/**", "/proc/1234/cwd/src/a", LINUX, id="directory through the process"),
        pytest.param("//c/Secrets/**", "/mnt/c/Secrets/a", LINUX, id="drive as Linux on Windows shows it"),
        pytest.param("//c/Program Files/x/**", "C:\\PROGRA~1\\x\\a", WINDOWS, id="short name"),
        pytest.param("//c/Program Files/x/**", "C:\\PR12AB~1\\x\\a", WINDOWS, id="short name with a hash"),
        pytest.param("/certs/*.pem", "certs\\SERVER~1.PEM", WINDOWS, id="short name with an extension"),
        pytest.param("résumé.md", "re\u0301sume\u0301.md", MACOS, id="composed and decomposed"),
        pytest.param("STRASSE", "straße", MACOS, id="case beyond one letter"),
    ],
)
def test_matches_only_for_what_denies_or_asks(pattern, spelled, environment):
    assert denied(pattern, spelled, environment)
    assert not allowed(pattern, spelled, environment)


def test_behind_a_change_to_an_unknown_directory_a_denial_may_be_meant():
    assert denied("//etc/passwd", "etc/passwd", LINUX, None)
    assert denied("/src/**", "src/a", LINUX, None)
    assert not allowed("/src/**", "src/a", LINUX, None)


def test_positions_are_those_of_the_patterns():
    patterns = [("/a", False), ("/b", True), ("a", False), ("/a", True), ("/c", False)]
    index = PathIndex((PathPattern.parse(text), allows) for text, allows in patterns)
    assert index.match(at("a"), LINUX) == {0, 2, 3}
