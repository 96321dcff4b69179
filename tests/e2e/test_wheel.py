"""What is shipped works by itself: from a wheel, in an empty folder, without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile

import pytest

from support.serving import ROOT

REQUEST = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "git push --force"}}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the checkout with what is installed."""
    pytest.importorskip("hatchling", reason="hatchling is needed to build the wheel")
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Runs the wheel's command; what it needs of other packages comes from this interpreter."""
    place = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    empty = tmp_path_factory.mktemp("empty")
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}

    def run(*arguments, stdin=""):
        return subprocess.run(
            [sys.executable, "-m", "lineclear", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=empty,
            env=kept | {"PYTHONPATH": str(place), "XDG_CONFIG_HOME": str(empty), "XDG_DATA_HOME": str(empty)},
        )

    return run


def test_it_holds_what_the_service_needs_and_no_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("_shipped/policies/builtin/", "_shipped/policies/organisation/", "_shipped/migrations/versions/"):
        assert any(name.startswith(f"lineclear/{part}") for name in names), part
    assert not any("test_" in name for name in names)
    assert any(name.endswith("LICENSE") for name in names)


def test_the_version(installed):
    done = installed("--version")
    assert (done.returncode, done.stdout) == (0, "lineclear 0.1.0\n")


def test_check_decides_by_the_shipped_policy(installed):
    done = installed("check", stdin=json.dumps(REQUEST) + "\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] in {"ask", "deny"}


def test_policy_test_runs_the_shipped_cases(installed):
    done = installed("policy", "test")
    assert done.returncode == 0, done.stdout + done.stderr
