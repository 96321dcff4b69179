"""What a command may run besides, where nobody can tell: it speaks against a command, and proves nothing."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.effects import Deed
from lineclear.core.shell.found import in_place, told
from lineclear.core.shell.kinds import LANGUAGES, Kind
from lineclear.core.shell.languages.awk import awk_only_prints
from lineclear.core.shell.languages.sed import sed_only_prints
from lineclear.core.shell.scan import PIPE_PATH
from lineclear.core.shell.supposed import Supposed
from lineclear.core.shell.variables import runs
from lineclear.core.shell.words import HOLE, Word
from lineclear.core.shell.wrapped import Wrapped, script

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.effects import Touch
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.simple import Simple

MOST_CARRIED = 30
"""How many words from the first are looked at for a command that may begin there."""

_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_PARAMETER = re.compile(r"\"?\$\{?([@*]|[0-9]+)\}?\"?")
_SET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_PUT_IN = r"s{0}(?:[^{0}\\\n]|\\.)*{0}((?:[^{0}\\\n]|\\.)*){0}[0-9gpimI]*e"
_RUN_BY_SED = re.compile(
    "|".join([r"(?:^|[\d$/;{}\s!])e[ \t]+([^\n]+)", *(_PUT_IN.format(re.escape(letter)) for letter in "/|,#@:%")])
)
_TEXT_OF_AWK = re.compile(r'"([^"\\\n]+)"')
_SET_OFF = re.compile(r"[=:]")


class Guess(Enum):
    """What a command that is only suspected was made from."""

    NONE = "none"
    """It is certain."""
    WORDS = "words"
    """Words of the command that may run it, whose paths have been seen."""
    SCRIPT = "text"


class Heard(Struct, frozen=True):
    """What was printed before a command: ``texts``, of which ``last`` is the one before it if that one printed.

    ``touches`` are those of all that runs before it, ``supposed`` what variables may hold.
    """

    texts: Sequence[str] = ()
    last: str | None = None
    touches: Sequence[Touch] = ()
    supposed: Supposed = field(default_factory=Supposed)

    def given(self, command: Simple, kind: Kind) -> str | None:
        """What a command gets on its input, or in a substitution that it reads as a file, if that is known.

        Only a text that stands there itself is run: what was printed before is no more than a guess.
        """
        if command.stdin is not None or kind in {Kind.SHELL, Kind.CARRIED}:
            return command.stdin
        if any(word.shape == PIPE_PATH for word in command.words):
            return "\n".join(self.texts) or None
        return self.last

    def readings(self, words: Sequence[Word]) -> Iterable[Wrapped]:
        """The words with what was printed, and with the values of variables, in place of what can't be known."""
        return (Wrapped(tuple(made)) for made in self.supposed.readings(words, self.texts))

    def wrote(self, path: str) -> bool:
        """Whether a file was written before, as it is spelled."""
        name = path.removeprefix("./")
        return any(touch.deed is not Deed.READ and touch.spelled.removeprefix("./") == name for touch in self.touches)


def suspicions(reading: Reading, heard: Heard) -> Iterable[Wrapped]:
    """Everything of that kind."""
    if Kind.CARRIED in reading.kinds:
        yield from _carried_by(reading)
    if Kind.SHELL in reading.kinds:
        yield from _with_parameters(reading)
    if Kind.SHELL in reading.kinds or reading.binding.level.stdin is not None:
        yield from _from_input(reading, heard)
    if reading.placed.command:
        yield from _with_more(reading, heard)
    if reading.placed.command or reading.binding.bound or Kind.SHELL in reading.kinds:
        yield from _behind_words(reading)
    if any(HOLE in word.shape for word in reading.command.words):
        yield from heard.readings(reading.command.words)
        yield from _with_patterns(reading)
        yield from _with_found(reading)
    if reading.kinds & LANGUAGES:
        yield from _in_language(reading)
    yield from _put_into_variables(reading)
    if heard.texts:
        yield from _renamed(reading.command.words, heard)


