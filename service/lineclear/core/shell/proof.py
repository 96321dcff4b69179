"""The proof: a command is harmless only if every word of it is accounted for. Each fault says what stopped it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.paths.locate import inside, locate
from lineclear.core.shell.bind import could_be_option
from lineclear.core.shell.kinds import CONDITIONS, CONNECTS, DEEDS, REMOTES, Kind
from lineclear.core.shell.languages.awk import awk_only_prints
from lineclear.core.shell.languages.condition import read_condition
from lineclear.core.shell.languages.jq import jq_only_prints
from lineclear.core.shell.languages.sed import sed_only_prints
from lineclear.core.shell.program import Outcome
from lineclear.core.shell.variables import harmless, identifier, plain, secret
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lineclear.core.call import Environment
    from lineclear.core.shell.bind import Binding
    from lineclear.core.shell.slots import Given, Placed

_NAME = re.compile(r"[A-Za-z0-9_.+/@%:-]*")
_NUMBER = re.compile(r"[-+]?[0-9][0-9A-Za-z.,:%+-]*|[0-9A-Za-z.,+-]*")
_PROCESS = re.compile(r"/proc/(?:[^/]+/)+(?:environ|mem|root|cwd|fd|task|map_files)(?:/|$)|/proc/kcore")

_VALIDATORS: dict[Kind, Callable[[str], bool]] = {
    Kind.SED: sed_only_prints,
    Kind.AWK: awk_only_prints,
    Kind.JQ: jq_only_prints,
}


def outcome_of(binding: Binding, placed: Placed) -> Outcome:
    """What the command amounts to by its description, whatever its words are."""
    level = binding.level
    outcome = level.outcome
    if level.bare is not None and not binding.operands:
        outcome = level.bare
    specs = [bound.spec for bound in binding.bound]
    if any(spec.dry_run or spec.outcome is Outcome.READ for spec in specs):
        outcome = Outcome.READ
    for worse in [*(spec.outcome for spec in specs), *placed.outcomes]:
        if worse is not None:
            outcome = Outcome.worst(outcome, worse)
    return outcome


def faults_of(binding: Binding, given: Iterable[Given], *, dry_run: bool) -> list[str]:
    """What in the words speaks against a proof."""
    faults = list(binding.faults)
    for word in binding.operands[: binding.plain]:
        if could_be_option(word, binding.level.freedom):
            faults.append(f"`{word.raw}` could be an option")
    given = list(given)
    for kind in CONDITIONS & {item.value.kind for item in given}:
        words = [item.word for item in given if item.value.kind is kind]
        if read_condition(words, doubled=kind is Kind.CONDITION) is None:
            faults.append("the condition isn't one that only looks")
    faults.extend(fault for item in given if (fault := value_fault(item, dry_run=dry_run)))
    return faults


def value_fault(given: Given, *, dry_run: bool) -> str | None:
    """Why a word may not stand where it does, None if it may."""
    kind, word = given.value.kind, given.word
    if kind in CONNECTS and not (kind in REMOTES and word.literal and ":" not in word.shape):
        return f"`{word.raw}` is connected to"
    if kind is Kind.CODE:
        return f"`{_short(word.raw)}` is code that runs"
    if kind is Kind.CHDIR or kind in CONDITIONS:
        return None
    if HOLE in word.shape:
        if kind is Kind.TEXT and word.quoted:
            return None
        return f"the value of `{_short(word.raw)}` isn't known"
    if word.glob:
        if kind in DEEDS and not given.single:
            return None
        if kind is Kind.TEXT and not given.single:
            return None
        if word.quoted:
            return None
        return f"`{_short(word.raw)}` may become several words"
    return _literal_fault(given, word.shape, dry_run=dry_run)


def _literal_fault(given: Given, text: str, *, dry_run: bool) -> str | None:
    value = given.value
    kind = value.kind
    fine = True
    if kind in _VALIDATORS:
        fine = _VALIDATORS[kind](text)
    elif kind is Kind.NAME:
        fine = _NAME.fullmatch(text) is not None
    elif kind is Kind.NUMBER:
        fine = _NUMBER.fullmatch(text) is not None
    elif kind is Kind.VARIABLE:
        fine = plain(text)
    elif kind is Kind.ASSIGNMENT:
        fine = harmless(text.partition("=")[0])
    elif kind is Kind.CHOICE:
        fine = text in value.words or any(text.startswith(begin) for begin in value.begins)
    return None if fine or dry_run else f"`{_short(text)}` isn't known to be harmless there"


def shown_secret(names: Iterable[str]) -> str | None:
    """The first variable whose name looks as if its value should not be shown."""
    return next((name for name in sorted(names) if secret(name) or not (identifier(name) or name.isdigit())), None)


def shows_process(path: str) -> bool:
    """Whether reading a path shows the environment or the memory of a process, or leads out of the file system."""
    return path.startswith("/proc/") and _PROCESS.match(path) is not None


def in_trusted_repository(environment: Environment, folders: Iterable[str | None]) -> bool:
    """Whether a program that obeys the repository's configuration finds the one that was vouched for.

    That is where the call starts, or a workspace root: any folder below may be made to look like a repository.
    """
    if not environment.repository_trusted:
        return False
    starts = {locate(start, environment, None).lexical for start in environment.roots or ()}
    starts.add(environment.cwd if environment.cwd is not None else ".")
    starts.add(locate(".", environment, environment.cwd or ".").lexical)
    return all(
        folder is not None
        and locate(folder, environment, None).lexical in starts
        and inside(locate(".", environment, folder), environment, writing=False)
        for folder in folders
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - a reason is one line
