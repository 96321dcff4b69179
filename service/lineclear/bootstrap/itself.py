"""What of this machine is the service itself, for the check that keeps agents off it."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from lineclear.core.own import DEFAULT_PORT, Own, is_loopback

if TYPE_CHECKING:
    from lineclear.settings import Settings

_POSTGRES_PORT = 5432
_UNSAID = "localhost"
"""Without a host the driver tries the usual sockets and loopback."""


def itself(settings: Settings, port: int | None = None) -> Own:
    """Addresses, places and sockets of the service; ``port`` is the one listened on where the settings leave it open.

    A database on another machine isn't among them: an address is known as one of our names with one of our ports, and
    the database's port would then be ours on loopback too, where an agent's own Postgres is.
    """
    ports = {DEFAULT_PORT, port or settings.port}
    if settings.metrics_listen is not None:
        ports.add(int(settings.metrics_listen.rpartition(":")[2]))
    sockets = set() if settings.uds is None else {str(settings.uds.absolute())}
    if settings.database_url is not None:
        for host, its_port in _database(settings.database_url.get_secret_value()):
            if host.startswith("/"):
                sockets.add(host)
            if is_loopback(host) or (host.startswith("/") and not _is_embedded(host)):
                ports.add(its_port)
    return Own(
        ports=frozenset(ports - {0}),
        hosts=settings.allowed_hosts | {settings.host.lower()},
        folders=tuple(str(place.absolute()) for place in (settings.data_dir, settings.checkpoints) if place),
        sockets=tuple(sorted(sockets)),
    )


def _database(url: str) -> list[tuple[str, int]]:
    """Where a database is, as its driver reads the URL: hosts, or folders of sockets, each with its port."""
    parts = urlsplit(url)
    options = parse_qs(parts.query)
    host = parts.netloc.rpartition("@")[2]
    if host.startswith("%2"):  # a socket's folder, in place of a host
        hosts = [unquote(host.partition(":")[0])]
    else:
        hosts = [parts.hostname] if parts.hostname else ",".join(options.get("host", [_UNSAID])).split(",")
    given = [str(parts.port)] if parts.port else ",".join(options.get("port", [])).split(",")
    ports = [int(port) if port.isdecimal() else _POSTGRES_PORT for port in given]
    return list(zip(hosts, cycle(ports), strict=False))


def _is_embedded(folder: str) -> bool:
    """Whether a socket lies in its database's own folder: such a one is embedded, and listens on no port.

    Any other server that has a socket listens on a port of the same number too, unless somebody turned that off.
    """
    return (Path(folder) / "PG_VERSION").exists()
