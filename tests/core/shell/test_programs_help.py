"""What an option takes by its description is what the installed program's own help says it takes.

It matters both ways: an option that only takes its value attached would hide the word behind it, and so would one that
takes the next word although the description doesn't say so.
"""

from __future__ import annotations

import re
import shutil
from itertools import product

import pytest

from core.shell.conftest import PATH
from lineclear.core.shell.program import Form

OPTION = re.compile(r"(?<![\w\[-])(--[a-z][A-Za-z0-9-]+)(\[=[^\]]*\]|=[^\s,]+| <[^>]+>|(?= {2}|$))", re.MULTILINE)
"""A long option and what it takes: attached at will, needed, or nothing (two blanks or the line's end follow)."""

NEEDS, ATTACHED, NOTHING = "a value", "a value at most attached", "nothing"

REVIEWED = {
    ("cp", "--update"): "newer versions take an attached word",
    ("mv", "--update"): "newer versions take an attached word",
    ("du", "--time"): "the help has it twice, the second time with a word attached",
    ("sort", "--check"): "the help has it three times, twice with a word attached",
    ("lsipc", "--output"): "the others of the entry need the value; none of them has operands that matter",
    ("objdump", "--disassemble"): "alone it means every section",
    **dict.fromkeys(
        product(("awk", "gawk", "nawk"), ("--field-separator", "--assign")),
        "another awk passes over the option, and takes the next word for its program",
    ),
    **dict.fromkeys(
        product(("pkg-config", "pkgconf"), ("--atleast-version", "--exact-version", "--max-version")),
        "its manual says that each needs a version",
    ),
    ("curl", "--help"): "the category may be left out",
    ("fzf", "--listen"): "newer versions need no value; never proven either way",
}
"""Where the help alone misleads, with the reason."""

COMMANDS = frozenset({"dpkg", "dpkg-query"})
"""Programs whose help writes the operands of a command as if the option took them."""


def helped(programs, analysed):
    """The names of installed programs whose help is proven to only print."""
    for name in sorted(programs.names):
        if name in COMMANDS or programs.get(name).level.subcommands or not shutil.which(name, path=PATH):
            continue
        if analysed(f"{name} --help").read_only:
            yield name


def taken(text):
    """What each long option takes by a help text, as often as it says so."""
    found = {}
    for option, value in OPTION.findall(text):
        kind = NOTHING if not value else ATTACHED if value.startswith("[") else NEEDS
        found.setdefault(option, set()).add(kind)
    return found


def described(spec):
    """What an option takes by its description."""
    if spec.value is None:
        return NOTHING
    return ATTACHED if spec.form is Form.OPTIONAL else NEEDS


def test_options_take_what_the_program_says(programs, analysed, help_of):
    wrong, seen = [], 0
    for name in helped(programs, analysed):
        said = taken(help_of(name) or "")
        if not any(NEEDS in kinds for kinds in said.values()):
            continue  # this help doesn't write values in any of the ways that are understood here
        for option, spec in programs.get(name).level.options.items():
            if option in said and (name, option) not in REVIEWED:
                seen += 1
                if described(spec) not in said[option]:
                    wrong.append(f"{name} {option}: described with {described(spec)}, its help says {said[option]}")
    if not seen:
        pytest.skip("none of the described programs is installed here")
    assert wrong == []
