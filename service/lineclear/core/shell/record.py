"""What a text does is recorded: commands with their proofs, what they touch, what they run in turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from lineclear.core.effects import Command, Deed, Doubt, Effects, Host, Proof, Touch
from lineclear.core.shell.found import found_by, held
from lineclear.core.shell.grammar import RESERVED
from lineclear.core.shell.judging import Question, judge
from lineclear.core.shell.leaving import leave
from lineclear.core.shell.opening import open_file
from lineclear.core.shell.pathwords import folders_of, touch_word
from lineclear.core.shell.plainwords import plain_words
from lineclear.core.shell.programs import MAX_FITTED, in_system_folder
from lineclear.core.shell.said import Said, said_by
from lineclear.core.shell.scope import Scope
from lineclear.core.shell.simple import MAX_TOUCHES, MAX_WORDS, Simple
from lineclear.core.shell.special import reaches_processes
from lineclear.core.shell.supposed import MAX_DEPTH, Supposed
from lineclear.core.shell.suspicion import Guess, Heard, suspicions, suspicions_of_unknown
from lineclear.core.shell.touches import hosts_of, undescribed, urls_in
from lineclear.core.shell.variables import harmless
from lineclear.core.shell.walk import Walker
from lineclear.core.shell.words import HOLE, Word
from lineclear.core.shell.wrapped import Wrapped, behind_assignments, suspected

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.call import Dialect, Environment
    from lineclear.core.shell.found import FoundNames
    from lineclear.core.shell.pathwords import Folders
    from lineclear.core.shell.programs import Programs
    from lineclear.core.shell.simple import Redirect

MAX_COMMANDS = 200
"""How many commands one text may hold."""

MAX_READ = 20_000
"""How many characters a text and the scripts in it may have, each as often as it runs."""

MAX_WRAPPERS = 8
"""How many wrappers may stand before one command."""

_WORD = re.compile(r"[a-z]+")


class Recorder(Struct):
    """Takes simple commands in the order in which they would run; the sink of every walker of one text."""

    environment: Environment
    programs: Programs
    dialect: Dialect
    commands: list[Command] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    hosts: list[Host] = field(default_factory=list)
    said: Said = field(default_factory=Said)
    supposed: Supposed = field(default_factory=Supposed)
    guessing: Guess = Guess.NONE
    suspecting: int = 0
    """How many guesses stand on one another."""
    unsure: bool = False
    """Whether what a command may run besides can't be read, so that deny and ask rules need the raw text."""
    found: tuple[Doubt, str] | None = None
    words: int = 0
    fitted: int = 0
    read: int = 0
    wrapper: int | None = None
    depth: int = 0
    recursive: bool = False
    """Whether what is recorded runs for all that its paths hold."""
    inherited: tuple[str, ...] = ()
    """Names that a wrapper sets for what it runs."""

    def effects(self, raw: str) -> Effects:
        """Everything that was found."""
        if not self.commands and not self.touches and not self.hosts:
            self.doubt(Doubt.EMPTY)
        doubt, unread = self.found or (None, "")
        text = raw if self.unsure or doubt is not None else None
        return Effects(tuple(self.commands), tuple(self.touches), tuple(self.hosts), doubt, text, unread)

    def walk(self, text: str, scope: Scope) -> None:
        """Walk a text and record what it holds."""
        self.read += len(text)
        if self.read > MAX_READ:
            self.doubt(Doubt.TOO_MANY_PARTS)
            return
        words = plain_words(text)
        if words is None:
            Walker(text, self.dialect, self, self.depth).run(scope)
        elif not self.full():
            self.simple(Simple(words, text, scope, known=dict(held(scope.names))))
        if scope.tainted and self.commands:
            last = self.commands[-1]
            names = tuple(dict.fromkeys((*last.assignments, *scope.tainted)))
            if names != last.assignments and last.proof is not Proof.NONE:
                why = f"`{names[-1]}` is set, which may change what runs"
                self.commands[-1] = structs.replace(
                    last, assignments=names, proof=Proof.NONE, why=why, transparent=False
                )

    # What a walker finds

    def full(self) -> bool:
        """Whether the limit of parts is reached."""
        if len(self.commands) > MAX_COMMANDS or len(self.touches) > MAX_TOUCHES or self.words > MAX_WORDS:
            self.doubt(Doubt.TOO_MANY_PARTS)
            return True
        return False

    def doubt(self, doubt: Doubt, unread: str = "") -> None:
        """Keep the first doubt that was found."""
        self.found = self.found or (doubt, unread)

    def moves(self, text: str) -> bool:
        """Whether a text may hold a command that changes the directory."""
        return any(self.programs.moves(word) for word in set(_WORD.findall(text)))

    def suppose(self, assignment: str) -> None:
        """Take note of what an assignment may put into a variable, as it is spelled."""
        self.supposed.assign(assignment, self.said.texts)

    def hear(self, text: str) -> None:
        """Take note of a text that several commands have for their input."""
        self.said.keep(len(self.commands) - 1, text)

    def tells_folder(self, text: str) -> bool:
        """Whether a text is a command that prints the directory in which it runs, and nothing else."""
        return self.programs.tells_folder(text.strip(" \t"))

    def redirects(self, redirects: list[Redirect], scope: Scope, by: int | None = None) -> bool:
        """Record files that are opened; false where one of them connects or can't be known."""
        if not redirects:
            return True
        if by is None and self.commands:
            by = len(self.commands) - 1
        clear = True
        for redirect in redirects:
            if self.full():
                return False
            opened = open_file(redirect, scope, self.environment, by)
            if not opened.readable:
                self.doubt(Doubt.CONSTRUCT, redirect.operator + redirect.raw)
            clear = clear and opened.clear
            self.touches += opened.touches
            self.hosts += [] if opened.host is None else [opened.host]
            if not opened.clear:
                for text in self.supposed.texts(redirect.raw, self.said.texts):
                    supposed = structs.replace(redirect, target=Word(text, redirect.raw))
                    self.touches += open_file(supposed, scope, self.environment, by).touches
        return clear

    def simple(self, command: Simple) -> FoundNames | None:
        """Record a simple command, and what it runs; the names that it prints."""
        words, scope = command.words, command.scope
        taints = [*self.inherited, *scope.tainted, *(name for name, to in command.assigned if not harmless(name, to))]
        record = Command(
            index=len(self.commands),
            words=tuple(words),
            text=command.text,
            proof=Proof.NONE,
            why="there are too many parts",
            cwd=scope.cwd,
            assignments=tuple(dict.fromkeys(taints)),
            wrapper=self.wrapper,
            guessed=self.guessing is not Guess.NONE,
        )
        self.commands.append(record)
        self.words += len(words) if self.guessing is not Guess.WORDS else 0
        if words[0].raw in RESERVED or (words[0].shape in RESERVED and self.wrapper is not None):
            self.doubt(Doubt.CONSTRUCT, command.text)
            self._run(Wrapped(tuple(words[1:])), record.index, folders_of(scope), scope)
        if self.full():
            return None
        first = len(self.touches)
        clear = self.redirects(command.redirects, scope, record.index)
        if "/" in words[0].shape and not in_system_folder(words[0].shape):  # what runs is read
            self.touches += touch_word(words[0], Deed.READ, self.environment, folders_of(scope), by=record.index)
        heard = self._heard(record.index, scope.spelled(command.names))
        binding = self.programs.bind(words)
        if binding is None:
            self._unknown(record, heard, scope)
            return None
        if binding.level.stdin is not None:
            command.stdin = heard.given(command, binding.level.stdin)
        opened = self.touches[first:]
        question = Question(command, record, opened, clear, self.recursive, self.dialect)
        judged = judge(question, binding, self.environment, self.programs)
        reading = judged.reading
        self.touches += judged.touches
        self.full()
        self.hosts += hosts_of(reading, record.index)
        self.commands[record.index] = structs.replace(
            record,
            proof=judged.proof,
            why=judged.why,
            invocation=binding.invocation(),
            transparent=judged.transparent,
            ends=reading.ended,
        )
        self.said.keep(record.index, said_by(reading, heard.last))
        for inner in (*judged.wrapped, *suspected(reading, self.programs)):
            ran = self._run(inner, record.index, reading.folders, scope)
            if binding.level.same_shell and ran is not None:
                scope.follow(ran)
        self._suspect(suspicions(reading, heard), record.index, reading.folders, scope)
        if judged.proof is Proof.WRAPPER and not judged.transparent:
            self._only_as_proven(record.index)
        leave(reading, scope, self.environment, self.said, self.supposed, proven=judged.proof is not Proof.NONE)
        reads = judged.proof is Proof.READ_ONLY and bool(binding.level.tells)
        told = reads and not reaches_processes(reading, judged.touches)
        return found_by(reading) if told else None

    def _only_as_proven(self, index: int) -> None:
        """A wrapper that no allow rule looks past is proven only if what it runs is."""
        inside = [inner for inner in self.commands[index + 1 :] if not inner.guessed]
        if any(inner.proof not in {Proof.READ_ONLY, Proof.WRAPPER} for inner in inside):
            why = "what it runs isn't proven"
            self.commands[index] = structs.replace(self.commands[index], proof=Proof.NONE, why=why)

    def _heard(self, index: int, values: Sequence[str] = ()) -> Heard:
        """What was printed and written before a command, and the values of the variables in it."""
        supposed = self.supposed if self.suspecting < MAX_DEPTH else Supposed()
        return Heard([*self.said.texts, *values], self.said.before(index), self.touches, supposed)

    def _unknown(self, record: Command, heard: Heard, scope: Scope) -> None:
        """A program that nobody described: it may have set any variable, and what looks like a path it touches.

        Where its word isn't known and may be nothing at all, the next one is the program.
        """
        first, *others = record.words
        why = f"`{first.raw}` isn't a described program" if first.literal else "which program runs isn't known"
        self.commands[record.index] = structs.replace(record, why=why)
        if self.guessing is not Guess.WORDS:  # else they are the words of a command whose paths have been seen
            self.hosts += urls_in(others, record.index)
            self.touches += undescribed(others, self.environment, folders_of(scope), record.index)
            self.full()
        scope.forget()
        self._suspect(suspicions_of_unknown(record.words, heard), record.index, folders_of(scope), scope)
        if first.glob:
            self._suspect(self._fitting(first, others), record.index, folders_of(scope), scope)
        if HOLE in first.shape and not first.quoted and any(word.shape != HOLE for word in others):
            self._run(Wrapped(tuple(others)), record.index, folders_of(scope), scope)

    def _fitting(self, first: Word, others: Sequence[Word]) -> Iterable[Wrapped]:
        """The programs that a pattern of file names may become where a program stands."""
        self.fitted += 1
        if self.fitted > MAX_FITTED:
            self.doubt(Doubt.TOO_MANY_PARTS)
            return ()
        return (Wrapped((Word(name, first.raw), *others)) for name in self.programs.fitting(first.shape))

    def _suspect(self, found: Iterable[Wrapped], index: int, folders: Folders, scope: Scope) -> None:
        """Record what a command may run besides. That it can't be read is no doubt about what is certain."""
        saved = self.found, self.guessing
        self.suspecting += 1
        for wrapped in found:
            if self.full():
                break
            self.guessing = Guess.WORDS if wrapped.words else Guess.SCRIPT
            self.found = None
            self._run(wrapped, index, folders, scope)
            self.unsure = self.unsure or self.found is not None
        self.found, self.guessing = saved
        self.suspecting -= 1
        self.full()

    # What follows from a command

    def _run(self, wrapped: Wrapped, index: int, folders: Folders, scope: Scope) -> Scope | None:
        """Record what a wrapper runs, in the directories that it goes to; the state in which that ends."""
        if self.depth >= MAX_WRAPPERS:
            self.doubt(Doubt.TOO_DEEP)
            return None
        saved = self.wrapper, self.inherited, self.recursive, self.dialect
        self.wrapper = index
        self.depth += 1
        self.inherited = tuple(dict.fromkeys([*self.inherited, *wrapped.assigned]))
        self.recursive = self.recursive or wrapped.recursive
        self.dialect = wrapped.dialect or self.dialect
        if wrapped.elsewhere:
            folders = (None,)
        inner = Scope(folders[0], scope.home, folders[1:], tainted=scope.tainted)
        if wrapped.script is not None:
            wrapped.tell(inner)
            self.walk(wrapped.script, inner)
        elif wrapped.words:
            names, words = behind_assignments(wrapped.words)
            self.inherited = tuple(dict.fromkeys([*self.inherited, *names]))
            text = " ".join(word.raw for word in words)
            self.simple(Simple(words, text, inner, stdin=wrapped.stdin, known=wrapped.known, named=wrapped.named))
        self.depth -= 1
        self.wrapper, self.inherited, self.recursive, self.dialect = saved
        return inner
