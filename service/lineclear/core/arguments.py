"""What a tool's arguments would do: by the catalogue where it knows them, by their looks where nobody does."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import ada_url
from msgspec import structs

from lineclear.core import patches
from lineclear.core.call import Dialect
from lineclear.core.effects import Deed, Doubt, Effects, Host, Touch
from lineclear.core.paths.locate import locate
from lineclear.core.pointers import strings_in, values_at
from lineclear.core.searching import MOST, searched
from lineclear.core.shell.analysis import analyse
from lineclear.core.tools import Kind, Use
from lineclear.core.unlisted import unlisted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON, Call
    from lineclear.core.shell.programs import Programs
    from lineclear.core.tools import Argument, Tool

MAX_TOKEN = 4096
"""Longest string, in characters, that can be a path or a URL (PATH_MAX on Linux)."""

MAX_STRINGS = 2000
"""Different strings of one input that are looked at; with more, what the tool would do can't be said."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s<>\"'`]+")
_URL_BEGINS = re.compile(r"(?:https?|wss?|ftp):|[A-Za-z][A-Za-z0-9+.-]*:(?=//)", re.IGNORECASE)
_TRIMMED = "".join(map(chr, range(0x21)))
_LOOKED_PAST = dict.fromkeys(map(ord, "\t\r\n"))
_ANCHORED = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\]")
_PUNCTUATION = ".,;:!?)]}"
_WILDCARDS = frozenset("*?[{")
_DIALECTS = frozenset(dialect.value for dialect in Dialect)
_OFF = (None, False, "", "false")
_COMMAND_KEYS = frozenset({"command", "cmd", "commands", "script", "shell", "shell_command", "bash", "exec"})


class InputFault(ValueError):
    """The input doesn't fit the tool: a required argument is missing, or one holds what it can't."""


def declared(tool: Tool, call: Call, programs: Programs) -> Effects:
    """The effects of a tool whose arguments are known; raises ``InputFault`` where the input doesn't fit.

    What none of them speaks for is judged by its looks, as all of the input is where nobody described the tool.
    """
    effects = _NOTHING
    for argument in tool.arguments:
        values = [value for value in values_at(call.tool_input, argument.pointer) if value is not None]
        if argument.required and not values:
            raise InputFault(f"`{argument.pointer}` is missing")
        for value in values:
            effects = _joined(effects, _effect(tool, argument, value, call, programs))
    if tool.kind is Kind.SEARCH:
        effects = _joined(effects, _searched(effects, call))
    return _joined(effects, _by_looks(unlisted(call.tool_input, tool.arguments), call, programs))


def _searched(found: Effects, call: Call) -> Effects:
    """What a search reads besides: each of its patterns below its folder."""
    names = searched([touch.spelled for touch in found.touches])
    if names is None:
        raise InputFault(f"it searches for more than {MOST} patterns; search in pieces")
    return Effects(touches=tuple(structs.replace(_touch(name, Deed.READ, call), glob=True) for name in names))


def guessed(call: Call, programs: Programs) -> Effects:
    """The effects of a tool that nobody described: each string that looks like a path, a URL or a command is one.

    Paths count as written. A command is read for what deny and ask rules, protected and critical paths find in it;
    a text that isn't one is no doubt about the tool.
    """
    return _by_looks(strings_in(call.tool_input), call, programs)


def _by_looks(found_strings: Iterator[tuple[str, str]], call: Call, programs: Programs) -> Effects:
    effects = _NOTHING
    strings = dict.fromkeys(islice(found_strings, MAX_STRINGS + 1))
    if len(strings) > MAX_STRINGS:
        return Effects(doubt=Doubt.TOO_MANY_PARTS)
    for key, text in strings:
        if key.lower() in _COMMAND_KEYS:
            found = analyse(text, call.environment, programs)
            effects = _joined(effects, structs.replace(found, doubt=None, raw=None))
        if is_url(text):
            effects = _joined(effects, Effects(hosts=(Host(text.strip(_TRIMMED)),)))
        elif len(text) > MAX_TOKEN or not text.strip():
            continue
        elif looks_like_a_path(text):
            effects = _joined(effects, Effects(touches=(_touch(text.strip(), Deed.WRITE, call),)))
    return effects


def is_url(text: str) -> bool:
    """Whether a string is a URL to a parser of the WHATWG standard, which looks past blanks, tabs and line ends."""
    plain = text.strip(_TRIMMED).translate(_LOOKED_PAST)
    begins = _URL_BEGINS.match(plain)
    return begins is not None and begins[0].lower() != "file:" and ada_url.check_url(plain)


def looks_like_a_path(text: str) -> bool:
    """Whether a string may be a path: one token, or anchored with a separator behind the first blank; prose isn't."""
    text = text.strip()
    if "\n" in text:
        return False
    head, blank, tail = text.partition(" ")
    if not blank:
        return True
    return bool(_ANCHORED.match(head)) and ("/" in tail or "\\" in tail)


def _effect(tool: Tool, argument: Argument, value: JSON, call: Call, programs: Programs) -> Effects:
    match argument.use:
        case Use.COMMAND:
            return _shell(tool, _command(argument, value), call, programs)
        case Use.DIRECTORY:
            return Effects(touches=(_touch(_text(argument, value), Deed.READ, call),))
        case Use.PATH_READ:
            touch = _touch(_text(argument, value), Deed.READ, call)
            pattern = tool.kind is Kind.SEARCH and any(char in _WILDCARDS for char in touch.spelled)
            return Effects(touches=(structs.replace(touch, glob=pattern),))
        case Use.PATH_WRITE:
            return Effects(touches=(_touch(_text(argument, value), Deed.WRITE, call),))
        case Use.URL:
            return _fetch(tool, _text(argument, value), call)
        case Use.URLS_IN_TEXT:
            urls = (url.rstrip(_PUNCTUATION) for url in _URL.findall(_text(argument, value)))
            hosts = tuple(Host(url, fetch=True) for url in urls)
            return Effects(hosts=hosts)
        case Use.PATCH:
            named = patches.files(_text(argument, value))
            if not named:
                raise InputFault(f"`{argument.pointer}` names no file to patch")
            if len(named) > MAX_STRINGS:
                raise InputFault(f"`{argument.pointer}` names more than {MAX_STRINGS} files; send it in pieces")
            return Effects(touches=tuple(_touch(path, deed, call) for path, deed in named))
        case Use.AGENT_TYPE | Use.SKILL_NAME:
            _text(argument, value)
            return Effects()
        case Use.PROSE | Use.DATA:
            return Effects()


def _shell(tool: Tool, command: str | list[str], call: Call, programs: Programs) -> Effects:
    """A command in the language that the tool fixes, else in the caller's shell; without a grammar, *can't say*.

    It runs where the tool's own directory argument says, and what is typed into a running program is for that program.
    """
    environment, cwd = call.environment, _directory(tool, call)
    if cwd != environment.cwd:
        environment = replace(environment, cwd=cwd)
    typed = tool.typed is not None and any(on not in _OFF for on in values_at(call.tool_input, tool.typed))
    if tool.language is not None or typed:
        if typed or tool.language not in _DIALECTS:
            return Effects(doubt=Doubt.DIALECT, raw=command if isinstance(command, str) else " ".join(command))
        environment = replace(environment, dialect=Dialect(tool.language))
    return analyse(command, environment, programs)


def _directory(tool: Tool, call: Call) -> str | None:
    cwd = call.environment.cwd
    for argument in tool.arguments:
        if argument.use is Use.DIRECTORY:
            for value in values_at(call.tool_input, argument.pointer):
                if isinstance(value, str) and value:
                    place = locate(value, call.environment, call.environment.cwd or ".")
                    cwd = place.real or place.lexical
    return cwd


def _fetch(tool: Tool, url: str, call: Call) -> Effects:
    if url.lower().startswith("file:"):
        return Effects(touches=(_touch(url, Deed.READ, call),), hosts=(Host(url),))
    return Effects(hosts=(Host(url, fetch=tool.kind is Kind.FETCH),))


def _touch(path: str, deed: Deed, call: Call) -> Touch:
    if len(path) > MAX_TOKEN:
        raise InputFault(f"a path has at most {MAX_TOKEN} characters, and one here has {len(path)}")
    return Touch(path, locate(path, call.environment, call.environment.cwd or "."), deed)


def _text(argument: Argument, value: JSON) -> str:
    if not isinstance(value, str):
        raise InputFault(f"`{argument.pointer}` must be a text")
    return value


def _command(argument: Argument, value: JSON) -> str | list[str]:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value and all(isinstance(word, str) for word in value):
        return [word for word in value if isinstance(word, str)]
    raise InputFault(f"`{argument.pointer}` must be a text or a list of texts")


def _joined(one: Effects, other: Effects) -> Effects:
    """Both, with the commands' indexes of the second moved behind those of the first."""
    if one is _NOTHING:
        return other
    if other == _NOTHING:
        return one
    base = len(one.commands)
    if not (base and other.commands):
        moved = other
    else:
        moved = structs.replace(
            other,
            commands=tuple(
                structs.replace(
                    command,
                    index=command.index + base,
                    wrapper=None if command.wrapper is None else command.wrapper + base,
                )
                for command in other.commands
            ),
            touches=tuple(
                structs.replace(touch, by=None if touch.by is None else touch.by + base) for touch in other.touches
            ),
            hosts=tuple(structs.replace(host, by=None if host.by is None else host.by + base) for host in other.hosts),
        )
    return Effects(
        commands=one.commands + moved.commands,
        touches=one.touches + moved.touches,
        hosts=one.hosts + moved.hosts,
        doubt=one.doubt or moved.doubt,
        raw=one.raw if moved.raw is None else moved.raw if one.raw is None else f"{one.raw}\n{moved.raw}",
    )


_NOTHING = Effects()
