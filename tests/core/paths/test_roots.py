"""Which folders may be a workspace root, and that later calls only narrow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.paths.roots import acceptable_root, is_absolute, narrowed
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS


@pytest.mark.parametrize(
    ("root", "environment"),
    [
        pytest.param("/", LINUX, id="root"),
        pytest.param("//", LINUX, id="root, two slashes"),
        pytest.param("/work/..", LINUX, id="root by climbing"),
        pytest.param("/home/dev", LINUX, id="home"),
        pytest.param("~", LINUX, id="home by its sign"),
        pytest.param("/home", LINUX, id="what holds home"),
        pytest.param("/data", replace(LINUX, home="/data/people/dev"), id="what holds an unusual home"),
        pytest.param("/data/dev", replace(LINUX, real_paths={"/home/dev": "/data/dev"}), id="home behind a link"),
        pytest.param("/work/x", replace(LINUX, real_paths={"/work/x": "/home/dev"}), id="link to home"),
        pytest.param("/home/eve", NOWHERE, id="another's home"),
        pytest.param("/root", NOWHERE, id="the superuser's home"),
        pytest.param("/Users", MACOS, id="what holds homes on macOS"),
        pytest.param("/users/eve", MACOS, id="home on macOS"),
        pytest.param("C:\\", WINDOWS, id="drive"),
        pytest.param("D:", WINDOWS, id="drive without a separator"),
        pytest.param("C:\\Users", WINDOWS, id="what holds homes on Windows"),
        pytest.param("c:\\users\\dev", WINDOWS, id="home on Windows"),
        pytest.param("C:\\WORK~1", WINDOWS, id="short name"),
        pytest.param("\\\\server\\share", WINDOWS, id="network share"),
        pytest.param("\\\\.\\C:", WINDOWS, id="volume"),
        pytest.param("/mnt/c", LINUX, id="drive on Linux"),
        pytest.param("src", LINUX, id="relative"),
        pytest.param("", LINUX, id="nothing"),
    ],
)
def test_not_acceptable(root, environment):
    assert not acceptable_root(root, environment, None)


@pytest.mark.parametrize(
    ("root", "environment"),
    [
        pytest.param("/work/repo", LINUX, id="folder"),
        pytest.param("/app", LINUX, id="directly below the root"),
        pytest.param("/home/dev/repo", LINUX, id="in home"),
        pytest.param("/home/eve/repo", NOWHERE, id="in a home"),
        pytest.param("/Users/name./repo", MACOS, id="name that ends in a dot"),
        pytest.param("C:\\Work\\repo", WINDOWS, id="on Windows"),
        pytest.param("\\\\server\\share\\repo", WINDOWS, id="on a share"),
        pytest.param("/mnt/c/repo", LINUX, id="on a drive"),
        pytest.param("/work/repo", UNKNOWN, id="platform not known"),
    ],
)
def test_acceptable(root, environment):
    assert acceptable_root(root, environment, None)


@pytest.mark.parametrize(
    ("root", "patterns", "accepted"),
    [
        ("/home/dev/src/a", ("~/src/**",), True),
        ("/home/dev/src", ("~/src/**",), False),
        ("/home/dev/other", ("~/src/**", "/srv/**"), False),
        ("/srv/a", ("~/src/**", "/srv/**"), True),
        ("/srv/a", ("//srv/**",), True),
        ("/x/srv/a", ("/srv/**",), False),
        ("/work/repo", ("**",), True),
        ("/work/repo", (), False),
        ("/home/dev", ("**",), False),
    ],
)
def test_bounds_of_the_policy(root, patterns, accepted):
    assert acceptable_root(root, LINUX, patterns) is accepted


def test_bounds_hold_for_the_real_path():
    environment = replace(LINUX, real_paths={"/srv/a": "/opt/a"})
    assert not acceptable_root("/srv/a", environment, ("/srv/**",))


def test_later_calls_narrow():
    fixed = ("/work/repo", "/work/lib")
    asked = ("/work/repo/src", "/work/lib", "/work/repository", "/work", "/work/lib/../x", "src")
    assert narrowed(fixed, asked) == (asked[:2], asked[2:])


def test_a_link_out_does_not_narrow():
    environment = replace(LINUX, real_paths={"/work/repo/out": "/srv"})
    assert narrowed(("/work/repo",), ("/work/repo/out",), environment) == ((), ("/work/repo/out",))


def test_windows_roots_narrow_whatever_their_case():
    assert narrowed(("C:\\Work",), ("c:/work/repo",), WINDOWS) == (("c:/work/repo",), ())


@pytest.mark.parametrize(
    ("path", "absolute"),
    [
        ("/a", True),
        ("C:\\a", True),
        ("C:/a", True),
        ("\\\\s\\a\\b", True),
        ("a", False),
        ("~/a", False),
        ("C:a", False),
    ],
)
def test_is_absolute(path, absolute):
    assert is_absolute(path) is absolute
