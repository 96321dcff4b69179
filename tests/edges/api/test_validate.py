"""Policy files are checked for those who own the policy, with each error's place; nothing comes into force by it."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys

import pytest

from lineclear import resources
from lineclear.bootstrap import checks
from lineclear.bootstrap.checks import AT_ONCE, Checks
from lineclear.classifier.prompts import DIGEST
from lineclear.core.call import Role
from lineclear.policyfiles.load import load

PATH = "/v1/policy/validate"
GOOD = 'version: 1\npermissions: {deny: ["Bash(wc *)"]}\n'
TEAM = 'version: 1\napplies_to: {groups: [payments]}\npermissions: {deny: ["Read(ledger/**)"]}\n'
ODD = 'version: 1\npermissions:\n  deny:\n    - "Bash(git:* push)"\n'


async def validated(world, files, role=Role.EDITOR):
    async with world.client(role) as client:
        return await client.post(PATH, json={"files": files})


async def test_good_files_have_the_version_that_they_would_have_in_force(world, tmp_path):
    files = {"organisation/a.yaml": GOOD, "teams/payments/rules.yml": TEAM}
    told = (await validated(world, files)).json()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert told == {
        "valid": True,
        "version": load(tmp_path, resources.builtin(), DIGEST).version,
        "in_force": "sha256:1",
        "errors": [],
        "findings": [],
    }


@pytest.mark.parametrize(
    "body",
    [{"policy_text": GOOD}, {"policy": {"version": 1, "permissions": {"deny": ["Bash(wc *)"]}}}],
    ids=["text", "mapping"],
)
async def test_one_file_may_come_as_a_case_has_it(world, body):
    async with world.client(Role.EDITOR) as client:
        told = (await client.post(PATH, json=body)).json()
    assert told["valid"]
    assert told["version"] == (await validated(world, {"organisation/a.yaml": GOOD})).json()["version"]


async def test_a_mapping_s_errors_have_the_lines_of_its_entries(world):
    async with world.client(Role.EDITOR) as client:
        told = (await client.post(PATH, json={"policy": {"version": 1, "ruls": []}})).json()
    (error,) = told["errors"]
    assert (error["file"], error["line"], error["column"]) == ("organisation/policy.yaml", 3, 3)
    assert "did you mean `rules`" in error["message"]


BAD = {
    "a typo": ("version: 1\npermissions: {}\nruls: []\n", 3, 1, "did you mean `rules`"),
    "a tab": ("version: 1\npermissions:\n\tdeny: []\n", 3, 1, "use spaces"),
    "no version": ("permissions: {}\n", 1, 1, "`version: 1` is missing"),
    "an operator": ("version: 1\npermissions: {deny: ['Bash(a; b)']}\n", 2, 22, "one simple command"),
    "a condition": (
        "version: 1\nrules:\n  - {id: r, effect: deny, command: [x], when: 'call.tool =='}\n",
        3, 47, "doesn't compile",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "advice"), BAD.values(), ids=BAD)
async def test_an_error_has_its_place_and_advice(world, text, line, column, advice):
    told = (await validated(world, {"organisation/a.yaml": GOOD, "organisation/b.yaml": text})).json()
    assert (told["valid"], told["version"], told["findings"]) == (False, None, [])
    (error,) = told["errors"]
    assert (error["file"], error["line"], error["column"]) == ("organisation/b.yaml", line, column)
    assert advice in error["message"]


async def test_findings_are_told_of_what_loads(world):
    told = (await validated(world, {"organisation/a.yaml": ODD})).json()
    assert told["valid"]
    (finding,) = told["findings"]
    assert (finding["code"], finding["level"], finding["line"], finding["column"]) == ("colon-star", "error", 4, 7)


NAMES = [
    "a.yaml", "builtin/rules.yaml", "tests/a.yaml", "organisation/a.txt", "organisation/sub/a.yaml",
    "organisation/../a.yaml", "/organisation/a.yaml", "../organisation/a.yaml", "teams/../a.yaml", "teams/a.yaml",
    "organisation/..yaml", "organisation/.a.yaml", "organisation\\a.yaml", "organisation/a\n.yaml", "teams//a.yaml",
    f"organisation/{'a' * 300}.yaml", "organisation/" + "\N{GRINNING FACE}" * 90 + ".yaml",
    "",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
async def test_a_file_that_would_lie_elsewhere_is_refused(world, name):
    answer = await validated(world, {name: GOOD})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"][0]["pointer"].startswith("/files/")


@pytest.mark.parametrize(
    "body",
    [
        {}, {"files": {}}, {"files": []}, {"files": {"organisation/a.yaml": 1}}, {"policy": "x"}, {"policy_text": {}},
        {"policy": {"version": 1}, "policy_text": "version: 1"},
    ],
    ids=str,
)  # fmt: skip
async def test_what_is_no_set_of_files_is_malformed(world, body):
    async with world.client(Role.EDITOR) as client:
        assert (await client.post(PATH, json=body)).status_code == 400


async def test_too_much_is_not_even_read(world):
    assert (await validated(world, {"organisation/a.yaml": "#" * 5000})).status_code == 413


@pytest.mark.parametrize("role", [Role.AGENT, Role.HOST, Role.METRICS])
@pytest.mark.parametrize(("method", "path"), [("POST", PATH), ("GET", "/v1/policy/schema")])
async def test_it_is_not_for_those_who_are_judged(world, role, method, path):
    async with world.client(role) as client:
        assert (await client.request(method, path, json={"files": {}})).status_code == 403


async def test_a_check_that_takes_too_long_is_ended_and_no_more_than_so_many_run():
    slow = Checks(within_s=0.01)
    told = await slow.check({"organisation/a.yaml": GOOD})
    assert told.version is None
    assert "longer than" in told.errors[0].message


async def test_a_check_that_ends_without_a_word_is_no_yes(monkeypatch):
    monkeypatch.setattr(checks.sys, "executable", shutil.which("true"))
    told = await Checks().check({"organisation/a.yaml": GOOD})
    assert told.version is None
    assert "checking failed" in told.errors[0].message


def test_what_checks_leaves_the_machine_to_others():
    greedy = (
        "import os; from lineclear.policyfiles.checking import *; modest(); print(os.nice(0)); bytearray(MOST_BYTES)"
    )
    ended = subprocess.run([sys.executable, "-c", greedy], capture_output=True, text=True, check=False)
    assert (int(ended.stdout) >= 10, "MemoryError" in ended.stderr) == (True, True)


async def test_of_too_many_checks_some_are_refused(world):
    files = {"organisation/a.yaml": GOOD}
    answers = await asyncio.gather(*(validated(world, files) for _ in range(AT_ONCE + 1)))
    assert sorted(answer.status_code for answer in answers) == [200] * AT_ONCE + [503]
    assert (await validated(world, files)).status_code == 200


async def test_the_schema_is_the_published_one(world):
    async with world.client(Role.EDITOR) as client:
        answer = await client.get("/v1/policy/schema")
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.json() == json.loads(resources.policy_schema().read_text())
