"""The files of a policy: which are read, of which layer each is, and what no file may stand beside them unread."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from lineclear.core.rules.rule import Layer
from lineclear.policyfiles.node import nearest
from lineclear.policyfiles.problems import Fault, PolicyError, Problem, Problems
from lineclear.policyfiles.yaml import read, refuse_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from lineclear.core.rules.audience import Audience
    from lineclear.policyfiles.node import Node

CATALOGUES = "catalogues"
PROGRAMS = "programs"
_TEAMS = "teams"
_FOLDERS = ("builtin", "organisation", _TEAMS, "tests")
_APART = frozenset({"builtin", "tests"})
_ENDINGS = frozenset({".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its name relative to the policies' folder, its layer, its document.

    ``team`` is the name of the team's folder, None in the other layers; ``audience`` is for whom the file is meant.
    """

    file: str
    layer: Layer
    entries: Mapping[str, Node]
    node: Node
    team: str | None = None
    audience: Audience | None = None


def organisation(folder: Path) -> tuple[Source, ...]:
    """The organisation's and the teams' files in a folder of policies. Raises ``PolicyError``."""
    if not folder.is_dir():
        raise PolicyError([Problem(str(folder), 1, 1, "there is no such folder; name one that holds `organisation/`")])
    problems = Problems()
    try:
        _look_around(folder, problems)
        found = _read(folder, _files(folder / Layer.ORGANISATION, problems, folder), Layer.ORGANISATION, problems)
        teams = [source for team in _teams(folder) for source in _of_team(folder, team, problems)]
    except OSError as error:  # a folder that can't be listed; files are told of one by one
        told = f"can't be listed: {(error.strerror or 'unknown error').lower()}; make it readable for the service"
        problems.found.append(Problem(str(error.filename or folder), 1, 1, told))
        found, teams = (), []
    problems.check()
    return (*found, *teams)


def looked_at(folder: Path) -> list[Path]:
    """All that lies where files of a policy may lie, in order; the built-in layer and the cases apart.

    Of what can't be listed there is nothing: reading it says so.
    """
    found: set[Path] = set()
    with suppress(OSError):
        found.update(folder.iterdir())
    for layer in [path for path in found if path.name not in _APART]:
        with suppress(OSError):
            found.update(layer.rglob("*"))
    with suppress(OSError):
        for team in _teams(folder):  # a link is followed only where the search begins
            found.update(team.rglob("*"))
    return sorted(found)


def may_be_read(name: str) -> bool:
    """Whether a file of this name, relative to the folder of policies, is one that policies are made of."""
    *folders, last = PurePosixPath(name).parts or ("",)
    layer, between = "".join(folders[:1]), folders[1:]
    depth = {Layer.ORGANISATION.value: 0, _TEAMS: 1}.get(layer)
    return len(between) == depth and PurePosixPath(last).suffix in _ENDINGS and not last.startswith(".")


def _teams(folder: Path) -> list[Path]:
    teams = folder / _TEAMS
    return [path for path in sorted(teams.iterdir()) if path.is_dir()] if teams.is_dir() else []


def _of_team(folder: Path, team: Path, problems: Problems) -> list[Source]:
    files = _files(team, problems, folder)
    return [replace(source, team=team.name) for source in _read(folder, files, Layer.TEAM, problems)]


def builtin(folder: Path) -> tuple[Source, ...]:
    """The files of the built-in layer, its catalogues and programs apart. Raises ``PolicyError``."""
    problems = Problems()
    found = _read(
        folder.parent, _files(folder, problems, folder.parent, known=(CATALOGUES, PROGRAMS)), Layer.BUILTIN, problems
    )
    problems.check()
    return found


def described(folder: Path, kind: str) -> tuple[Source, ...]:
    """The files of one kind of description (``catalogues``, ``programs``) of the built-in layer."""
    problems = Problems()
    found = _read(folder.parent, _files(folder / kind, problems, folder.parent), Layer.BUILTIN, problems)
    problems.check()
    return found


