from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from lineclear.policyfiles import watch
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.watch import Loaded, Policies
from support.rulings import BUILTIN

if TYPE_CHECKING:
    from pathlib import Path

ONE = "version: 1\npermissions: {deny: [Bash(one *)]}\n"
TWO = "version: 1\npermissions: {deny: [Bash(two *)]}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "policies"
    (folder / "organisation").mkdir(parents=True)
    (folder / "organisation" / "a.yaml").write_text(ONE)
    return folder


def rules(policies: Policies) -> list[str]:
    return [rule.id for rule in policies.current.rules.rules if rule.layer == "organisation"]


@asynccontextmanager
async def watched(folder: Path, refusals: list[PolicyError]):
    policies = Policies(folder, BUILTIN, on_refusal=refusals.append)
    task = asyncio.create_task(policies.watch())
    await asyncio.sleep(0.2)
    yield policies
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def until(holds) -> None:
    async with asyncio.timeout(15):
        while not holds():  # noqa: ASYNC110 - what is watched tells nobody
            await asyncio.sleep(0.05)


async def test_a_change_is_taken_and_a_bad_one_is_not(folder: Path) -> None:
    refusals: list[PolicyError] = []
    async with watched(folder, refusals) as policies:
        assert rules(policies) == ["organisation:deny:Bash(one *)"]
        (folder / "organisation" / "a.yaml").write_text(TWO)
        await until(lambda: rules(policies) == ["organisation:deny:Bash(two *)"])

        (folder / "organisation" / "b.yaml").write_text("version: 1\npermisions: {}\n")
        await until(lambda: policies.warnings)
        assert rules(policies) == ["organisation:deny:Bash(two *)"]
        assert "organisation/b.yaml:2:1" in policies.warnings[0]
        assert len(refusals) == 1

        (folder / "organisation" / "b.yaml").unlink()
        await until(lambda: not policies.warnings)
        assert rules(policies) == ["organisation:deny:Bash(two *)"]


async def test_a_link_that_is_turned_is_followed(tmp_path: Path) -> None:
    # as Kubernetes mounts a ConfigMap: the files are links through a folder that is replaced in one step
    for name, text in (("v1", ONE), ("v2", TWO)):
        (tmp_path / "mount" / f"..{name}").mkdir(parents=True)
        (tmp_path / "mount" / f"..{name}" / "a.yaml").write_text(text)
    data = tmp_path / "mount" / "..data"
    data.symlink_to("..v1")
    (tmp_path / "mount" / "a.yaml").symlink_to("..data/a.yaml")
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "organisation").symlink_to(tmp_path / "mount")
    async with watched(folder, []) as policies:
        turned = tmp_path / "mount" / "..data_tmp"
        turned.symlink_to("..v2")
        turned.replace(data)
        await until(lambda: rules(policies) == ["organisation:deny:Bash(two *)"])


async def test_a_folder_that_goes_leaves_the_last_good_policy(folder: Path) -> None:
    async with watched(folder, []) as policies:
        shutil.move(folder, folder.parent / "aside")
        await until(lambda: policies.warnings)
        assert rules(policies) == ["organisation:deny:Bash(one *)"]
        shutil.move(folder.parent / "aside", folder)
        (folder / "organisation" / "a.yaml").write_text(TWO)
        await until(lambda: rules(policies) == ["organisation:deny:Bash(two *)"])


def test_without_a_first_policy_there_is_none(folder: Path) -> None:
    (folder / "organisation" / "a.yaml").write_text("version: 3\n")
    with pytest.raises(PolicyError):
        Policies(folder, BUILTIN)


async def test_a_bad_edit_that_is_undone_is_told_though_the_version_is_the_same(folder: Path) -> None:
    loads: list[Loaded] = []
    policies = Policies(folder, BUILTIN, on_load=loads.append)
    version = policies.current.version
    (folder / "organisation" / "a.yaml").write_text("version: 1\nruls: []\n")
    assert not policies.reload()
    assert policies.warnings
    (folder / "organisation" / "a.yaml").write_text(ONE)
    assert policies.reload()
    assert policies.warnings == ()
    assert [(one.policy.version, one.mended) for one in loads] == [(version, True)]


