"""What a value means to a program: the closed vocabulary in which options and operands are described."""

from __future__ import annotations

from enum import StrEnum

from lineclear.core.effects import Deed


class Kind(StrEnum):
    """What an option's value or an operand is for."""

    TEXT = "text"
    """Any text: no value of it matters. Among the operands of a program that does more than read or edit, what looks
    like a path may still be one."""
    FORMAT = "format"
    """What is printed, with places for the words that follow."""
    NUMBER = "number"
    NAME = "name"
    """A plain name without subscript: of a command, a type, a field."""
    CHOICE = "choice"
    """One of a few words, or a word with one of a few beginnings."""
    FIELDS = "fields"
    """Some of a few names with commas or blanks between; a width or a title may follow each (``pid,user:20,args=``)."""
    VARIABLE = "variable"
    """The name of a shell variable that is set."""
    ASSIGNMENT = "assignment"
    """``NAME=value``, put into the environment."""
    READ = "read"
    WRITE = "write"
    OVERWRITE = "overwrite"
    REMOVE = "remove"
    MOVE = "move"
    LINK = "link"
    """A path that gets a second name: whoever has that name reads and writes it."""
    TREE = "tree"
    """A path, or a revision, or a path in a revision (``HEAD:src/a.py``)."""
    RESTORED = "restored"
    """A path that is put back as it was, or a revision, or another name."""
    ANY = "any"
    """What nobody described: each path in it may be read or written, behind ``=``, ``:``, ``,`` or ``@`` too."""
    GLOB = "glob"
    """A pattern of names, read by the program itself: what fits is read; behind an exclamation mark, left out."""
    SENT = "sent"
    """A text, or behind an ``@`` a file that is read (``@body.json``, ``part=@a.txt;type=…``)."""
    REPORT = "report"
    """A text in which ``%output{FILE}`` names a file that is written; behind an ``@`` stands one that is read."""
    PATCH = "patch_text"
    """The body of a patch, which names the files that it changes."""
    FOLDER = "folder"
    """A directory that the rest of the command is about (``-C dir``)."""
    WORKPLACE = "workplace"
    """A directory in which the rest of the command writes: what it names may lie there, or where it runs."""
    CHDIR = "chdir"
    """The directory into which the shell itself goes."""
    ENDED = "ended"
    """The name of a process or service that is ended."""
    HOST = "host"
    URL = "url"
    REROUTED = "rerouted"
    """``HOST:PORT:OTHER:PORT``: what is meant for the first goes to the other one."""
    REMOTE = "remote"
    """``host:path``, a URL, or else a local path that is read."""
    REMOTE_TARGET = "remote_target"
    """The same, but a local path is written."""
    REMOTE_REMOVED = "remote_removed"
    """The same, but what a local path holds is removed."""
    REMOTE_ARCHIVE = "remote_archive"
    """The same, but a local path is read or written, as other options say."""
    SHELL = "shell"
    """A script of the shell; several words are joined by blanks."""
    SED = "sed"
    AWK = "awk"
    JQ = "jq"
    TEST = "test"
    """The words of a condition, whose operators are words like any other."""
    CONDITION = "condition"
    """The words of a condition, whose operators are the shell's own."""
    CODE = "code"
    """A program in a language of which nothing is known here."""
    COMMAND = "command"
    """The words of another command."""
    CARRIED = "carried"
    """Words among which another command, or a script, begins, and nobody knows where."""


DEEDS: dict[Kind, tuple[Deed, ...]] = {
    Kind.READ: (Deed.READ,),
    Kind.TREE: (Deed.READ,),
    Kind.FOLDER: (Deed.READ,),
    Kind.WORKPLACE: (Deed.READ, Deed.WRITE),
    Kind.WRITE: (Deed.WRITE,),
    Kind.RESTORED: (Deed.WRITE,),
    Kind.OVERWRITE: (Deed.OVERWRITE,),
    Kind.REMOVE: (Deed.REMOVE,),
    Kind.MOVE: (Deed.MOVE,),
    Kind.LINK: (Deed.READ, Deed.WRITE),
    Kind.REMOTE: (Deed.READ,),
    Kind.REMOTE_TARGET: (Deed.WRITE,),
    Kind.REMOTE_REMOVED: (Deed.WRITE, Deed.REMOVE),
    Kind.REMOTE_ARCHIVE: (Deed.READ, Deed.WRITE),
}
"""What is done to the path of each kind that is one."""

REMOTES = frozenset({Kind.REMOTE, Kind.REMOTE_TARGET, Kind.REMOTE_REMOVED, Kind.REMOTE_ARCHIVE})
CONNECTS = frozenset({Kind.HOST, Kind.URL, Kind.REROUTED}) | REMOTES
ENTERED = frozenset({Kind.FOLDER, Kind.WORKPLACE})
"""Directories that are themselves looked for where the command runs."""
CONDITIONS = frozenset({Kind.TEST, Kind.CONDITION})
LANGUAGES = frozenset({Kind.SED, Kind.AWK, Kind.JQ})
RUNS = frozenset({Kind.SHELL, Kind.COMMAND, Kind.CARRIED, Kind.CODE})
"""Kinds of which every value is executed."""
CHOOSES = RUNS | {Kind.SED, Kind.AWK}
"""Kinds through which the caller chooses what is executed: some scripts only print, others start programs."""
