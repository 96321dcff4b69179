from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.watch import Policies
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