def of_text(text: str, file: str = "organisation/policy.yaml") -> Source:
    """A text as a file of the organisation's layer. Raises ``PolicyError``."""
    try:
        return of_node(read(text), file)
    except Fault as fault:
        raise PolicyError([fault.of(file)]) from fault


def of_node(node: Node | None, file: str = "organisation/policy.yaml", layer: Layer = Layer.ORGANISATION) -> Source:
    """A document as a file. Raises ``Fault``."""
    if node is None:
        raise Fault(1, 1, "the file is empty; it needs at least `version: 1`")
    entries = node.entries("a policy file")
    if "version" not in entries:
        raise node.fault("`version: 1` is missing; it says in which format the file is written")
    version = entries["version"].value
    if isinstance(version, bool) or version != 1 or not isinstance(version, int):
        hint = ", without quotes" if version == "1" else ""
        raise entries["version"].fault(f"`version` must be 1{hint}, the only format that there is")
    return Source(file, layer, {key: value for key, value in entries.items() if key != "version"}, node)


def _read(base: Path, files: Iterable[Path], layer: Layer, problems: Problems) -> tuple[Source, ...]:
    found = []
    for path in files:
        file = path.relative_to(base).as_posix()
        with problems.of(file):
            found.append(of_node(_content(path), file, layer))
    return tuple(found)


def _content(path: Path) -> Node | None:
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for, a device read without end
            raise Fault(1, 1, "no plain file; put the policy's text there")
        refuse_size(path.stat().st_size)
        return read(path.read_bytes())
    except OSError as error:
        told = f"can't be read: {(error.strerror or 'unknown error').lower()}"
        if path.is_symlink() and not path.exists():
            told = f"can't be read: a link to `{path.readlink()}`, where nothing is; correct it, or remove it"
        raise Fault(1, 1, told) from error


def _files(folder: Path, problems: Problems, base: Path, known: tuple[str, ...] = ()) -> list[Path]:
    """The YAML files of a folder, in order; a folder inside of it that holds more is a problem."""
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name.startswith("."):
            continue
        if path.is_dir() and path.name not in known and _holds_yaml(path):
            name = path.relative_to(base).as_posix()
            problems.found.append(
                Problem(name, 1, 1, f"files in `{name}/` aren't read; move them up into `{folder.name}/`")
            )
        elif path.suffix in _ENDINGS and not path.is_dir():
            found.append(path)
        elif _looks_like_yaml(path) and not path.is_dir():
            told = f"`{path.name}` isn't read; end its name in `.yaml`"
            problems.found.append(Problem(path.relative_to(base).as_posix(), 1, 1, told))
    return found


def _look_around(folder: Path, problems: Problems) -> None:
    """Nothing that looks like a policy may lie where it isn't read."""
    if not (folder / Layer.ORGANISATION).is_dir():
        problems.found.append(
            Problem(str(folder), 1, 1, "there is no folder `organisation` in it; make one, even an empty one")
        )
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == Layer.ORGANISATION or path.name in _APART:
            continue
        if path.name == _TEAMS and path.is_dir():
            problems.found += [
                Problem(f"{_TEAMS}/{file.name}", 1, 1, f"a file here isn't read; move it into `{_TEAMS}/<name>/`")
                for file in sorted(path.iterdir())
                if _looks_like_yaml(file) and not file.is_dir()
            ]
        elif path.is_dir() and _holds_yaml(path):
            near = nearest(path.name, _FOLDERS)
            hint = f"did you mean `{near}/`" if near else f"there are {', '.join(f'`{name}/`' for name in _FOLDERS)}"
            problems.found.append(
                Problem(path.name, 1, 1, f"`{path.name}/` is no layer, its files aren't read; {hint}")
            )
        elif _looks_like_yaml(path):
            problems.found.append(Problem(path.name, 1, 1, "a file here isn't read; move it into `organisation/`"))


def _holds_yaml(folder: Path) -> bool:
    return any(_looks_like_yaml(path) for path in folder.rglob("*") if not path.is_dir())


def _looks_like_yaml(path: Path) -> bool:
    return path.suffix.lower() in _ENDINGS
