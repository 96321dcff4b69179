"""Protected paths: by every way of touching them, under every disguise, and without accusing what only looks alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.effects import Deed, Touch
from lineclear.core.paths.pattern import PatternError
from lineclear.core.paths.protected import Protections
from support.grounds import LINUX, NOWHERE, UNKNOWN, WINDOWS, protection, touch

GIT = Protections([protection(".git/")])
ENV = Protections([protection(".env*", "any", exceptions=(".env.example",))])


def breached(protections, spelled, deed=Deed.WRITE, environment=LINUX, cwd=..., **kinds):
    return bool(protections.breached(touch(spelled, deed, environment, cwd, **kinds), environment))


@pytest.mark.parametrize(
    ("spelled", "environment"),
    [
        pytest.param(".git", LINUX, id="the folder"),
        pytest.param(".git/config", LINUX, id="below"),
        pytest.param("vendor/x/.git/config", LINUX, id="any depth"),
        pytest.param("/srv/other/.git/config", LINUX, id="outside"),
        pytest.param("src/../.git/config", LINUX, id="detour"),
        pytest.param(".GIT/config", LINUX, id="case"),
        pytest.param(".\uff47\uff49\uff54/config", LINUX, id="full width"),
        pytest.param(".g\u200cit/config", LINUX, id="zero width"),
        pytest.param(".g\u00adit/config", LINUX, id="soft hyphen"),
        pytest.param("\u2024git/config", LINUX, id="another dot"),
        pytest.param(".gi\u2060t/config", LINUX, id="word joiner"),
        pytest.param(".git::$INDEX_ALLOCATION\\config", WINDOWS, id="stream"),
        pytest.param(".git. \\config", WINDOWS, id="trailing dot and blank"),
        pytest.param("GIT~1\\config", WINDOWS, id="short name"),
        pytest.param("gi1a2b~5\\config", WINDOWS, id="short name with a hash"),
        pytest.param(".git\\config", UNKNOWN, id="separator, platform not known"),
        pytest.param(".git.\\config", UNKNOWN, id="trailing dot, platform not known"),
        pytest.param("file:///work/repo/%2Egit/config", LINUX, id="URL"),
        pytest.param("/proc/self/cwd/.git/config", LINUX, id="through the process"),
        pytest.param("innocent", replace(LINUX, real_paths={"innocent": "/work/repo/.git/config"}), id="link"),
        pytest.param(".git/x", replace(LINUX, real_paths={".git/x": "/srv/x"}), id="link out of it"),
        pytest.param("mine/x", replace(LINUX, real_paths={"mine": "/work/repo/.git"}), id="below a link to it"),
        pytest.param(".git/config", NOWHERE, id="nothing known"),
        pytest.param("../.git/config", NOWHERE, id="nothing known, above"),
    ],
)
def test_breached(spelled, environment):
    assert breached(GIT, spelled, Deed.WRITE, environment, environment.cwd or ".")


@pytest.mark.parametrize(
    "spelled",
    ["assets/.gitkeep", ".gitignore", "git/config", "x.git/config", ".git-old/config", ".github/x", "docs/git"],
)
def test_not_breached_by_what_only_looks_alike(spelled):
    assert not breached(GIT, spelled)


def test_a_short_name_is_only_one_where_the_platform_has_them():
    assert not breached(GIT, "GIT~1/config")
    assert not breached(GIT, "RUNNER~1\\config", environment=WINDOWS)


@pytest.mark.parametrize("deed", [deed for deed in Deed if deed is not Deed.READ])
def test_every_deed_but_reading_is_writing(deed):
    assert breached(GIT, ".git/config", deed)
    assert not breached(GIT, ".git/config", Deed.READ)


@pytest.mark.parametrize(
    ("access", "deed", "held"),
    [("read", Deed.READ, True), ("read", Deed.WRITE, False), ("any", Deed.READ, True), ("any", Deed.REMOVE, True)],
)
def test_access(access, deed, held):
    assert breached(Protections([protection("x", access)]), "x", deed) is held


@pytest.mark.parametrize(
    ("path", "inside", "outside"),
    [
        pytest.param("/schema.sql", "schema.sql", "db/schema.sql", id="workspace root"),
        pytest.param("~/vault", "~/vault/a", "vault/a", id="home"),
        pytest.param("//etc/x", "/etc/x", "etc/x", id="file system"),
    ],
)
def test_anchored(path, inside, outside):
    protections = Protections([protection(path)])
    assert breached(protections, inside)
    assert not breached(protections, outside)


def test_a_place_that_is_not_known_is_no_breach_by_itself():
    assert GIT.breached(Touch("$X", None, Deed.REMOVE, recursive=True), LINUX) == ()


def test_entries_come_in_their_order():
    entries = [
        protection(".git/hooks/", identity="b"),
        protection("x", identity="c"),
        protection(".git/", identity="a"),
    ]
    assert [entry.id for entry in Protections(entries).breached(touch(".git/hooks/y"), LINUX)] == ["b", "a"]


WORKFLOWS = Protections([protection(".github/workflows/"), protection("~/.config/lineclear/")])


@pytest.mark.parametrize(
    ("spelled", "deed", "recursive", "held"),
    [
        pytest.param(".github", Deed.REMOVE, True, True, id="removed with all it holds"),
        pytest.param(".github", Deed.MOVE, False, True, id="moved"),
        pytest.param(".github", Deed.WRITE, True, True, id="copied over"),
        pytest.param("~/.config", Deed.REMOVE, True, True, id="below home"),
        pytest.param(".github", Deed.REMOVE, False, False, id="removed if it is empty"),
        pytest.param(".github", Deed.READ, True, False, id="searched"),
        pytest.param("build", Deed.REMOVE, True, False, id="another folder"),
        pytest.param(".", Deed.WRITE, True, False, id="a folder that the entry doesn't name"),
    ],
)
def test_folders_on_the_way_to_a_protected_one(spelled, deed, recursive, held):
    assert breached(WORKFLOWS, spelled, deed, recursive=recursive) is held


@pytest.mark.parametrize(
    ("spelled", "held"),
    [
        pytest.param(".e*", True, id="dotfiles that begin so"),
        pytest.param(".*", True, id="all dotfiles"),
        pytest.param(".en?.local", True, id="one letter open"),
        pytest.param(".env.ex*", True, id="could be the exception, and more"),
        pytest.param("**/.env", True, id="any depth"),
        pytest.param("*", False, id="all but dotfiles"),
        pytest.param("*.py", False, id="another kind"),
        pytest.param("src/*.env", False, id="extension"),
        pytest.param(".g*", False, id="other dotfiles"),
    ],
)
def test_globs_of_dotfiles(spelled, held):
    assert breached(ENV, spelled, Deed.READ, glob=True) is held


KEYS = Protections([protection("*.pem", "any"), protection("id_rsa", "any"), protection("credentials.json", "any")])


@pytest.mark.parametrize(
    ("spelled", "deed", "held"),
    [
        pytest.param("*.pem", Deed.READ, True, id="the kind is named"),
        pytest.param("server.p*", Deed.READ, True, id="part of the kind is named"),
        pytest.param("?d_rsa", Deed.READ, True, id="one letter open"),
        pytest.param("cred*", Deed.READ, True, id="the beginning is named"),
        pytest.param("*", Deed.READ, False, id="nothing is named"),
        pytest.param("test_*", Deed.READ, False, id="something else is named"),
        pytest.param("*.json", Deed.READ, False, id="an extension is come across"),
        pytest.param("*.json", Deed.WRITE, True, id="an extension is written"),
        pytest.param("build/*", Deed.REMOVE, False, id="a folder is emptied"),
    ],
)
def test_globs_of_other_names(spelled, deed, held):
    assert breached(KEYS, spelled, deed, glob=True, recursive=deed is Deed.REMOVE) is held


def test_an_exception_outside_of_workspaces_is_refused():
    with pytest.raises(PatternError, match="outside of workspaces"):
        Protections([protection("a", exceptions=("~/a",))])
