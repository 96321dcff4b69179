"""A command pattern means one simple command: widely for deny and ask rules, to the letter for allow rules.

The two readings never share code beyond the splitting: ``matches`` looks past what can't change the meaning (order of
options, global options, where a program lies), ``covers`` past nothing. Points 1 to 8 of the policy format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from lineclear.core.rules import covering, raw, understood
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import STAR, Glob
from lineclear.core.rules.spelling import base_name
from lineclear.core.rules.splitting import split
from lineclear.core.rules.understood import Reading
from lineclear.core.shell.special import may_be
from lineclear.core.shell.words import Word

if TYPE_CHECKING:
    from lineclear.core.effects import Command
    from lineclear.core.shell.programs import Programs

GAP = "\0"
"""Stands between words that are matched as one text; no word of a shell can hold it."""


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """A compiled pattern.

    ``words`` hold ``STAR`` where a wildcard stands; ``open`` says that any further words may follow. ``written`` is
    the whole as one text with ``GAP`` between the words; ``reading`` is what the program's description makes of it.
    ``chooses`` says that its wildcards let the caller choose what is executed.
    """

    text: str
    words: tuple[str, ...]
    open: bool
    written: Glob
    reading: Reading
    chooses: bool

    @staticmethod
    def parse(text: str, programs: Programs, *, strict: bool) -> CommandPattern:
        """Compile a pattern; ``strict`` for allow rules. Raises ``RuleFault``."""
        body = text.removesuffix(":*") if not text.endswith("\\:*") else text
        words = split(body, quoted_star=not strict)
        is_open = body != text
        if not is_open and len(words) > 1 and words[-1] == STAR:
            words.pop()
            is_open = True
        if not words or words == [""]:
            raise RuleFault(f"command pattern `{text}` is empty; name the tool alone to mean every command")
        stars = is_open or any(STAR in word for word in words)
        spelled = [word.replace(STAR, "*") for word in words]
        return CommandPattern(
            text=text,
            words=tuple(words),
            open=is_open,
            written=Glob.of(GAP.join(words), STAR),
            reading=Reading.of(words, is_open, programs),
            chooses=stars and programs.chooses([*spelled, "*"] if is_open else spelled),
        )

    @property
    def program(self) -> str | None:
        """The program's name as deny and ask rules compare it, None where a wildcard stands in it."""
        return None if STAR in self.words[0] else base_name(self.words[0])

    @property
    def anchor(self) -> str | None:
        """A literal word that every command that fits must hold behind its program, the most telling one; or None."""
        spine = self.reading.spine if self.reading.known else self.reading.plain
        words = [glob.literal for glob in spine if glob.literal]
        return words[-1] if words else None

    @property
    def subcommand(self) -> str | None:
        """The literal subcommand that every command that fits has, where the program's description knows it."""
        return self.reading.spine[0].literal if self.reading.fixed else None

    def matches(self, command: Command, programs: Programs) -> bool:
        """For deny and ask rules: whether any reading of the command is one that the pattern means."""
        if not command.words or command.words[0].text is None:
            return False
        first = command.words[0]
        if first.glob and self.program is not None and may_be(base_name(first.shape), self.program):
            named = (Word(self.program, first.raw), *command.words[1:])
            command = structs.replace(command, words=named, invocation=None)
        return self._as_written(command) or understood.matches(self.reading, command, programs)

    def possible(self, command: Command, programs: Programs) -> bool:
        """Whether it may match, because a word that can't be known stands where one of the pattern's words would."""
        return understood.possible(self.reading, command, programs)

    def covers(self, command: Command, home: str | None, programs: Programs) -> bool:
        """For allow rules: whether the command is, to the letter, one that the pattern means.

        ``home`` is the directory in which the call runs: the only one where a relative program is the one meant.
        """
        return covering.covers(self, command, home, programs)

    def matches_raw(self, text: str) -> str | None:
        """For deny and ask rules on a text that can't be parsed: the line in which its literal words come in order."""
        return raw.line(self.words, text)

    def fits(self, text: str) -> bool:
        """Whether words, joined by ``GAP``, are those of the pattern."""
        if self.written.matches(text):
            return True
        return self.open and Glob((*self.written.pieces[:-1], self.written.pieces[-1] + GAP, "")).matches(text)

    def _as_written(self, command: Command) -> bool:
        first, *others = (word.shape for word in command.words)
        given = [first, base_name(first)] if self.program is None else [self.words[0]]
        if self.program is not None and base_name(first) != self.program:
            return False
        return any(self.fits(GAP.join((name, *others))) for name in given)
