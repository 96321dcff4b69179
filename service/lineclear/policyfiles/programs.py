"""``programs``: descriptions of programs, the built-in ones and the organisation's, which replace them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.shell import describe
from lineclear.core.shell.programs import Programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.shell.program import Program
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


def programs(described: Iterable[Program], sources: Sequence[Source], problems: Problems) -> Programs:
    """All programs: those ``described`` beneath, and those of the sources, whose examples are tried."""
    written = read(sources, problems)
    found = Programs.of([*described, *(one for one, _, _ in written)])
    for one, node, file in written:
        with problems.of(file):
            for message in describe.check_examples(one, found):
                raise node.fault(f"program `{one.name}`: {message}")
    return found


def read(sources: Iterable[Source], problems: Problems) -> list[tuple[Program, Node, str]]:
    """The descriptions of some files, each with its place."""
    found: list[tuple[Program, Node, str]] = []
    named: dict[str, str] = {}
    for source in sources:
        if (section := source.entries.get("programs")) is None:
            continue
        with problems.of(source.file):
            for node in section.items("`programs`"):
                with problems.of(source.file):
                    one = _program(node)
                    place = f"{source.file}:{node.line}"
                    if (earlier := named.setdefault(one.name, place)) != place:
                        raise node.fault(f"program `{one.name}` is described here and in {earlier}; keep one of them")
                    found.append((one, node, source.file))
    return found


def _program(node: Node) -> Program:
    mapping = {key: value.plain() for key, value in node.entries("a program").items()}
    try:
        return describe.program(mapping)
    except describe.DescriptionError as error:
        name = f"program `{mapping['name']}`: " if isinstance(mapping.get("name"), str) else ""
        raise node.below_fault((*error.path, error.key), f"{name}{error}") from error
