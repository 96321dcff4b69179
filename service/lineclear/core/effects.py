"""What a call would do, in parts: the commands it runs, the paths it touches, the hosts it connects to.

One vocabulary for shell commands, file tools, fetch tools and tools that nobody knows. Rules, protected paths,
critical paths and proofs all read it; nothing else looks at a tool's arguments.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from lineclear.core.paths.place import Place
    from lineclear.core.shell.invocation import Invocation
    from lineclear.core.shell.words import Word


class Access(StrEnum):
    """How a path is touched, for rules and protected paths."""

    READ = "read"
    WRITE = "write"


class Deed(StrEnum):
    """What is done to a path; finer than an access, because destruction is judged by effect."""

    READ = "read"
    WRITE = "write"
    OVERWRITE = "overwrite"
    REMOVE = "remove"
    MOVE = "move"

    @property
    def access(self) -> Access:
        """The access that rules name: everything but reading is writing."""
        return Access.READ if self is Deed.READ else Access.WRITE


class Touch(Struct, frozen=True):
    """One path, and what is done to it.

    ``place`` is None where the path can't be known (an unresolved word). ``glob`` says that the spelled path is a
    pattern that the shell expands. ``by`` is the index of the command that touches it, None for other tools.
    ``supposed`` says that nobody knows what the word is for: it may be no path at all.
    """

    spelled: str
    place: Place | None
    deed: Deed
    recursive: bool = False
    glob: bool = False
    redirect: bool = False
    by: int | None = None
    supposed: bool = False


class Host(Struct, frozen=True):
    """A host that is connected to, as a URL argument or a shell word names it.

    ``url`` is the text that names it (``https://x.y/z``, ``x.y:80``, ``git@x.y:r``); ``fetch`` is true where it is
    the argument of a fetch tool, the only place that an allow rule may cover.
    """

    url: str
    fetch: bool = False
    by: int | None = None


class Proof(Enum):
    """What the analysis knows of one command."""

    READ_ONLY = "read_only"
    EDIT = "edit"
    """Its only effects are its write touches, all on literal paths."""
    WRAPPER = "wrapper"
    """A transparent wrapper: it is as harmless as what it runs, and its parts are commands of their own."""
    NONE = "none"


class Command(Struct, frozen=True):
    """One simple command, after the shell's own reading of its words.

    ``words`` begins with the program and holds no assignment. ``invocation`` is what the program's description makes
    of the words, None where the program isn't known. ``wrapper`` is the index of the command that runs this one with
    words of its own (``sudo x``, ``xargs x``, ``sh -c 'x'``), None for what the text itself names, substitutions too.
    """

    index: int
    words: tuple[Word, ...]
    text: str
    proof: Proof
    why: str
    """Why it is not proven, for people; empty where it is."""
    cwd: str | None
    """Directory in which it runs: absolute, relative to an unknown one (``.``, ``src``), or None if unknown."""
    assignments: tuple[str, ...] = ()
    """Names that are set for it and are not on the list of harmless ones."""
    invocation: Invocation | None = None
    wrapper: int | None = None
    transparent: bool = False
    """Whether allow rules look past it (``timeout 60 npm test``), with literal arguments."""
    guessed: bool = False
    """Whether nobody can tell if it runs: it speaks against what runs it, and for nothing."""
    ends: tuple[str, ...] = ()
    """Names of the processes and services that it would end or stop, as far as they are literal."""


class Doubt(StrEnum):
    """Why the structure of a text can't be told. Each is *can't say*, which nothing but a person or a model settles."""

    PARSE_ERROR = "parse_error"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_MANY_PARTS = "too_many_parts"
    TOO_DEEP = "too_deep"
    DIALECT = "dialect"
    CONSTRUCT = "construct"


class Effects(Struct, frozen=True):
    """Everything that a call would do, as far as it can be told.

    ``doubt`` is set where the structure can't be told; the other fields hold what was found all the same. ``raw`` is
    the text on which deny and ask rules are tried besides: then, and where what a command may run can't be told.
    ``unread`` is the piece that isn't followed, for people; empty where that is the whole, or where there is none.
    """

    commands: tuple[Command, ...] = ()
    touches: tuple[Touch, ...] = ()
    hosts: tuple[Host, ...] = ()
    doubt: Doubt | None = None
    raw: str | None = None
    unread: str = ""

    @property
    def read_only(self) -> bool:
        """Whether it is proven that the commands only read: never true without a command."""
        return (
            self.doubt is None
            and bool(self.commands)
            and all(command.proof in {Proof.READ_ONLY, Proof.WRAPPER} for command in self.commands)
            and all(touch.deed is Deed.READ for touch in self.touches)
        )
