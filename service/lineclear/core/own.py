"""Lineclear protects itself: its address, socket, database, data folder, command line and processes.

Agents have no business there, in no mode and by no rule, whatever the spelling. What an agent can still do that runs
code as the same user is said in the threat model.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ada_url
from msgspec import structs

from lineclear.core.effects import Deed, Proof
from lineclear.core.paths.critical import critical
from lineclear.core.paths.pattern import PathPattern
from lineclear.core.paths.protected import Protection, Protections
from lineclear.core.rules.rule import Layer, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.effects import Command, Touch
    from lineclear.core.facts import Facts

NAME = "lineclear"
RULE = "builtin.self"
DEFAULT_PORT = 8642

_OPEN = {("check",), ("analyze",), ("policy", "lint"), ("policy", "test"), ("policy", "explain")}
"""The verbs that agents may run: they only judge what they are given."""

_VERBS = frozenset(
    {"audit", "config", "db", "doctor", "eval", "hook", "install", "keys", "maintain", "policy", "report", "serve"}
)
_DATA_FOLDERS = ("~/.local/share/lineclear", "~/Library/Application Support/lineclear", "~/AppData/Local/lineclear")
"""Where the data folder is by default, on each platform: an agent may run as another user than the service."""
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")  # noqa: S104 - matched, never bound
_AUTHORITY = re.compile(r"[A-Za-z0-9.\-\[\]:]+")
_LOOPBACK_NAMES = frozenset(
    {"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "host.docker.internal"}
)


@dataclass(frozen=True, slots=True)
class Own:
    """What of this machine is Lineclear itself.

    ``ports`` are its own and its database's on loopback, ``hosts`` further names under which it is reached,
    ``folders`` its data folder and other places that hold keys (absolute), ``sockets`` paths of unix sockets.
    """

    ports: frozenset[int] = frozenset({DEFAULT_PORT})
    hosts: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    sockets: tuple[str, ...] = ()
    address: re.Pattern[str] = field(init=False)
    places: Protections = field(init=False)

    def __post_init__(self) -> None:
        names = "|".join(re.escape(name) for name in sorted({*_LOOPBACK, *self.hosts}))
        ports = "|".join(str(port) for port in sorted(self.ports))
        object.__setattr__(self, "address", re.compile(rf"(?i)(?:{names})[:/ ]+(?:{ports})(?!\d)"))
        folders = (*_DATA_FOLDERS, *(_anchored(folder) for folder in (*self.folders, *self.sockets)))
        origin = Origin("builtin", 1, 1)
        places = (
            Protection(RULE, PathPattern.parse(folder), "any", "deny", (), Layer.BUILTIN, origin) for folder in folders
        )
        object.__setattr__(self, "places", Protections(places))


def _anchored(path: str) -> str:
    """An absolute path as a pattern of the file system."""
    return "/" + path if path.startswith("/") else path.replace("\\", "/")


def touched(facts: Facts) -> str | None:
    """The first part of a call that reaches Lineclear itself, as the caller wrote it, or None."""
    return next(_touched(facts), None)


def _touched(facts: Facts) -> Iterator[str]:
    own, effects = facts.own, facts.effects
    for touch in effects.touches:
        if _is_own_path(touch, facts):
            yield touch.spelled
    for host in effects.hosts:
        words = () if host.by is None else tuple(word.text or "" for word in effects.commands[host.by].words)
        if _is_own_address(host.url, words, own):
            yield host.url
    for command in effects.commands:
        if _runs_own(command) or any(NAME in name.lower() for name in command.ends):
            yield command.text
    if effects.raw is not None and own.address.search(effects.raw):
        yield effects.raw


def _is_own_path(touch: Touch, facts: Facts) -> bool:
    """Whether a touch reaches our folders. Who destroys a home or a root with all in it is asked about that first."""
    environment = facts.call.environment
    if not facts.own.places.breached(touch, environment):
        return False
    parents = structs.replace(touch, recursive=False, deed=Deed.WRITE)
    return bool(facts.own.places.breached(parents, environment)) or critical(touch, environment) is None


def _is_own_address(url: str, words: tuple[str, ...], own: Own) -> bool:
    """Whether a URL, ``host:port`` or host with its port among the command's words is one of ours."""
    parsed = _host_and_port(url)
    if parsed is None:
        return False
    host, port = parsed
    if host not in own.hosts and not is_loopback(host):
        return False
    if port is not None:
        return port in own.ports
    return any(word.isdigit() and int(word) in own.ports for word in words if len(word) <= len("65535"))


def _host_and_port(url: str) -> tuple[str, int | None] | None:
    text = url if "://" in url else f"http://{url}"
    if "://" in url and not text.lower().startswith(("http:", "https:", "ws:", "wss:")):
        text = "http://" + text.split("://", 1)[1]
    try:
        parsed = ada_url.URL(text)
    except ValueError:
        match = _AUTHORITY.match(text.split("://", 1)[1])
        return (match.group().lower(), None) if match else None
    port = int(parsed.port) if parsed.port else _DEFAULT_PORTS.get(parsed.protocol) if "://" in url else None
    return parsed.hostname.rstrip(".").lower(), port


_DEFAULT_PORTS = {"http:": 80, "https:": 443, "ws:": 80, "wss:": 443}


def is_loopback(host: str) -> bool:
    """Whether a name or an address leads to this machine itself."""
    if host in _LOOPBACK_NAMES or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or mapped.is_unspecified


def _runs_own(command: Command) -> bool:
    """Whether a command runs our command line, other than the verbs that are open to agents."""
    words = [word.text or "" for word in command.words]
    if command.proof is Proof.READ_ONLY or NAME not in "/".join(words).lower():
        return False
    names = [_base(word) for word in words]
    for index, name in enumerate(names):
        if name.removesuffix(".exe") not in {NAME, f"{NAME}.cli", f"{NAME}.__main__"}:
            continue
        behind = [word for word in words[index + 1 :] if not word.startswith("-")]
        opened = tuple(behind[:1]) in _OPEN or tuple(behind[:2]) in _OPEN
        if index == 0 or words[index - 1] == "-m":
            return not opened
        if behind and behind[0] in _VERBS and not opened:
            return True
    return False


def _base(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2].lower()
