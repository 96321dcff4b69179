"""What in a command's words speaks against a proof: each fault names the word that stopped it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.shell.kinds import CONDITIONS, CONNECTS, DEEDS, REMOTES, Kind
from lineclear.core.shell.languages.awk import awk_only_prints
from lineclear.core.shell.languages.condition import read_condition
from lineclear.core.shell.languages.formats import format_fits
from lineclear.core.shell.languages.jq import jq_only_prints
from lineclear.core.shell.languages.sed import sed_only_prints
from lineclear.core.shell.optionnames import could_be_option
from lineclear.core.shell.program import Freedom, Value
from lineclear.core.shell.variables import harmless, plain, unread
from lineclear.core.shell.words import HOLE
from lineclear.core.shell.wrapped import FIRST_PARAMETER

if TYPE_CHECKING:
    from collections.abc import Callable

    from lineclear.core.shell.program import Level
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.slots import Given

_NAME = re.compile(r"[A-Za-z0-9_.+/@%:-]*")
_NUMBER = re.compile(r"[-+]?\.?[0-9][-+0-9A-Za-z.,:%]*|%[-+%0-9]?|inf(?:inity)?|all")
"""A count, a size, a time, a job; another word may be options (`tree -Lo`), or a name (zsh's `read -n PATH`)."""
_NO_OPTION = re.compile(r"[0-9A-Za-z]+")
_OWN_NAME = re.compile(r"\$\{?0")
_QUOTES = re.compile(r"['\\`]|<<|\$\(|_0")
"""What may make of a parameter's name a text, or something else."""

_BETWEEN_FIELDS = re.compile(r"[,\s]+")
_BEHIND_FIELD = re.compile(r"[:=].*")

_ANY_TEXT = Value(Kind.TEXT)

_UNKNOWN = "isn't known, and could"

_VALIDATORS: dict[Kind, Callable[[str], bool]] = {
    Kind.SED: sed_only_prints,
    Kind.AWK: awk_only_prints,
    Kind.JQ: jq_only_prints,
}

_MISFIT = "isn't known to be harmless there"
_MISFITS = {
    **dict.fromkeys([*_VALIDATORS, Kind.FORMAT], "isn't known to only print"),
    Kind.NUMBER: "isn't a number",
    Kind.ASSIGNMENT: "sets a name that isn't known to be harmless",
    Kind.CHOICE: "isn't among the values that are described",
    Kind.FIELDS: "isn't made of the names that are described",
}


def faults_of(reading: Reading) -> list[str]:
    """Everything in the words that speaks against a proof."""
    binding = reading.binding
    faults = list(binding.faults)
    faults += [
        f"`{_short(word.raw)}` {'could' if HOLE not in word.shape else _UNKNOWN} be an option"
        for word in binding.operands[: binding.plain]
        if could_be_option(word, binding.level)
    ]
    if binding.level.refuses:
        faults += [
            f"`{_short(word.raw)}` begins like something else than an operand or a value"
            for word in (*binding.operands, *(bound.value for bound in binding.bound if bound.value is not None))
            if word.torn or word.shape.startswith(binding.level.refuses)
        ]
    if Kind.SHELL in reading.kinds and len(binding.operands) > 1:
        scripts = [item.word.shape for item in reading.given if item.value.kind is Kind.SHELL]
        faults += ["what its script does with `$0` isn't known" for text in scripts if _own_name_hidden(text)]
    if binding.level.options_first and binding.operands and binding.operands[0].several:
        faults.append(f"`{_short(binding.operands[0].raw)}` may be nothing, and what follows an option")
    alone = [bound.spec for bound in binding.bound if bound.spec.alone]
    if alone:
        names = {name for bound in binding.bound for name in bound.spec.names}
        faults += [
            f"option `{spec.name}` may mean something else beside `{min(names & spec.alone)}`"
            for spec in alone
            if names & spec.alone
        ]
    for kind in CONDITIONS & reading.kinds:
        words = [item.word for item in reading.given if item.value.kind is kind]
        if read_condition(words, doubled=kind is Kind.CONDITION, evaluates=reading.evaluates) is None:
            faults.append("the condition isn't one that only looks")
    faults += [fault for item in reading.given if (fault := _fault(item, reading)) is not None]
    return faults + reading.placed.faults


def _own_name_hidden(text: str) -> bool:
    """Whether a script may use `$0` otherwise than as a parameter that stands there as it is."""
    return len(_OWN_NAME.findall(text)) != len(FIRST_PARAMETER.findall(text)) or bool(
        _OWN_NAME.search(text) and _QUOTES.search(text)
    )


def _fault(given: Given, reading: Reading) -> str | None:
    kind, word, level = given.value.kind, given.word, reading.binding.level
    if kind in CONNECTS and not (kind in REMOTES and word.literal and ":" not in word.shape):
        return f"`{_short(word.raw)}` is connected to"
    if kind is Kind.CODE:
        return f"`{_short(word.raw)}` is code that runs"
    if kind is Kind.CARRIED:
        return f"a command may begin at `{_short(word.raw)}`"
    if kind is Kind.CHDIR or kind in CONDITIONS:
        return None
    if HOLE in word.shape:
        harmless = kind is Kind.TEXT and (word.quoted or (level.only_texts and not given.option))
        return None if harmless else f"the value of `{_short(word.raw)}` isn't known"
    if word.glob or word.several:
        several = not given.single or (word.quoted and not word.several)
        fine = several and (kind in DEEDS or kind is Kind.GLOB or given.value == _ANY_TEXT)
        fine = fine and not any(part in word.shape for part in given.value.without)
        # What stands for what a command prints may be nothing: then an option takes the next word for its value.
        followed = not given.option if word.several else word.raw == word.shape
        if not fine and given.value == _ANY_TEXT and followed:
            spreads = level.only_texts or (reading.placed.spreads and not level.subcommands)
            fine = spreads and not could_be_option(word, level)
        return None if fine else f"`{_short(word.raw)}` may become several words"
    if kind is Kind.FORMAT:
        texts = [item.word for item in reading.given if not item.option and item.value.kind is Kind.TEXT]
        fits = format_fits(word.shape, texts, evaluates=reading.evaluates)
        return None if fits else f"`{_short(word.shape)}` {_MISFITS[kind]}"
    if not _fits(given.value, word.shape) and not _passed_over(given.value, word.shape, level):
        return f"`{_short(word.shape)}` {_MISFITS.get(kind, _MISFIT)}"
    if given.value.ends and not word.shape.endswith(given.value.ends):
        return f"`{_short(word.shape)}` doesn't end in `{'` or `'.join(given.value.ends)}`"
    return None


def _fits(value: Value, text: str) -> bool:
    kind = value.kind
    if any(part in text for part in value.without):
        return False
    if kind in _VALIDATORS:
        return _VALIDATORS[kind](text)
    if kind is Kind.NAME:
        return _NAME.fullmatch(text) is not None
    if kind is Kind.NUMBER:
        return _NUMBER.fullmatch(text) is not None
    if kind is Kind.VARIABLE:
        return plain(text) or unread(text)
    if kind is Kind.ASSIGNMENT:
        name, _, content = text.partition("=")
        return harmless(name, content)
    if kind is Kind.CHOICE:
        return text in value.words or any(text.startswith(begin) for begin in value.begins)
    if kind is Kind.FIELDS:
        return all(_BEHIND_FIELD.sub("", field) in value.words for field in _BETWEEN_FIELDS.split(text))
    return True


def _passed_over(value: Value, text: str, level: Level) -> bool:
    """Whether a word that is no number makes a program fail that does no harm, whatever it is told."""
    return value.kind is Kind.NUMBER and level.freedom is not Freedom.NONE and _NO_OPTION.fullmatch(text) is not None


def _short(text: str) -> str:
    text = text.replace(HOLE, "…")
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - a reason is one line
