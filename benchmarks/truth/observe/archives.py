"""Archives and compressed files among the samples, in every format that the standard library writes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TARS = {
    "archive.tar": "w", "my.tar": "w", "file.tar": "w", "archive.tar.gz": "w:gz", "archive.tgz": "w:gz",
    "file.tar.gz": "w:gz", "backup.tar.gz": "w:gz", "data.tar.gz": "w:gz", "archive.tar.bz2": "w:bz2",
    "archive.tar.xz": "w:xz",
}  # fmt: skip
ZIPS = ("archive.zip", "file.zip", "foo.zip", "app.jar")
MEMBERS = ("file.txt", "README.md", "data.csv")


def pack(folder: Path) -> None:
    """Archives of three of the folder's files, and one of them compressed."""
    for name, mode in TARS.items():
        with tarfile.open(folder / name, mode) as archive:  # type: ignore[call-overload]
            for member in MEMBERS:
                archive.add(folder / member, member)
    for name in ZIPS:
        with zipfile.ZipFile(folder / name, "w") as archive:
            for member in MEMBERS:
                archive.write(folder / member, member)
    text = (folder / "file.txt").read_bytes()
    for name in ("file.gz", "file.txt.gz", "access.log.gz", "input.gz", "filename.gz"):
        (folder / name).write_bytes(gzip.compress(text))
    for name in ("file.bz2", "file.txt.bz2"):
        (folder / name).write_bytes(bz2.compress(text))
    for name in ("file.xz", "file.txt.xz"):
        (folder / name).write_bytes(lzma.compress(text))
