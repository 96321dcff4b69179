"""What of this machine is the service itself, for the check that keeps agents off it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from lineclear.core.own import DEFAULT_PORT, Own

if TYPE_CHECKING:
    from lineclear.settings import Settings

_LOOPBACK = {"localhost", "127.0.0.1", "::1", None}
_POSTGRES_PORT = 5432


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
        url = urlsplit(settings.database_url.get_secret_value())
        sockets |= {place for place in parse_qs(url.query).get("host", []) if place.startswith("/")}
        if url.hostname in _LOOPBACK:
            ports.add(url.port or _POSTGRES_PORT)
    return Own(
        ports=frozenset(ports - {0}),
        hosts=settings.allowed_hosts | {settings.host.lower()},
        folders=tuple(str(place.absolute()) for place in (settings.data_dir, settings.checkpoints) if place),
        sockets=tuple(sorted(sockets)),
    )
