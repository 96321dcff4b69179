"""What a condition sees of a call: plain values under the names that it may use, and of these only what it reads.

What can't be known isn't made up: a condition that reads it fails.
"""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from lineclear.core.effects import Access, Proof
from lineclear.core.paths.locate import inside
from lineclear.core.rules.domains import address
from lineclear.core.rules.spelling import base_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lineclear.core.facts import Facts


class Unknown(Exception):
    """A part of the call that the condition reads can't be told."""


def view(facts: Facts, fields: Mapping[str, frozenset[str] | None], *, words: bool) -> dict[str, object]:
    """The values of some names, each with the fields that are wanted or, for None, all of them.

    ``words`` says that the words of commands are read. Raises ``Unknown``.
    """
    found: dict[str, object] = {}
    for name, wanted in fields.items():
        if name == "context":
            found[name] = dict(facts.call.context)
        elif name == "now":
            found[name] = moment(facts)
        elif (record := _RECORDS.get(name)) is not None:
            chosen = record.items() if wanted is None else ((field, record[field]) for field in wanted)
            found[name] = {field: value(facts) for field, value in chosen}
            if name == "call" and words and (wanted is None or "commands" in wanted):
                _all_words_known(facts)
    return found


def servers(facts: Facts) -> tuple[str | None, ...]:
    """Every server that the tool's name may mean; None for a tool that belongs to none."""
    return tuple(dict.fromkeys(server for server, _ in facts.tool.splits)) or (None,)


def moment(facts: Facts) -> datetime:
    """When the call is decided; where only the day is told, its beginning, UTC."""
    return facts.now or datetime.combine(facts.today, time(), UTC)


def _commands(facts: Facts) -> list[dict[str, object]]:
    _structure_known(facts)
    found: list[dict[str, object]] = []
    for command in facts.effects.commands:
        if not command.words or not command.words[0].literal:
            raise Unknown("a command's program isn't known")
        words = [word.shape for word in command.words]
        read_only = command.proof in {Proof.READ_ONLY, Proof.WRAPPER}
        found.append({"program": base_name(words[0]), "words": words, "read_only": read_only})
    return found


def _all_words_known(facts: Facts) -> None:
    if not all(word.literal for command in facts.effects.commands for word in command.words):
        raise Unknown("a word of a command isn't known")


def _paths(facts: Facts) -> list[dict[str, object]]:
    _structure_known(facts)
    environment = facts.call.environment
    found: list[dict[str, object]] = []
    for touch in facts.effects.touches:
        if touch.place is None:
            raise Unknown("a path isn't known")
        access = touch.deed.access
        within = inside(touch.place, environment, writing=access is Access.WRITE)
        found += [{"path": path, "access": access.value, "inside_workspace": within} for path in touch.place.views]
    return found


def _hosts(facts: Facts) -> list[str]:
    _structure_known(facts)
    found = []
    for host in facts.effects.hosts:
        where = address(host.url)
        if where is None:
            raise Unknown("a host isn't known")
        found.append(where.host)
    return found


def _structure_known(facts: Facts) -> None:
    if facts.effects.doubt is not None:
        raise Unknown("what the text would do can't be told")


_RECORDS: dict[str, dict[str, Callable[[Facts], object]]] = {
    "call": {
        "tool": lambda facts: facts.tool.name,
        "kind": lambda facts: facts.tool.kind.value,
        "source": lambda facts: facts.tool.source.value,
        "server": lambda facts: servers(facts)[0],
        "input": lambda facts: dict(facts.call.tool_input),
        "commands": _commands,
        "paths": _paths,
        "hosts": _hosts,
    },
    "principal": {
        "id": lambda facts: facts.call.principal.id,
        "groups": lambda facts: sorted(facts.call.principal.groups),
    },
    "agent": {
        "host": lambda facts: facts.call.agent.host,
        "id": lambda facts: facts.call.agent.id,
        "type": lambda facts: facts.call.agent.type,
        "async": lambda facts: facts.call.agent.is_async,
        "main": lambda facts: facts.call.agent.main,
    },
    "session": {
        "id": lambda facts: facts.call.session_id,
        "mode": lambda facts: facts.call.mode.value,
        "consecutive": lambda facts: facts.standing.breaker.consecutive,
        "total": lambda facts: facts.standing.breaker.total,
        "age": lambda facts: facts.age,
    },
    "environment": {
        "cwd": lambda facts: facts.call.environment.cwd,
        "workspace_roots": lambda facts: _listed(facts.call.environment.roots),
        "home": lambda facts: facts.call.environment.home,
        "platform": lambda facts: facts.call.environment.platform.value,
        "shell": lambda facts: facts.call.environment.dialect.value,
        "repository_trusted": lambda facts: facts.call.environment.repository_trusted,
    },
}


def _listed(values: Iterable[str] | None) -> list[str] | None:
    return None if values is None else list(values)
