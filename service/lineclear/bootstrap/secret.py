"""The deployment's one secret, and the keys that are derived from it, each for one purpose."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import TYPE_CHECKING

from lineclear.bootstrap.problem import CannotStart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lineclear.settings import Settings

INPUTS = "inputs"
"""The purpose of hashing inputs."""
FENCE = "fence"
"""The purpose of the fences around what a model is shown."""
CHAIN = "chain"
"""The purpose of chaining the log."""

_SHORTEST = 16


def secret(settings: Settings, *, made: bool = True) -> bytes:
    """The secret that is set, or with the embedded database the one in the data folder.

    ``made`` says that one is made if there is none: not for the audit, since nothing was linked with it. Raises
    ``CannotStart``.
    """
    if settings.secret is not None:
        return settings.secret.get_secret_value().encode("utf-8", "surrogateescape")
    if settings.database_url is not None:
        raise CannotStart(
            "`LINECLEAR_SECRET` isn't set; with a database server it is required, the same on all replicas: "
            "at least 16 characters, such as `openssl rand -base64 32` prints"
        )
    file = settings.data_dir / "secret"
    if not made and not file.exists():
        raise CannotStart(
            f"`{file}` isn't there; name a service's data folder in `LINECLEAR_DATA_DIR`, or set `LINECLEAR_SECRET`"
        )
    return kept(file, lambda: secrets.token_urlsafe(32)).encode()


def derived(base: bytes, purpose: str) -> bytes:
    """A key of 32 bytes for one purpose, from which neither the secret nor another key can be had."""
    return hmac.digest(base, b"lineclear/1/" + purpose.encode(), hashlib.sha256)


def kept(file: Path, fresh: Callable[[], str]) -> str:
    """The text of a file that only its owner may read, made with a fresh text if there is none.

    Raises ``CannotStart`` where it can't be read or made, is too short, or is open to others.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return _read(file)
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            text = fresh()
            out.write(text + "\n")
    except OSError as error:
        raise CannotStart(f"`{file}` can't be read or made: {error.strerror}") from None
    return text


def _read(file: Path) -> str:
    if os.name == "posix" and file.stat().st_mode & 0o077:
        raise CannotStart(f"`{file}` holds a secret and is open to others; `chmod 600` it, and replace it if need be")
    text = file.read_bytes().strip()
    if len(text) < _SHORTEST or not text.isascii():
        raise CannotStart(f"`{file}` holds no usable secret; remove it to have a new one made")
    return text.decode("ascii")
