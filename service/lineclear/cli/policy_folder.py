"""The folder of policies that a command works on, and its faults as the command's own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from lineclear import resources
from lineclear.bootstrap.policies import folder
from lineclear.bootstrap.problem import CannotStart
from lineclear.classifier.prompts import DIGEST
from lineclear.cli.failure import Failure
from lineclear.cli.settled import settled
from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, examined
from lineclear.policyfiles.problems import PolicyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lineclear.policyfiles.compiling import Compiled


def named(policies: Path | None) -> Path:
    """The folder: the one that the option or the settings name, else the one in force here. Raises ``Failure``."""
    try:
        return folder(settled(policies=policies).policies)
    except CannotStart as error:
        raise Failure(str(error)) from None


def loaded(policies: Path | None) -> Compiled:
    """Its policy with what it was made of. Raises ``Failure`` with each fault's file, line and column."""
    return loaded_on(resources.builtin(), named(policies))


def loaded_on(builtin: Path, folder: Path) -> Compiled:
    """The policy of a folder on a built-in layer. Raises ``Failure``."""
    if not any(builtin.glob("*.yaml")):
        raise Failure(f"`{builtin}` holds no built-in layer; name the folder `policies/builtin` of a release")
    with told():
        return examined(Beneath.read(builtin, DIGEST), sources.organisation(folder))


@contextmanager
def told() -> Iterator[None]:
    """Faults of policy files as the failure of the command."""
    try:
        yield
    except PolicyError as error:
        raise Failure(str(error)) from None
