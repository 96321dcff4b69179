"""Where the shipped policies and migrations lie: in the wheel, or in the checkout that this package runs from."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "_shipped"
_CHECKOUT = _PACKAGE.parents[1]


class ResourceMissing(RuntimeError):
    """A folder that is shipped with the package isn't there: the installation is broken."""


def policies() -> Path:
    """The shipped policies: ``builtin``, an ``organisation`` layer that is almost empty, and cases."""
    return _folder("policies")


def builtin() -> Path:
    """The built-in layer, which lies beneath every folder of policies."""
    return policies() / "builtin"


def policy_schema() -> Path:
    """The JSON Schema of policy files."""
    return policies() / "schema.json"


def migrations() -> Path:
    """The migrations of the database."""
    return _folder("migrations")


def shim() -> Path:
    """The program that agents' hooks start. It stands beside the package, of which it imports nothing."""
    file = _PACKAGE.parent / "lineclear_hook.py"
    if not file.is_file():
        raise ResourceMissing(f"there is no {file}; install the package again")
    return file


def in_force(chosen: Path | None, working_directory: Path) -> Path:
    """The folder of policies in force: the chosen one, else ``./policies`` if there is one, else the shipped ones."""
    if chosen is not None:
        return chosen
    here = working_directory / "policies"
    return here if here.is_dir() else policies()


def _folder(name: str) -> Path:
    for base in (_SHIPPED, _CHECKOUT):
        if (base / name).is_dir():
            return base / name
    raise ResourceMissing(f"the package has no `{name}` in {_SHIPPED} or {_CHECKOUT}; install it again")
