"""Hosts as rules name them, and as a URL names them: compared in ASCII, lower case, without a final dot.

Parsing is that of the WHATWG standard, as browsers and fetch tools do it, so that no spelling means another host here
than there.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from functools import lru_cache

import ada_url

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import Glob

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22, "git": 9418, "rsync": 873}
_ALLOWED_SCHEMES = frozenset({"http", "https"})
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_PLAIN = re.compile(r"https?://[^\s\\\x00-\x1f\x7f]+", re.IGNORECASE)
"""A URL that every parser reads alike, as far as its beginning goes."""

_REMOTE = re.compile(r"(?:[^@/\s]+@)?(\[[^\]]+\]|[^:/@\s]+):(?!//)(.*)", re.DOTALL)
_LONGEST = 255
"""How long the name of a host can be, in octets (RFC 1035)."""

_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses of version 4 as a gateway to them spells them (RFC 6052)."""

_STAR_LABEL = "lineclear-star"
"""Stands for a star while a pattern goes through the URL parser, which takes none."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a text connects to. ``port`` is None where neither text nor scheme tells it."""

    host: str
    port: int | None
    scheme: str | None
    user: bool
    numeric: bool
    plain: bool = False
    """Whether its spelling leaves no room for another reading: no backslash, no blank, two slashes."""

    @property
    def default_port(self) -> bool:
        """Whether it is the one that its scheme means anyway."""
        return self.scheme is not None and self.port == _DEFAULT_PORTS.get(self.scheme)


@dataclass(frozen=True, slots=True)
class DomainPattern:
    """A host of a rule, with a port if wanted; ``*.x.y`` means any depth below, not ``x.y`` itself."""

    text: str
    host: Glob
    below: bool
    port: int | None

    @staticmethod
    def parse(text: str, *, strict: bool) -> DomainPattern:
        """Compile a pattern; ``strict`` for allow rules. Raises ``RuleFault``."""
        if not text or re.search(r"[/\s@?#\\]", text):
            raise RuleFault(
                f"`{text}` is no domain; write a host like `docs.python.org`, `*.python.org` or `host:8443`"
            )
        name, colon, digits = text.rpartition(":") if re.fullmatch(r".*[^:\]]:\d+|\[.*\]:\d+", text) else (text, "", "")
        if not colon and ":" in text and not text.startswith("["):
            raise RuleFault(f"`{text}` is no domain; a port is a number and an IPv6 address stands in brackets")
        if digits and not 0 < int(digits) <= 65535:  # noqa: PLR2004 - the highest port
            raise RuleFault(f"`{text}` has no port that there is; one is between 1 and 65535")
        below = name.startswith("*.")
        host, numeric = _ascii(name.removeprefix("*."), text)
        if strict and numeric:
            raise RuleFault(f"`{text}` is an address; an allow rule takes names only")
        return DomainPattern(text, Glob.of(host), below, int(digits) if digits else None)

    @property
    def tail(self) -> str:
        """Its last labels without a star: what every host that fits ends with; empty where there are none."""
        labels = "*".join(self.host.pieces).split(".")
        starred = [at for at, label in enumerate(labels) if "*" in label]
        return ".".join(labels[starred[-1] + 1 :] if starred else labels)

    def matches(self, address: Address) -> bool:
        """For deny and ask rules: the host, whatever the scheme, and the port if the pattern has one."""
        return self._host_is(address.host) and (self.port is None or address.port in {None, self.port})

    def covers(self, address: Address) -> bool:
        """For allow rules: http and https, a name, no user part, the default port unless the pattern names one."""
        return (
            address.scheme in _ALLOWED_SCHEMES
            and address.plain
            and not address.user
            and not address.numeric
            and (address.port == self.port if self.port is not None else address.default_port)
            and self._host_is(address.host)
        )

    def _host_is(self, host: str) -> bool:
        if self.host.everything:
            return not self.below or "." in host
        wanted = "*".join(self.host.pieces).split(".")
        given = host.split(".")
        if self.below:
            if len(given) <= len(wanted):
                return False
            given = given[-len(wanted) :]
        return len(given) == len(wanted) and all(
            Glob.of(one).matches(other) for one, other in zip(wanted, given, strict=True)
        )


@lru_cache(maxsize=4096)
def address(text: str) -> Address | None:
    """Where a URL, a ``host:port``, a ``user@host:path`` or a bare host leads; None where it names none."""
    found = _of_url(text)
    if found is not None and (found.scheme in _DEFAULT_PORTS or _SCHEME.match(text)):
        return replace(found, plain=_PLAIN.fullmatch(text) is not None)
    text = text.strip()
    if _SCHEME.match(text):  # no URL to a browser; what another program makes of it may still be a host
        authority = re.split(r"[/?#\\\s]", text.partition("://")[2], maxsplit=1)[0].rpartition("@")[2]
        found = _of_url("http://" + re.sub(r":[^:\]]*$", "", authority) + "/")
        return found and replace(found, port=None, scheme=None)
    if (remote := _REMOTE.fullmatch(text)) is not None:
        port = re.match(r"\d+(?=/|$)", remote[2])
        found = _of_url(f"http://{remote[1]}/")
        return found and replace(found, port=int(port[0]) if port else None, scheme=None, user="@" in text)
    found = _of_url(f"http://{text}")
    return found and replace(found, port=None, scheme=None)


def _of_url(text: str) -> Address | None:
    try:
        url = ada_url.URL(text)
        host = url.hostname
        if url.scheme_type == ada_url.SchemeType.NOT_SPECIAL and host:
            host = ada_url.URL(f"http://{host}/").hostname
    except ValueError:
        return None
    host = _as_version_4(_last_labels(host.casefold().rstrip(".")))
    if not host:
        return None
    scheme = url.protocol.rstrip(":").casefold()
    port = int(url.port) if url.port else _DEFAULT_PORTS.get(scheme)
    return Address(host, port, scheme, bool(url.username or url.password), _is_numeric(host))


def _last_labels(host: str) -> str:
    """The host, or the end of one that is longer than any that resolves: whatever it fits, it fits by its end."""
    return host if len(host) <= _LONGEST else host[-_LONGEST:].partition(".")[2]


def _as_version_4(host: str) -> str:
    """The address of version 4 that one of version 6 stands for: mapped, or behind a translating gateway."""
    if not host.startswith("["):
        return host
    try:
        found = ipaddress.IPv6Address(host.strip("[]"))
    except ValueError:
        return host
    if found in _TRANSLATED:
        return str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF))
    return host if found.ipv4_mapped is None else str(found.ipv4_mapped)


def _is_numeric(host: str) -> bool:
    return host.startswith("[") or re.fullmatch(r"\d+(\.\d+){3}", host) is not None


def _ascii(name: str, text: str) -> tuple[str, bool]:
    if name == "*":
        return name, False
    found = _of_url(f"http://{name.replace('*', _STAR_LABEL)}/")
    if found is None:
        raise _no_domain(text)
    return found.host.replace(_STAR_LABEL, "*"), found.numeric


def _no_domain(text: str) -> RuleFault:
    return RuleFault(f"`{text}` is no domain; write a host like `docs.python.org`, `*.python.org` or `host:8443`")
