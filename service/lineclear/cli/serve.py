"""``lineclear serve``: the service, and what a person needs to know when it starts."""

from __future__ import annotations

import shlex
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear.bootstrap.policies import folder
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.run import run
from lineclear.cli.config import without_password
from lineclear.cli.failure import Failure
from lineclear.cli.settled import settled
from lineclear.engine.log import StorageUnavailable
from lineclear.telemetry.logs import configure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.api.health import Readiness
    from lineclear.bootstrap.service import Service
    from lineclear.settings import Settings


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 where none is set.")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; 8642 where none is set, 0 for a free one.")
    ] = None,
    uds: Annotated[Path | None, typer.Option(help="Unix socket to listen on instead.")] = None,
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
) -> None:
    """Run the service until it is asked to stop."""
    settings = settled(host=host, port=port, uds=uds, policies=policies)
    configure(settings.log_level)
    try:
        run(settings, started=lambda *told: print("\n".join(banner(settings, *told)), flush=True))
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None


def banner(settings: Settings, service: Service, port: int | None, found: Readiness) -> Iterator[str]:
    """What is printed at start; ``port`` is the one listened on, None for a unix socket."""
    at = f"unix:{settings.uds}" if port is None else _url(settings.host, port)
    yield f"lineclear listens on {at}"
    yield f"database: {_database(settings)}"
    yield f"policy: {service.policies.current.version} from {folder(settings.policies)}"
    for name, fault in found.checks.items():
        if fault is not None:
            yield f"NOT READY: {name}: {fault}"
    yield f"classifier: {service.classifier}"
    if settings.metrics_listen:
        yield f"metrics: http://{settings.metrics_listen}/metrics, without a key"
    for key in service.keys:
        yield f"{key.role} key: {key.file}" + (
            "" if key.valid else " (revoked; remove the file to have a new one made)"
        )
    if not service.keys:
        yield "keys: made by `lineclear keys create`"
    yield "try it:"
    yield f"  {curl(settings, service, port)}"
    yield "plug in: before each tool execution an agent posts its call there, and runs it only on `allow`; see /docs"


def curl(settings: Settings, service: Service, port: int | None) -> str:
    """A line to paste into a shell."""
    file = next((key.file for key in service.keys if key.role == "host" and key.valid), None)
    key = "$LINECLEAR_KEY" if file is None else f"$(cat {shlex.quote(str(file))})"
    way = "" if port is not None else f"--unix-socket {shlex.quote(str(settings.uds))} "
    base = "http://localhost" if port is None else _url(settings.host, port)
    body = '{"session_id": "try", "tool_name": "Bash", "tool_input": {"command": "ls"}}'
    return (
        f'curl -sS {way}{base}/v1/decisions -H "Authorization: Bearer {key}" '
        f"-H 'Content-Type: application/json' -d '{body}'"
    )


def _url(host: str, port: int) -> str:
    reached = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{reached}:{port}"


def _database(settings: Settings) -> str:
    if settings.database_url is None:
        return f"embedded, in {settings.data_dir}"
    return without_password(settings.database_url.get_secret_value())
