"""Where a spelling leads: each trick by which a path can be made to look like another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.call import Dialect
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS, at


@pytest.mark.parametrize(
    ("spelled", "lexical"),
    [
        pytest.param("src/a.py", "/work/repo/src/a.py", id="relative"),
        pytest.param("./src//a.py", "/work/repo/src/a.py", id="dots and doubled separators"),
        pytest.param(".", "/work/repo", id="the directory itself"),
        pytest.param("", "/work/repo", id="nothing"),
        pytest.param("src/../../x", "/work/x", id="climbing out"),
        pytest.param("/work/repo/../../etc/hosts", "/etc/hosts", id="climbing from an absolute path"),
        pytest.param("/../../etc", "/etc", id="climbing above the root"),
        pytest.param("//etc/passwd", "/etc/passwd", id="two slashes"),
        pytest.param("~/x", "/home/dev/x", id="home"),
        pytest.param("~", "/home/dev", id="home itself"),
        pytest.param("~dev/x", "/home/dev/x", id="home by name"),
        pytest.param("~root/x", "~root/x", id="another's home"),
        pytest.param("~+x/y", "~+x/y", id="a tilde form that can't be known"),
        pytest.param("./~/x", "/work/repo/~/x", id="a folder called tilde"),
        pytest.param("a/~/x", "/work/repo/a/~/x", id="tilde further on"),
        pytest.param("file:///etc/passwd", "/etc/passwd", id="URL"),
        pytest.param("FILE://localhost/etc/pa%73swd", "/etc/passwd", id="URL, encoded, with this host"),
        pytest.param("file:/etc/passwd?x#y", "/etc/passwd", id="URL with one slash, query and fragment"),
        pytest.param("C:\\x", "/work/repo/C:\\x", id="a Windows path is a name here"),
        pytest.param("a b./c ", "/work/repo/a b./c ", id="blanks and dots at the end are part of a name here"),
    ],
)
def test_linux(spelled, lexical):
    assert at(spelled).lexical == lexical


@pytest.mark.parametrize(
    ("spelled", "lexical"),
    [
        pytest.param("src\\a.py", "C:/Work/repo/src/a.py", id="relative"),
        pytest.param("c:\\work\\x", "C:/work/x", id="drive letter"),
        pytest.param("C:/work/../x", "C:/x", id="forward slashes"),
        pytest.param("C:x", "C:/Work/repo/x", id="relative to the drive's directory"),
        pytest.param("D:x", "../x", id="relative to another drive's directory"),
        pytest.param("\\Windows", "C:/Windows", id="from the drive's root"),
        pytest.param("\\\\?\\C:\\Work\\x", "C:/Work/x", id="verbatim"),
        pytest.param("\\??\\C:\\Work\\x", "C:/Work/x", id="object manager"),
        pytest.param("\\\\.\\C:\\Work\\x", "C:/Work/x", id="through the device"),
        pytest.param("\\\\?\\UNC\\srv\\share\\x", "//srv/share/x", id="verbatim share"),
        pytest.param("\\\\SRV\\share\\x", "//srv/share/x", id="share"),
        pytest.param("\\\\localhost\\c$\\Work\\x", "C:/Work/x", id="administrative share of this machine"),
        pytest.param("\\\\.\\PhysicalDrive0", "//./PhysicalDrive0", id="device"),
        pytest.param("\\\\.\\C:", "//./C", id="volume"),
        pytest.param("a.txt::$DATA", "C:/Work/repo/a.txt", id="stream"),
        pytest.param(".git:x:$DATA\\config", "C:/Work/repo/.git/config", id="named stream of a folder"),
        pytest.param("a. ./b...", "C:/Work/repo/a/b", id="trailing dots and blanks"),
        pytest.param("file:///C:/Work/x", "C:/Work/x", id="URL"),
        pytest.param("file:///C%3A/Work/x", "C:/Work/x", id="URL, encoded"),
        pytest.param("file://srv/share/x", "//srv/share/x", id="URL of a share"),
        pytest.param("/c/Work/x", "C:/Work/x", id="as bash spells a drive"),
        pytest.param("~\\x", "C:/Users/dev/x", id="home"),
    ],
)
def test_windows(spelled, lexical):
    assert at(spelled, WINDOWS).lexical == lexical


def test_a_drive_as_bash_spells_it_is_a_folder_to_other_shells():
    assert at("/c/Work", replace(WINDOWS, dialect=Dialect.POWERSHELL)).lexical == "C:/c/Work"


def test_a_name_that_ends_in_a_dot_is_one_on_macos():
    assert at("/Users/name./repo", MACOS).lexical == "/Users/name./repo"


@pytest.mark.parametrize(
    ("cwd", "lexical", "adrift"),
    [
        pytest.param("/srv", "/srv/x", False, id="absolute"),
        pytest.param("/srv/../etc", "/etc/x", False, id="absolute, climbing"),
        pytest.param(".", "x", False, id="the one in which the call starts"),
        pytest.param("src", "src/x", False, id="below the one in which the call starts"),
        pytest.param("..", "../x", False, id="above the one in which the call starts"),
        pytest.param("~/y", "/home/dev/y/x", False, id="home"),
        pytest.param(None, "x", True, id="unknown"),
    ],
)
def test_directory_in_which_a_path_is_read(cwd, lexical, adrift):
    place = at("x", LINUX, cwd)
    assert (place.lexical, place.adrift) == (lexical, adrift)


def test_an_absolute_path_is_never_adrift():
    assert not at("/etc/x", LINUX, None).adrift


def test_home_that_nobody_named_stays_one():
    assert at("~/x", NOWHERE, None).lexical == "~/x"


def test_where_the_platform_is_not_known_both_readings_are_views():
    place = at("src\\..\\..\\x", UNKNOWN)
    assert place.views == ("/work/repo/src\\..\\..\\x", "/work/x")


@pytest.mark.parametrize(
    ("cwd", "lexical"),
    [
        pytest.param("\\Temp", "C:/Temp/x", id="from the drive's root"),
        pytest.param("C:src", "C:/Work/repo/src/x", id="relative to the drive's directory"),
        pytest.param("D:src", "../src/x", id="relative to another drive's directory"),
        pytest.param("/d/src", "D:/src/x", id="drive as bash spells it"),
    ],
)
def test_directories_of_windows(cwd, lexical):
    assert at("x", WINDOWS, cwd).lexical == lexical