def _in_language(reading: Reading) -> Iterable[Wrapped]:
    """What a script of sed or awk that does more than print may run: what stands behind ``e``, and each text."""
    for item in reading.given:
        text = item.word.shape
        if item.value.kind is Kind.SED and not sed_only_prints(text):
            yield from (script(match[match.lastindex or 0]) for match in _RUN_BY_SED.finditer(text))
        elif item.value.kind is Kind.AWK and not awk_only_prints(text):
            yield from (script(match[1]) for match in _TEXT_OF_AWK.finditer(text))


def suspicions_of_unknown(words: Sequence[Word], heard: Heard) -> Iterable[Wrapped]:
    """The same of a program that nobody described: its name may be words, or a file just written."""
    first = words[0].shape
    if HOLE in first:
        behind = " ".join(word.shape for word in words[1:])
        made = (f"{first.replace(HOLE, text)} {behind}" for text in (*heard.texts, " "))
        yield from (script(text) for text in made if text.replace(HOLE, "").strip())
    if any(HOLE in word.shape for word in words):
        yield from heard.readings(words)
    if heard.texts and heard.wrote(first):
        yield from (script(text) for text in heard.texts)
    if heard.texts:
        yield from _renamed(words, heard)


def _renamed(words: Sequence[Word], heard: Heard) -> Iterable[Wrapped]:
    """What a name may be short for: where it was given, it stands with its meaning in what was said."""
    first, behind = words[0].shape, " ".join(word.shape for word in words[1:])
    for text in heard.texts:
        if f"{first}=" in text:
            for definition in re.split(rf"(?:^| ){re.escape(first)}=", text)[1:]:
                yield script(f"{definition} {behind}")


def _with_found(reading: Reading) -> Iterable[Wrapped]:
    """The command with the names that are found in place of the words that stand for them, as far as they are told."""
    words, _ = in_place(reading.command.words, told(reading.command.known))
    if words != reading.command.words:
        yield Wrapped(tuple(words))


def _with_patterns(reading: Reading) -> Iterable[Wrapped]:
    """The command with the paths that a variable holds one after the other, where it may become several words."""
    words, patterns = reading.command.words, reading.command.scope.patterns
    for name in sorted(reading.command.names & patterns.keys()):
        spelled = (f"${name}", f"${{{name}}}")
        made = [
            Word(word.shape.replace(HOLE, patterns[name]), word.raw, glob=True)
            if HOLE in word.shape and any(text in word.raw for text in spelled)
            else word
            for word in words
        ]
        if made != words:
            yield Wrapped(tuple(made))


def _carried_by(reading: Reading) -> Iterable[Wrapped]:
    carried = [item for item in reading.given if item.value.kind is Kind.CARRIED]
    yield from carried_in([item.word for item in carried if not item.option])
    for item in carried:
        if item.option:
            value = _SET_OFF.split(item.word.shape, 1)[-1]
            yield from carried_in([item.word])
            yield script(value.lstrip("!"))
            yield script(f"{reading.command.words[0].shape} {value}")


def carried_in(words: Sequence[Word]) -> Iterable[Wrapped]:
    """Each command and each script that may begin in words of which nobody knows where it does."""
    for at, word in enumerate(words[:MOST_CARRIED]):
        if word.shape[:1] not in {"-", "+"}:
            yield Wrapped(tuple(words[at:]))
        for text in dict.fromkeys((word.shape, *_SET_OFF.split(word.shape, 1)[1:])):
            if " " in text.strip():
                yield script(text.lstrip("!"))


def _with_parameters(reading: Reading) -> Iterable[Wrapped]:
    """A script with the words behind it in place of its parameters, and as the rest of it."""
    scripts = [item for item in reading.given if item.value.kind is Kind.SHELL and not item.option]
    if len(scripts) != 1 or len(reading.binding.operands) < 2:  # noqa: PLR2004 - the script and a parameter
        return
    values = [word.shape for word in reading.binding.operands[1:]]

    def value(match: re.Match[str]) -> str:
        if match[1] in {"@", "*"}:
            return " ".join(values[1:])
        return values[int(match[1])] if int(match[1]) < len(values) else ""

    shape = scripts[0].word.shape
    if (text := _PARAMETER.sub(value, shape)) != shape:
        yield script(text)
    if shape.isalnum():  # the quotes that held them together may be lost on the way
        yield script(" ".join((shape, *values)))


