"""``lineclear config``: what is set, and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import typer
from pydantic import BaseModel, SecretStr

from lineclear.cli.settled import settled
from lineclear.settings import origins, variable

if TYPE_CHECKING:
    from collections.abc import Iterator

app = typer.Typer(help="Look at the settings.", no_args_is_help=True, rich_markup_mode=None)


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.add_typer(app, name="config")


@app.command()
def show() -> None:
    """Print each setting in effect, its environment variable and where its value comes from; secrets are masked."""
    settings, sources = settled(), origins()
    rows = [(variable(name), _shown(name, value), sources.get(name, "default")) for name, value in _walk(settings)]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, value, source in rows:
        print(f"{name:<{widths[0]}}  {value:<{widths[1]}}  {source}")


def _walk(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _walk(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _shown(name: str, value: object) -> str:
    if value is None:
        return "(unset)"
    if isinstance(value, SecretStr):
        return without_password(value.get_secret_value()) if name == "database_url" else "(masked)"
    if isinstance(value, frozenset):
        return ",".join(sorted(value))
    return str(value)


def without_password(url: str) -> str:
    """A database's URL without what must not be seen: its password, and options, which may hold one too."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(not a url)"
    user, separator, place = parts.netloc.rpartition("@")
    shown = f"{user.partition(':')[0]}:***@{place}" if separator else place
    return f"{parts.scheme}://{shown}{parts.path}"
