"""A command as its description reads it: everything that proofs, touches and wrapped commands are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, structs

from lineclear.core.call import Dialect
from lineclear.core.shell.kinds import ENTERED, Kind
from lineclear.core.shell.pathwords import enter, folders_of, path_like
from lineclear.core.shell.program import Outcome, Value
from lineclear.core.shell.slots import Given, place_operands
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from lineclear.core.call import Environment
    from lineclear.core.shell.bind import Binding
    from lineclear.core.shell.pathwords import Folders
    from lineclear.core.shell.simple import Simple
    from lineclear.core.shell.slots import Placed


class Reading(Struct, frozen=True):
    """A command of a described program.

    ``given`` are all words that are for something, and ``kinds`` for what there is one at least; ``folders`` are the
    directories in which its paths are read.
    ``narrowing`` is the pattern that what it does to its paths is limited to, None where it is all they hold.
    """

    command: Simple
    binding: Binding
    placed: Placed
    given: tuple[Given, ...]
    kinds: frozenset[Kind]
    folders: Folders
    outcome: Outcome
    narrowing: str | None
    dry_run: bool
    recursive: bool
    evaluates: bool
    """Whether the shell may take a text for a sum, where one of its own commands is given a number."""

    @property
    def ended(self) -> tuple[str, ...]:
        """Names of the processes and services that it would end or stop, as far as they are literal."""
        if Kind.ENDED not in self.kinds:
            return ()
        return tuple(item.word.shape for item in self.given if item.value.kind is Kind.ENDED and item.word.literal)


def read_command(
    command: Simple, binding: Binding, environment: Environment, *, recursive: bool, dialect: Dialect
) -> Reading:
    """Read a command. ``recursive`` says that whoever runs it runs it for all that its paths hold."""
    placed = place_operands(binding)
    outcome = _outcome(binding, placed)
    valued = [
        _doubted(Given(bound.spec.value, bound.value, option=True), bound.spec.outcome)
        for bound in binding.bound
        if bound.spec.value is not None and bound.value is not None
    ]
    given = (*valued, *[_doubted(item, outcome) for item in placed.given])
    kinds = frozenset([item.value.kind for item in given])
    folders = folders_of(command.scope)
    for item in given if kinds & ENTERED else ():
        if item.value.kind is Kind.FOLDER:
            folders = enter(item.word, environment, folders)
        elif item.value.kind is Kind.WORKPLACE:
            folders = tuple(dict.fromkeys((*folders, *enter(item.word, environment, folders))))
    return Reading(
        command=command,
        binding=binding,
        placed=placed,
        given=given,
        kinds=kinds,
        folders=folders,
        outcome=outcome,
        narrowing=_narrowing(binding),
        dry_run=outcome is not Outcome.OTHER and any(bound.spec.dry_run for bound in binding.bound),
        recursive=recursive or any(bound.spec.recursive for bound in binding.bound),
        evaluates=dialect is not Dialect.BASH,
    )


def _doubted(item: Given, outcome: Outcome | None) -> Given:
    """A text that looks like a path may be one, where what is given does more than read or edit what it describes."""
    if item.value.kind is not Kind.TEXT or outcome is not Outcome.OTHER or not path_like(item.word):
        return item
    return structs.replace(item, value=Value(Kind.ANY))


def _outcome(binding: Binding, placed: Placed) -> Outcome:
    """What it amounts to by its description, whatever its words are."""
    level = binding.level
    outcome = level.outcome
    if level.bare is not None and not binding.operands:
        outcome = level.bare
    if not binding.bound and not placed.outcomes:
        return outcome
    specs = [bound.spec for bound in binding.bound]
    if any(spec.dry_run or spec.outcome is Outcome.READ for spec in specs):
        outcome = Outcome.READ
    for worse in [*(spec.outcome for spec in specs), *placed.outcomes]:
        if worse is not None:
            outcome = Outcome.worst(outcome, worse)
    return outcome


def _narrowing(binding: Binding) -> str | None:
    if binding.level.widening and any(option.name in binding.level.widening for option in binding.options):
        return None
    for bound in binding.bound:
        if bound.spec.narrows and bound.value is not None and HOLE not in bound.value.shape:
            pattern = bound.value.shape.lstrip("/")
            if pattern.strip("*?/."):
                return pattern
    return None