async def test_a_file_of_the_same_time_and_size_is_another_file(folder: Path) -> None:
    file = folder / "organisation" / "a.yaml"
    async with watched(folder, []) as policies:
        other = folder.parent / "other.yaml"
        other.write_text(TWO)
        os.utime(other, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
        assert other.stat().st_size == file.stat().st_size
        other.replace(file)
        await until(lambda: rules(policies) == ["organisation:deny:Bash(two *)"])


@pytest.mark.parametrize("layer", ["organisation", "teams/payments"])
async def test_a_file_behind_a_folders_link_is_seen_when_it_changes(folder: Path, layer: str) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    head = "applies_to: {groups: [x]}\n" if layer != "organisation" else ""
    (elsewhere / "a.yaml").write_text(ONE + head)
    shutil.rmtree(folder / "organisation")
    for name in ("organisation", "teams"):
        (folder / name).mkdir()
    if layer == "organisation":
        (folder / layer).rmdir()
    (folder / layer).symlink_to(elsewhere)
    async with watched(folder, []) as policies:
        before = policies.current.version
        (elsewhere / "a.yaml").write_text(TWO + head)
        await until(lambda: policies.current.version != before)


async def test_where_the_system_watches_nothing_the_folder_is_looked_at(folder: Path, monkeypatch) -> None:
    def exhausted(*_args, **_options):
        raise OSError(28, "no more files can be watched")

    monkeypatch.setattr(watch, "awatch", exhausted)
    async with watched(folder, []) as policies:
        (folder / "organisation" / "a.yaml").write_text(TWO)
        await until(lambda: rules(policies) == ["organisation:deny:Bash(two *)"])


@pytest.mark.parametrize("then", [TWO, None], ids=["changes", "vanishes"])
def test_files_that_change_while_they_are_read_are_read_again(folder: Path, monkeypatch, then) -> None:
    (folder / "organisation" / "b.yaml").write_text("version: 1\n")
    policies = Policies(folder, BUILTIN)
    read, times = watch.sources.organisation, []

    def disturbed(place: Path):
        found = read(place)
        if not times:
            file = folder / "organisation" / "a.yaml"
            file.unlink() if then is None else file.write_text(then)
        times.append(1)
        return found

    monkeypatch.setattr(watch.sources, "organisation", disturbed)
    assert policies.reload()
    assert rules(policies) == ([] if then is None else ["organisation:deny:Bash(two *)"])
    assert len(times) == 2


def test_files_that_never_stand_still_are_refused(folder: Path, monkeypatch) -> None:
    policies = Policies(folder, BUILTIN)
    read = watch.sources.organisation

    def disturbed(place: Path):
        found = read(place)
        with (folder / "organisation" / "a.yaml").open("a") as file:
            file.write("# more\n")
        return found

    monkeypatch.setattr(watch.sources, "organisation", disturbed)
    monkeypatch.setattr(watch, "QUIET_S", 0.0)
    assert not policies.reload()
    assert "in one step" in policies.warnings[0]


def test_a_fault_of_our_own_leaves_the_last_good_policy_and_a_warning(folder: Path, monkeypatch) -> None:
    refusals: list[PolicyError] = []
    policies = Policies(folder, BUILTIN, on_refusal=refusals.append)

    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(watch, "compiled", broken)
    before = policies.current
    assert not policies.reload()
    assert policies.current is before
    assert "ZeroDivisionError" in policies.warnings[0]
    assert isinstance(refusals[0].__cause__, ZeroDivisionError)


UNREADABLE = {
    "a link to nowhere": lambda path: path.symlink_to("nowhere.yaml"),
    "a pipe": os.mkfifo,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "ten megabytes": lambda path: path.write_bytes(b"# " + b"x" * 10_000_000),
    "no UTF-8": lambda path: path.write_bytes(b"version: 1\n# \xff\n"),
    "UTF-16": lambda path: path.write_bytes("version: 1\n".encode("utf-16")),
}


@pytest.mark.parametrize("made", UNREADABLE.values(), ids=UNREADABLE)
def test_what_can_not_be_read_leaves_the_last_good_policy(folder: Path, made) -> None:
    policies = Policies(folder, BUILTIN)
    before = policies.current
    made(folder / "organisation" / "b.yaml")
    assert not policies.reload()
    assert policies.current is before
    assert "organisation/b.yaml:" in policies.warnings[0]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is readable for root")
@pytest.mark.parametrize("name", ["organisation/a.yaml", "organisation", ""], ids=["file", "layer", "folder"])
def test_what_may_not_be_read_leaves_the_last_good_policy(folder: Path, name: str) -> None:
    policies = Policies(folder, BUILTIN)
    (folder / name).chmod(0)
    try:
        assert not policies.reload()
        assert "permission denied" in policies.warnings[0]
    finally:
        (folder / name).chmod(0o755)