def _from_input(reading: Reading, heard: Heard) -> Iterable[Wrapped]:
    """What a shell reads from its input, from a file that was just written, or from what another command prints."""
    given, takes = reading.command.stdin, reading.binding.level.stdin
    for item in reading.given:
        if item.value.kind is Kind.SHELL and HOLE in item.word.shape:
            yield from (script(item.word.shape.replace(HOLE, text)) for text in heard.texts)
    if takes not in {Kind.SHELL, Kind.CARRIED}:
        return
    texts = [] if given is None else [given]
    if _reads_input(reading) or _is_made_of(reading.binding.operands[0].shape, heard):
        texts += heard.texts
    for text in texts:
        if takes is Kind.SHELL:
            yield script(text)
        else:
            for line in text.splitlines():
                yield from carried_in([Word(word, word) for word in line.split()])


def _is_made_of(operand: str, heard: Heard) -> bool:
    """Whether a script may hold what was printed before."""
    return operand.startswith("/dev/fd/") or HOLE in operand or heard.wrote(operand)


def _reads_input(reading: Reading) -> bool:
    operands = reading.binding.operands
    asked = reading.binding.level.input or any(bound.spec.input for bound in reading.binding.bound)
    return asked or not operands or operands[0].shape in _INPUT


def _with_more(reading: Reading, heard: Heard) -> Iterable[Wrapped]:
    """A command with the words that it gets from its input, as far as they are known."""
    level, inner = reading.binding.level, reading.placed.command
    if not level.appends or not inner:
        return
    begun = [word for word in inner if word.shape in level.symbols]
    more = inner[inner.index(begun[0]) + 1 :] if begun else []
    own = inner[: inner.index(begun[0])] if begun else inner
    for text in (heard.last, reading.command.stdin):
        more = [*more, *(Word(word, word) for word in (text or "").split())]
    stands = _stands(reading)
    if not any(text in word.shape for word in own for text in stands):
        if more:
            yield Wrapped((*own, *more))
        return
    for value in [*more, *(Word(HOLE, "…") for _ in level.stands)]:
        words = [Word(_replaced(word.shape, stands, value.shape), word.raw) for word in own]
        if value.shape != HOLE or not any(bound.spec.replaces and bound.value for bound in reading.binding.bound):
            yield Wrapped(tuple(words))  # else it is what the command runs anyway
        if any(" " in word.shape for word in words):
            yield script(" ".join(word.shape for word in words))


def _stands(reading: Reading) -> tuple[str, ...]:
    """What stands for an input in the command."""
    own = (bound.value.shape for bound in reading.binding.bound if bound.spec.replaces and bound.value is not None)
    return (*own, *reading.binding.level.stands)


def _replaced(text: str, stands: Iterable[str], value: str) -> str:
    for stand in stands:
        if stand:
            text = text.replace(stand, value)
    return text


def _behind_words(reading: Reading) -> Iterable[Wrapped]:
    """Words of a wrapped command that the wrapper may take for options of its own, or the other way round."""
    level, words, inner = reading.binding.level, reading.command.words, reading.placed.command
    if inner and not level.options_first:
        yield Wrapped(tuple(words[words.index(inner[0]) :]))
    for option, value in pairwise(inner):
        spec = level.options.get(option.shape)
        if spec is not None and spec.value is not None and spec.value.kind is Kind.SHELL:
            yield script(value.shape)
    for bound in reading.binding.bound:
        if bound.spec.final and bound.value is not None:
            yield script(" ".join([bound.value.shape, *(word.shape for word in reading.binding.operands)]))
    scripts = [item.word for item in reading.given if item.value.kind is Kind.SHELL and not item.single]
    if len(scripts) > 1:
        yield from carried_in(scripts)


def _put_into_variables(reading: Reading) -> Iterable[Wrapped]:
    """What is put into variables whose values programs run."""
    pairs: list[tuple[str, str | None]] = list(reading.command.assigned)
    for item in reading.given:
        if not item.option and "=" in item.word.shape and _SET.match(item.word.shape):
            set_name, _, text = item.word.shape.partition("=")
            pairs.append((set_name.rstrip("+"), text))
    for name, value in pairs:
        if value and runs(name):
            yield script(value)
