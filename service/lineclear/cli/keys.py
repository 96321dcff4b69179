"""``lineclear keys``: who may talk to the service. A key is printed once, when it is made, and never again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from lineclear.bootstrap import database
from lineclear.bootstrap.first_keys import key_id
from lineclear.bootstrap.problem import CannotStart
from lineclear.cli.failure import Failure
from lineclear.cli.settled import settled
from lineclear.core.call import Key, Principal, Role
from lineclear.engine.keys import TooManyKeys, digest, new_secret
from lineclear.engine.log import StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

T = TypeVar("T")

app = typer.Typer(help="Make, list and revoke keys.", no_args_is_help=True, rich_markup_mode=None)


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.add_typer(app, name="keys")


@app.command()
def create(
    role: Annotated[Role, typer.Option(help="What its holder is.")],
    principal: Annotated[str, typer.Option(help="Whose it is: one agent's installation, or a person.")],
    group: Annotated[list[str] | None, typer.Option(help="A group of the principal; may be given again.")] = None,
) -> None:
    """Make a key and print it, once."""
    if not principal.strip():
        raise Failure("a principal needs a name")
    print(made(role, principal, group or ()))


def made(role: Role, principal: str, groups: Iterable[str] = ()) -> str:
    """A new key that the service knows. Raises ``Failure``."""
    secret = new_secret()
    key = Key(key_id(secret), role, Principal(principal, frozenset(groups)))

    async def make(keys: PostgresKeys) -> None:
        await keys.add(key, digest(secret))

    try:
        _with_keys(make, made=True)
    except TooManyKeys as error:
        raise Failure(str(error)) from None
    return secret


@app.command("list")
def list_() -> None:
    """Print every key: its id, role, principal, groups, and when it was made and revoked; never the key itself."""

    async def rows(keys: PostgresKeys) -> list[tuple[str, ...]]:
        return [
            (
                row.key.id,
                row.key.role.value,
                row.key.principal.id,
                ",".join(sorted(row.key.principal.groups)) or "-",
                row.created_at.isoformat(timespec="seconds"),
                row.revoked_at.isoformat(timespec="seconds") if row.revoked_at else "-",
            )
            for row in await keys.all()
        ]

    table = [("id", "role", "principal", "groups", "created", "revoked"), *_with_keys(rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


@app.command()
def revoke(id: Annotated[str, typer.Argument(help="The key's id, as `lineclear keys list` shows it.")]) -> None:  # noqa: A002
    """Revoke a key; it stops working within 5 seconds on every replica."""

    async def end(keys: PostgresKeys) -> bool:
        return await keys.revoke(id)

    if not _with_keys(end):
        raise Failure(f"there is no key `{id}`; `lineclear keys list` shows all")
    print(f"revoked {id}")


def _with_keys(errand: Callable[[PostgresKeys], Awaitable[T]], *, made: bool = False) -> T:
    """What an errand among the keys comes to; ``made`` says that a database is made where there is none."""

    async def go() -> T:
        async with database.visited(settled(), made=made) as url:
            opened = Database(url)
            try:
                return await errand(PostgresKeys(opened))
            finally:
                await opened.close()

    try:
        return asyncio.run(go())
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
