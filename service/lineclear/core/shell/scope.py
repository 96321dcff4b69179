"""What a shell knows while it goes through a text: where it is, and which values its variables have."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from lineclear.core.shell.sums import is_sum, number
from lineclear.core.shell.variables import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lineclear.core.shell.found import Handed

_Value = TypeVar("_Value")

_MOST_FOLDERS = 3
_LONGEST = 1_000
"""How many characters a value may have that is kept: a few doublings of a longer one would fill any memory."""


class Scope(Struct):
    """One shell's state; a subshell has a copy.

    ``cwd`` is as in ``Command.cwd``; ``others`` are the directories in which it may be just as well, because a change
    may have failed. ``values`` holds variables whose value is known, ``patterns``
    those that hold one path that fits a pattern, ``names`` those that hold a name that was found.
    ``numbers`` are variables that hold a number which isn't known, ``counts`` those that may hold nothing instead.
    ``tainted`` are names that were set and may change what later commands do. ``likely`` is the directory to which a
    change led of which only a part is known, and ``before`` the one before the last change: they prove nothing.
    """

    cwd: str | None
    home: str | None
    others: tuple[str | None, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    names: dict[str, Handed] = field(default_factory=dict)
    tainted: tuple[str, ...] = ()
    numbers: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    likely: str | None = None
    before: str | None = None

    def copy(self) -> Scope:
        """The state of a subshell when it begins."""
        return Scope(
            self.cwd,
            self.home,
            self.others,
            dict(self.values),
            dict(self.patterns),
            dict(self.names),
            self.tainted,
            self.numbers,
            self.counts,
            self.likely,
            self.before,
        )

    def value(self, name: str) -> str | None:
        """What a variable holds, None where it can't be known."""
        if name in self.values:
            return self.values[name]
        if name == "HOME":
            return self.home
        return self.folder if name == "PWD" else None

    def spelled(self, names: Iterable[str]) -> list[str]:
        """The values that are known of some variables; where the shell takes words apart elsewhere, at blanks too."""
        values = [value for name in sorted(names) if (value := self.value(name)) is not None]
        apart = self.values.get("IFS", "")
        return [*values, *(value.translate(dict.fromkeys(map(ord, apart), " ")) for value in values if apart)]

    def pattern(self, word: str) -> str | None:
        """The pattern that the value fits of a word that is a variable and nothing else; None where none is known."""
        return self.patterns.get(word[2:-1] if word.startswith("${") else word[1:]) if word.startswith("$") else None

    @property
    def folder(self) -> str | None:
        """The directory in which it certainly is, None where that can't be known."""
        return self.cwd if not self.others and self.cwd is not None and self.cwd.startswith("/") else None

    def forget(self, numbers: frozenset[str] = frozenset()) -> None:
        """Something ran that may have set any variable; those of ``numbers`` hold a number even so."""
        self.values = {}
        self.patterns = {}
        self.names = {}
        self.numbers = numbers
        self.counts = frozenset()

    @property
    def counted(self) -> frozenset[str]:
        """The variables that hold a number, known or not."""
        return self.numbers | {name for name, value in self.values.items() if number(value) is not None}

    def _is_number(self, name: str) -> bool:
        return name in self.numbers or number(self.values.get(name)) is not None

    def assign(self, name: str, value: str | None) -> None:
        """A variable was set, to a value that is known or not."""
        self.patterns.pop(name, None)
        self.names.pop(name, None)
        if self.numbers or self.counts:
            self.numbers -= {name}
            self.counts -= {name}
        if value is None or len(value) > _LONGEST:
            self.values.pop(name, None)
        else:
            self.values[name] = value
        if name == "HOME":
            self.home = value
        elif name == "OLDPWD":
            self.before = value

    def count(self, name: str, text: str, handed: Mapping[str, Handed]) -> None:
        """Take note that a variable holds a number, if what it was set to is a sum or a command that prints one."""
        if is_sum(text):
            self.numbers |= {name}
        elif text in handed and handed[text].count:
            self.counts |= {name}

    def set(self, assigned: Iterable[tuple[str, str | None]]) -> None:
        """Variables were set by the shell itself, for all that follows."""
        for name, value in assigned:
            self.assign(name, value)
            if not plain(name):
                self.taint(name)

    def _bound(self) -> None:
        """So many possible directories are as good as none that is known."""
        if len(self.others) > _MOST_FOLDERS:
            self.likely = self.goal
            self.cwd, self.others = None, ()

    def taint(self, name: str) -> None:
        """A variable was set that may change what later commands do."""
        if name not in self.tainted:
            self.tainted += (name,)

    @property
    def goal(self) -> str | None:
        """Where it is if all went well, as far as that is known."""
        return self.cwd if self.cwd is not None else self.likely

    def move(self, target: str | None, likely: str | None = None) -> None:
        """The shell tried to change its directory; the old one stays possible until somebody looks at the outcome.

        ``likely`` is the directory as far as it is known, where the ``target`` isn't.
        """
        self.before = self.goal
        if self.cwd not in self.others:
            self.others += (self.cwd,)
        self.cwd, self.likely = target, likely
        self._bound()

    def follow(self, inner: Scope) -> None:
        """What ran in this very shell may have changed its directory."""
        if inner.goal != self.goal:
            self.move(inner.cwd, inner.likely)
        self.others += tuple(place for place in inner.others if place not in {self.cwd, *self.others})
        self._bound()

    def doubt_values(self, branch: Scope) -> None:
        """Forget what variables hold otherwise than in a branch, which may have been taken or not."""
        values = _common(self.values, branch.values)
        if self.numbers or len(values) < len(self.values):
            others = self.numbers.union(self.values.keys() - values.keys())
            self.numbers = frozenset(name for name in others if self._is_number(name) and branch._is_number(name))
        self.values = values
        self.counts = self.counts & branch.counts if self.counts else self.counts
        self.patterns = _common(self.patterns, branch.patterns)
        self.names = _common(self.names, branch.names)

    def merge(self, branch: Scope) -> None:
        """A branch may have been taken, or not: what differs isn't known any more."""
        for place in (branch.cwd, *branch.others):
            if place != self.cwd and place not in self.others:
                self.others += (place,)
        if branch.likely is not None:
            self.likely = branch.likely
        self.doubt_values(branch)
        self._bound()
        if branch.home != self.home:
            self.home = None
        for name in branch.tainted:
            self.taint(name)


def _common(one: dict[str, _Value], other: dict[str, _Value]) -> dict[str, _Value]:
    """What both say of the same names."""
    return {name: value for name, value in one.items() if other.get(name) == value} if one else one
