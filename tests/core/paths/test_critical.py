"""What can't be replaced: destroyed under whatever name, and nothing narrower than that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.effects import Deed, Touch
from lineclear.core.paths.critical import critical
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS, at, touch

DESTROYING = [Deed.REMOVE, Deed.MOVE, Deed.OVERWRITE]


def destroyed(spelled, environment=LINUX, cwd=..., deed=Deed.REMOVE, *, recursive=True, glob=False):
    return critical(touch(spelled, deed, environment, cwd, recursive=recursive, glob=glob), environment)


@pytest.mark.parametrize(
    ("spelled", "environment"),
    [
        pytest.param("/", LINUX, id="root"),
        pytest.param("//", LINUX, id="root, two slashes"),
        pytest.param("/./", LINUX, id="root, dotted"),
        pytest.param("/home/dev/../..", LINUX, id="root by climbing"),
        pytest.param("../../../../..", LINUX, id="root by climbing further than there is"),
        pytest.param("/usr", LINUX, id="direct child of the root"),
        pytest.param("/vmlinuz", LINUX, id="file directly below the root"),
        pytest.param("~", LINUX, id="home"),
        pytest.param("/home/dev/", LINUX, id="home by its path"),
        pytest.param("~eve", LINUX, id="another's home"),
        pytest.param("/home/eve", LINUX, id="another's home by its path"),
        pytest.param("~", NOWHERE, id="home that nobody named"),
        pytest.param("~/..", NOWHERE, id="what holds a home that nobody named"),
        pytest.param("/data/dev", replace(LINUX, real_paths={"/home/dev": "/data/dev"}), id="home behind a link"),
        pytest.param("x", replace(LINUX, real_paths={"x": "/home/dev"}), id="link to home"),
        pytest.param(".", LINUX, id="directory"),
        pytest.param("/work/repo", LINUX, id="directory by its path"),
        pytest.param("src/..", LINUX, id="directory by a detour"),
        pytest.param("..", LINUX, id="parent"),
        pytest.param(".", NOWHERE, id="directory that nobody named"),
        pytest.param("../..", NOWHERE, id="parents that nobody named"),
        pytest.param("/work/lib", replace(LINUX, roots=("/work/repo", "/work/lib")), id="another root"),
        pytest.param("/WORK", MACOS, id="direct child of the root, macOS"),
        pytest.param("/users/DEV/repo", MACOS, id="directory, other case"),
        pytest.param("/WORK/REPO", UNKNOWN, id="directory, other case, platform not known"),
        pytest.param("/private/etc", MACOS, id="direct child of the root by the system's link"),
        pytest.param("/proc/self/cwd", LINUX, id="directory through the process"),
        pytest.param("/proc/1/root", LINUX, id="root through the process"),
        pytest.param("/mnt/c", LINUX, id="drive on Linux"),
        pytest.param("/Volumes/Work", MACOS, id="drive on macOS"),
        pytest.param("/media/dev/stick", LINUX, id="drive of a person"),
        pytest.param("C:\\", WINDOWS, id="drive"),
        pytest.param("d:/", WINDOWS, id="another drive"),
        pytest.param("\\", WINDOWS, id="root of the drive"),
        pytest.param("C:\\Windows", WINDOWS, id="direct child of a drive"),
        pytest.param("c:\\users\\DEV", WINDOWS, id="home, other case"),
        pytest.param("C:\\Users\\eve", WINDOWS, id="another's home on Windows"),
        pytest.param("..", WINDOWS, id="parent on Windows"),
        pytest.param("C:\\Work\\REPO~1", replace(WINDOWS, cwd="C:\\Work\\repository"), id="short name"),
        pytest.param("\\\\server\\share", WINDOWS, id="network share"),
        pytest.param("\\\\localhost\\c$", WINDOWS, id="drive as a share"),
        pytest.param("/c/", WINDOWS, id="drive as bash spells it"),
    ],
)
@pytest.mark.parametrize("deed", DESTROYING)
def test_landmarks(spelled, environment, deed):
    assert destroyed(spelled, environment, environment.cwd or ".", deed)


@pytest.mark.parametrize(
    "spelled",
    [
        pytest.param("*", id="all of the directory"),
        pytest.param("./*", id="all of the directory, dotted"),
        pytest.param(".*", id="all dotfiles"),
        pytest.param(".[!.]*", id="all dotfiles, more cautious"),
        pytest.param("*/", id="all folders"),
        pytest.param("*/*", id="all in all folders"),
        pytest.param("**", id="all, any depth"),
        pytest.param("[a-z]*", id="all that begin with a letter"),
        pytest.param("*.*", id="all with a dot"),
        pytest.param("~/*", id="all of home"),
        pytest.param("/*", id="all of the root"),
        pytest.param("/u*", id="some direct children of the root"),
        pytest.param("/etc/*", id="all of a direct child of the root"),
        pytest.param("../*", id="all beside the directory"),
        pytest.param("/home/d*", id="glob that reaches home"),
        pytest.param("/wo?k/repo", id="glob that reaches the directory"),
        pytest.param("/*/dev", id="glob in the middle"),
    ],
)
def test_globs(spelled):
    assert destroyed(spelled, glob=True)


@pytest.mark.parametrize(
    ("spelled", "kinds"),
    [
        pytest.param("build", {}, id="folder"),
        pytest.param("packages/api/dist", {}, id="nested folder"),
        pytest.param("/tmp/build-1234", {}, id="folder in a scratch area"),
        pytest.param("/home/dev/x", {}, id="folder in home"),
        pytest.param("../other", {}, id="folder beside the directory"),
        pytest.param("/usr/local/x", {}, id="folder further down"),
        pytest.param("notes.txt", {"recursive": False}, id="file"),
        pytest.param("build/*", {"glob": True}, id="content of a folder"),
        pytest.param("*.pyc", {"glob": True}, id="files of a kind"),
        pytest.param("*cache*", {"glob": True}, id="named by a glob"),
        pytest.param("/tmp/*", {"glob": True}, id="content of the scratch area"),
        pytest.param("*", {"glob": True, "recursive": False}, id="files of the directory"),
    ],
)
def test_narrower_targets_are_not_critical(spelled, kinds):
    assert destroyed(spelled, **kinds) is None


def test_a_folder_below_a_directory_that_nobody_named_is_not_critical():
    assert destroyed("build", NOWHERE, ".") is None


def test_moving_all_of_a_directory_empties_it():
    assert destroyed("*", deed=Deed.MOVE, recursive=False, glob=True)


@pytest.mark.parametrize("deed", DESTROYING)
def test_a_target_that_is_not_known_is_critical_if_all_it_holds_is_destroyed(deed):
    assert critical(Touch("$D", None, deed, recursive=True), LINUX)
    assert critical(Touch("$D", None, deed), LINUX) is None


def test_below_a_directory_that_is_not_known():
    assert destroyed("usr", LINUX, None)
    assert destroyed("a.txt", LINUX, None, recursive=False) is None


@pytest.mark.parametrize("deed", [Deed.WRITE, Deed.READ])
@pytest.mark.parametrize("spelled", ["/", "~", ".", "/usr"])
def test_reading_and_writing_destroy_nothing(spelled, deed):
    assert critical(touch(spelled, deed, recursive=True), LINUX) is None


@pytest.mark.parametrize(
    ("spelled", "environment"),
    [
        pytest.param("/dev/sda", LINUX, id="disk"),
        pytest.param("/dev/../dev/nvme0n1p2", LINUX, id="partition by a detour"),
        pytest.param("/dev/disk/by-id/x", LINUX, id="disk by another name"),
        pytest.param("/dev/rdisk0", MACOS, id="disk on macOS"),
        pytest.param("x", replace(LINUX, real_paths={"x": "/dev/sda"}), id="link to a disk"),
        pytest.param("\\\\.\\PhysicalDrive0", WINDOWS, id="disk on Windows"),
        pytest.param("\\\\?\\GLOBALROOT\\Device\\Harddisk0", WINDOWS, id="disk by the object manager"),
        pytest.param("\\\\.\\C:", WINDOWS, id="volume"),
    ],
)
@pytest.mark.parametrize("deed", [Deed.WRITE, *DESTROYING])
def test_devices(spelled, environment, deed):
    assert destroyed(spelled, environment, deed=deed, recursive=False)


def test_a_glob_of_devices():
    assert critical(touch("/dev/sd*", Deed.WRITE, glob=True), LINUX)


@pytest.mark.parametrize(
    "spelled", ["/dev/null", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/fd/3", "/dev/pts/0", "/dev/shm/x"]
)
@pytest.mark.parametrize("deed", [Deed.WRITE, Deed.OVERWRITE])
def test_devices_to_which_anybody_may_write(spelled, deed):
    assert critical(touch(spelled, deed), LINUX) is None


@pytest.mark.parametrize("spelled", ["\\\\.\\nul", "\\\\.\\pipe\\x", "NUL"])
def test_devices_of_windows_to_which_anybody_may_write(spelled):
    assert critical(touch(spelled, Deed.WRITE, WINDOWS), WINDOWS) is None


def test_a_harmless_device_is_not_to_be_removed():
    assert destroyed("/dev/null", recursive=False)


def test_the_words_name_what_and_where():
    assert critical(Touch("..", at(".."), Deed.REMOVE), LINUX) == "a folder that holds the working directory (`/work`)"
