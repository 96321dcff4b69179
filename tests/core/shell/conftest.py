"""The shipped programs, and an analysis in a trusted workspace under bash unless a test says otherwise."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.describe import program
from lineclear.core.shell.examples import WORKSPACE
from lineclear.core.shell.programs import Programs
from support.documents import document

PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
FOLDER = Path(__file__).parents[3] / "policies" / "builtin" / "programs"


def shipped():
    """Every shipped description."""
    return [program(entry) for file in sorted(FOLDER.glob("*.yaml")) for entry in document(file)["programs"]]


@pytest.fixture(scope="session")
def programs():
    return Programs.of(shipped())


@pytest.fixture(scope="session")
def analysed(programs):
    """Analyse a command; keywords change the environment."""

    def run(command, **environment):
        return analyse(command, replace(WORKSPACE, **environment), programs)

    return run


@pytest.fixture(scope="session")
def words(analysed):
    """The words of each command, as the shell would resolve them."""

    def run(command, **environment):
        return [[word.shape for word in found.words] for found in analysed(command, **environment).commands]

    return run


@pytest.fixture(scope="session")
def help_of(tmp_path_factory):
    """What an installed program says of itself, in a folder where it finds nothing; None if it isn't installed."""
    folder = tmp_path_factory.mktemp("help")

    def ask(name):
        if shutil.which(name, path=PATH) is None:
            return None
        done = subprocess.run(
            [name, "--help"],
            cwd=folder,
            env={"PATH": PATH, "HOME": str(folder), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    return ask
