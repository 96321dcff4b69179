"""A program of which no option does harm has no other options than those that somebody looked at.

A word that nobody knows may turn out to be any option of such a program, also one that its description doesn't list.
"""

from __future__ import annotations

import re

import pytest

from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.program import Freedom, Outcome

LONG = re.compile(r"(?<![\w\[-])(--[a-z][A-Za-z0-9-]+)")
SHORT = re.compile(r"^\s+(-[A-Za-z0-9])\b", re.MULTILINE)
PRINTING = frozenset(
    {Kind.TEXT, Kind.NUMBER, Kind.NAME, Kind.CHOICE, Kind.FIELDS, Kind.FORMAT, Kind.READ, Kind.GLOB},
)

LOOKED_AT = {
    "cksum": "--debug",
    "column": "--table-columns-limit --table-name --table-noextreme --table-noheadings --table-order --table-truncate"
    " --table-wrap --tree --tree-id --tree-parent -E -O -T -W -d -i -l -p -r",
    "cut": "-M",
    "df": "-v",
    "dir": "--dired",
    "hexyl": "-h",
    "ls": "--dired",
    "numfmt": "--debug --delimiter --field --from-unit --grouping --header --invalid --round --to-unit"
    " --zero-terminated -M -d -z",
    "pgrep": "--cgroup --ignore-ancestors -A",
    "pr": "--columns --date-format --expand-tabs --first-line-number --help --join-lines --no-file-warnings"
    " --number-lines --output-tabs --page-width --pages --sep-string --separator --show-control-chars"
    " --show-nonprinting --version -D -J -N -S -W -c -e -i -n -r -s -v",
    "shasum": "-0 -U -h -v",
    "sum": "--sysv",
    "tsort": "--help --version",
    "vdir": "--dired",
}
"""Options that aren't described, by the manual: each only changes what is printed, or which process is meant."""


def free(programs):
    """The names of programs of which no option does harm."""
    return sorted(name for name in programs.names if programs.get(name).level.freedom is not Freedom.NONE)


def test_each_option_that_is_described_only_reads(programs):
    for name in free(programs):
        level = programs.get(name).level
        assert not level.subcommands, name
        for option, spec in level.options.items():
            assert spec.outcome in {None, Outcome.READ}, (name, option)
            assert spec.value is None or spec.value.kind in PRINTING, (name, option)
            assert not spec.writes, (name, option)


def test_each_option_of_the_installed_program_was_looked_at(programs, help_of):
    unseen, seen = {}, 0
    for name in free(programs):
        text = help_of(name)
        if text is None:
            continue
        known = {*programs.get(name).level.options, *LOOKED_AT.get(name, "").split()}
        found = {*LONG.findall(text), *SHORT.findall(text)}
        seen += bool(found)
        if found - known:
            unseen[name] = sorted(found - known)
    if not seen:
        pytest.skip("none of these programs is installed here, or none tells its options")
    assert unseen == {}
