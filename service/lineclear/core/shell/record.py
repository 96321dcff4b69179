"""What a text does is recorded: commands with their proofs, what they touch, what they run in turn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lineclear.core.call import Dialect
from lineclear.core.effects import Command, Deed, Doubt, Effects, Host, Proof, Touch
from lineclear.core.shell import proof, touching
from lineclear.core.shell.grammar import RESERVED
from lineclear.core.shell.kinds import CONDITIONS, Kind
from lineclear.core.shell.languages.condition import read_condition
from lineclear.core.shell.program import Outcome, See
from lineclear.core.shell.programs import in_system_folder
from lineclear.core.shell.scope import Scope
from lineclear.core.shell.simple import Simple
from lineclear.core.shell.slots import Given, place_operands
from lineclear.core.shell.variables import harmless, plain
from lineclear.core.shell.walk import MAX_DEPTH, Walker
from lineclear.core.shell.words import HOLE, Word
from lineclear.core.shell.wrapped import Wrapped, wrapped_by

if TYPE_CHECKING:
    from lineclear.core.call import Environment
    from lineclear.core.shell.bind import Binding
    from lineclear.core.shell.programs import Programs
    from lineclear.core.shell.simple import Redirect
    from lineclear.core.shell.slots import Placed

MAX_PARTS = 400
"""How many commands and touches one text may come to."""

_SEVERITY = {doubt: rank for rank, doubt in enumerate(Doubt)}


@dataclass(slots=True)
class Recorder:
    """Takes simple commands in the order in which they would run; the sink of every walker of one text."""

    environment: Environment
    programs: Programs
    dialect: Dialect
    commands: list[Command] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    hosts: list[Host] = field(default_factory=list)
    found: Doubt | None = None
    wrapper: int | None = None
    depth: int = 0
    recursive: bool = False
    inherited: tuple[str, ...] = ()
    loose: set[str] = field(default_factory=set)
    """Names that were set without a command behind them yet."""

    def effects(self, raw: str) -> Effects:
        """Everything that was found."""
        if not self.commands and not self.touches and not self.hosts and self.found is None:
            self.found = Doubt.EMPTY
        return Effects(
            commands=tuple(self.commands),
            touches=tuple(self.touches),
            hosts=tuple(self.hosts),
            doubt=self.found,
            raw=None if self.found is None else raw,
        )

    # The sink

    def full(self) -> bool:
        """Whether the limit of parts is reached."""
        if len(self.commands) + len(self.touches) > MAX_PARTS:
            self.doubt(Doubt.TOO_MANY_PARTS)
            return True
        return False

    def doubt(self, doubt: Doubt) -> None:
        """Keep the first doubt that was found."""
        if self.found is None:
            self.found = doubt

    def redirects(self, redirects: list[Redirect], scope: Scope, by: int | None = None) -> bool:
        """Record files that are opened; false where one of them connects or can't be known."""
        clear = True
        folders = touching.folders_of(scope)
        for redirect in redirects:
            word = redirect.target
            if word is None or HOLE in word.shape:
                clear = False
                word = Word(HOLE, redirect.raw)
            text = word.shape
            if redirect.operator in {">&", "<&"} and (
                text.isdigit() or text in {"-", ""} or text.rstrip("-").isdigit()
            ):
                continue
            if (host := touching.network_path(text)) is not None:
                self.hosts.append(Host(host, by=by))
                clear = False
                continue
            deed = _DEEDS.get(redirect.operator, Deed.OVERWRITE)
            found = touching.touch_word(word, deed, self.environment, folders, by=by, redirect=True)
            clear = clear and not any(self._unfit(touch) for touch in found)
            self.touches += found
        return clear

    def simple(self, command: Simple) -> None:
        """Record a simple command, and what it runs."""
        index = len(self.commands)
        words, scope = command.words, command.scope
        taints = [*self.inherited, *scope.tainted, *(name for name, _ in command.assigned if not harmless(name))]
        record = Command(
            index=index,
            words=tuple(words),
            text=command.text,
            proof=Proof.NONE,
            why="there are too many parts",
            cwd=scope.cwd,
            assignments=tuple(dict.fromkeys(taints)),
            wrapper=self.wrapper,
        )
        self.commands.append(record)
        if words[0].raw in RESERVED or (words[0].shape in RESERVED and self.wrapper is not None):
            self.doubt(Doubt.CONSTRUCT)
        if self.full():
            return
        clear = self.redirects(command.redirects, scope, index)
        if not clear and any(redirect.target is None for redirect in command.redirects):
            self.doubt(Doubt.CONSTRUCT)
        binding = self.programs.bind(words)
        if binding is None:
            self._unknown(record, scope)
            scope.forget()
            return
        placed = place_operands(binding)
        given = [
            *(Given(bound.spec.value, bound.value, option=True) for bound in binding.bound if _valued(bound)),  # type: ignore[arg-type]
            *placed.given,
        ]
        wrapped = wrapped_by(command, binding, placed, given, _narrowing(binding))
        record = self._judge(record, command, binding, placed, given, wrapped, clear=clear)
        self.commands[index] = record
        for inner in wrapped:
            self.run_wrapped(inner, index, scope)
        self._after(record, binding, placed, scope)

    def _moves(self, text: str) -> bool:
        return any(self.programs.moves(word) for word in set(_WORD.findall(text)))

    # Judging

    def _unknown(self, record: Command, scope: Scope) -> None:
        word = record.words[0]
        why = f"`{word.raw}` isn't a described program" if word.literal else "which program runs isn't known"
        self.commands[record.index] = replace(record, why=why)
        folders = touching.folders_of(scope)
        for other in record.words[1:]:
            if (url := touching.url_in(other)) is not None:
                self.hosts.append(Host(url, by=record.index))
            elif (path := touching.path_like(other)) is not None:
                self.touches += touching.touch_word(path, Deed.READ, self.environment, folders, by=record.index)

    def _judge(
        self,
        record: Command,
        command: Simple,
        binding: Binding,
        placed: Placed,
        given: list[Given],
        wrapped: list[Wrapped],
        *,
        clear: bool,
    ) -> Command:
        level, scope = binding.level, command.scope
        folders = touching.folders_of(scope)
        dry_run = any(bound.spec.dry_run for bound in binding.bound)
        recursive = any(bound.spec.recursive for bound in binding.bound) or self.recursive
        for item in given:
            if item.value.kind is Kind.FOLDER:
                folders = touching.enter(item.word, self.environment, folders)
        outcome = proof.outcome_of(binding, placed)
        before = len(self.touches)
        hosts = len(self.hosts)
        self._touch(record, binding, placed, given, folders, dry_run=dry_run, recursive=recursive, outcome=outcome)
        faults = proof.faults_of(binding, given, dry_run=dry_run) + placed.faults
        if not faults and len(self.hosts) > hosts:
            faults.append("it connects to a host")
        if not clear:
            faults.append("a redirect leads somewhere that isn't known")
        faults += self._surroundings(record, command, binding, folders)
        faults += [why for touch in self.touches[before:] if (why := self._unfit(touch))]
        transparent = level.see is not See.NOBODY and outcome is Outcome.READ and len(wrapped) == 1 and not faults
        verdict, why = self._verdict(
            outcome, faults, self.touches[before:], wrapped, transparent=transparent, binding=binding
        )
        return replace(
            record,
            proof=verdict,
            why=why,
            invocation=binding.invocation(),
            transparent=transparent and not record.assignments,
            ends=tuple(item.word.shape for item in given if item.value.kind is Kind.ENDED and item.word.literal),
        )

    def _verdict(
        self,
        outcome: Outcome,
        faults: list[str],
        touches: list[Touch],
        wrapped: list[Wrapped],
        *,
        transparent: bool,
        binding: Binding,
    ) -> tuple[Proof, str]:
        if faults:
            return Proof.NONE, faults[0]
        name = " ".join([binding.program.name, *binding.subcommand])
        if transparent and binding.level.see is See.ALL:
            return Proof.WRAPPER, ""
        wraps = binding.level.see is not See.NOBODY and (
            bool(wrapped) or all(bound.spec.outcome is not Outcome.READ for bound in binding.bound)
        )
        if outcome is Outcome.OTHER or wraps:
            return Proof.NONE, f"`{name}` isn't known to only read"
        writes = [touch for touch in touches if touch.deed is not Deed.READ and not touch.redirect]
        if not writes:
            return Proof.READ_ONLY, ""
        if outcome is Outcome.READ or self.recursive or any(touch.recursive for touch in touches):
            return Proof.NONE, f"`{name}` writes"
        if any(touch.glob or touch.place is None for touch in touches):
            return Proof.NONE, "a path isn't literal"
        return Proof.EDIT, ""

    def _surroundings(self, record: Command, command: Simple, binding: Binding, folders: touching.Folders) -> list[str]:
        faults: list[str] = []
        if not in_system_folder(record.words[0].shape):
            faults.append(f"`{record.words[0].shape}` isn't in a system folder")
        if record.assignments:
            faults.append(f"`{record.assignments[0]}` is set, which may change what runs")
        if (name := proof.shown_secret(command.names)) is not None:
            faults.append(f"the value of `{name}` may be a secret")
        if binding.level.trusted_repository and not proof.in_trusted_repository(self.environment, folders):
            faults.append("it obeys a repository that nobody vouched for")
        return faults

    def _unfit(self, touch: Touch) -> str | None:
        if touch.place is None:
            return f"which path `{touch.spelled}` is isn't known"
        if touch.place.adrift:
            return "the directory in which it runs isn't known"
        if any(proof.shows_process(view) for view in touch.place.views):
            return f"`{touch.spelled}` shows a process"
        return None

    def _touch(
        self,
        record: Command,
        binding: Binding,
        placed: Placed,
        given: list[Given],
        folders: touching.Folders,
        *,
        dry_run: bool,
        recursive: bool,
        outcome: Outcome,
    ) -> None:
        by = record.index
        narrowing = _narrowing(binding)
        for item in given:
            kind, word = item.value.kind, item.word
            if (host := touching.host_of(kind, word)) is not None:
                self.hosts.append(Host(host, by=by))
            for path, deed in touching.touches_of_kind(kind, word):
                wide = recursive or item.value.recursive
                if deed is not Deed.READ and dry_run:
                    continue
                if deed is not Deed.READ and wide and narrowing is not None and HOLE not in path.shape:
                    path = Word(f"{path.shape.rstrip('/') or '/'}/{narrowing}", path.raw, glob=True)  # noqa: PLW2901
                    wide = False
                self.touches += touching.touch_word(path, deed, self.environment, folders, by=by, recursive=wide)
        for kind in CONDITIONS:
            words = [item.word for item in given if item.value.kind is kind]
            for word in read_condition(words, doubled=kind is Kind.CONDITION) or ():
                self.touches += touching.touch_word(word, Deed.READ, self.environment, folders, by=by)
        self.touches += self._into(given, folders, by)
        if outcome is not Outcome.READ:
            implied = [*binding.level.writes, *placed.writes]
            for bound in binding.bound:
                implied += bound.spec.writes
            for path in implied:
                word = Word(path, path)
                self.touches += touching.touch_word(word, Deed.WRITE, self.environment, folders, by=by)
        for word in placed.left:
            if (path := touching.path_like(word)) is not None:
                self.touches += touching.touch_word(path, Deed.READ, self.environment, folders, by=by)

    def _into(self, given: list[Given], folders: touching.Folders, by: int) -> list[Touch]:
        """Where a target may be a folder, what is put into it keeps its name there."""
        targets = [item for item in given if item.value.kind is Kind.WRITE and item.value.into]
        sources = [
            item
            for item in given
            if Kind.READ is item.value.kind or item.value.kind is Kind.MOVE or item.value.kind is Kind.LINK
        ]
        found: list[Touch] = []
        for target in targets:
            for source in sources:
                if source.option or not target.word.literal or HOLE in source.word.shape:
                    continue
                name = source.word.shape.rstrip("/").rpartition("/")[2]
                if name in {"", ".", ".."} or target.word.shape.rstrip("/").endswith(name):
                    continue
                word = Word(f"{target.word.shape.rstrip('/')}/{name}", target.word.raw, glob=source.word.glob)
                found += touching.touch_word(word, Deed.WRITE, self.environment, folders, by=by)
        return found

    # What follows from a command

    def _after(self, record: Command, binding: Binding, placed: Placed, scope: Scope) -> None:
        for item in placed.given:
            kind, text = item.value.kind, item.word.text
            if kind is Kind.CHDIR:
                self._move(item.word, scope)
            elif kind is Kind.VARIABLE and text is not None:
                scope.assign(text, None)
                if not plain(text):
                    scope.taint(text)
            elif kind is Kind.ASSIGNMENT and text is not None and not placed.command:
                name, _, value = text.partition("=")
                scope.assign(name, value)
                if not harmless(name):
                    scope.taint(name)
        if record.proof is Proof.NONE and not binding.subcommand:
            scope.forget()

    def _move(self, word: Word, scope: Scope) -> None:
        if word.shape == "-":
            scope.move(None)
            return
        target = touching.enter(word, self.environment, (scope.cwd,))[0]
        scope.move(target)

    def walk(self, text: str, scope: Scope) -> None:
        """Walk a text and record what it holds."""
        Walker(text, self.dialect, self, self._moves, self.depth).run(scope)

    def run_wrapped(self, wrapped: Wrapped, index: int, scope: Scope) -> None:
        """Record what a wrapper runs."""
        if self.depth >= MAX_DEPTH // 3:
            self.doubt(Doubt.TOO_DEEP)
            return
        saved = self.wrapper, self.inherited, self.recursive
        self.wrapper = index
        self.depth += 1
        self.inherited = tuple(dict.fromkeys([*self.inherited, *wrapped.assigned]))
        self.recursive = self.recursive or wrapped.recursive
        inner = Scope(scope.cwd, scope.home, scope.others, {}, scope.tainted)
        if wrapped.script is not None:
            self.walk(wrapped.script, inner)
        elif wrapped.words:
            text = " ".join(word.raw for word in wrapped.words)
            self.simple(Simple(list(wrapped.words), text, inner, stdin=wrapped.stdin))
        self.depth -= 1
        self.wrapper, self.inherited, self.recursive = saved


_WORD = re.compile(r"[a-z]+")

_DEEDS = {
    ">": Deed.OVERWRITE,
    ">|": Deed.OVERWRITE,
    "&>": Deed.OVERWRITE,
    ">&": Deed.OVERWRITE,
    ">>": Deed.WRITE,
    "&>>": Deed.WRITE,
    "<": Deed.READ,
    "<&": Deed.READ,
}


def _valued(bound: object) -> bool:
    return getattr(bound, "value", None) is not None and bound.spec.value is not None  # type: ignore[attr-defined]


def _narrowing(binding: Binding) -> str | None:
    """The pattern that narrows the paths of a command to some of what they hold."""
    if any(option.name in binding.level.widening for option in binding.options):
        return None
    for bound in binding.bound:
        if bound.spec.narrows and bound.value is not None:
            pattern = bound.value.shape.lstrip("/")
            if pattern.strip("*?/.") and HOLE not in pattern:
                return pattern
    return None
