"""The files that a patch changes, read out of its body; a body that names none is no patch that we know."""

from __future__ import annotations

from lineclear.core.effects import Deed

_HEADERS = {
    "*** Add File: ": Deed.WRITE,
    "*** Update File: ": Deed.WRITE,
    "*** Delete File: ": Deed.REMOVE,
    "*** Move to: ": Deed.WRITE,
    "--- ": Deed.WRITE,
    "+++ ": Deed.WRITE,
    "rename from ": Deed.MOVE,
    "rename to ": Deed.WRITE,
    "copy to ": Deed.WRITE,
}


def files(patch: str) -> list[tuple[str, Deed]]:
    """Each file that a patch in the ``*** Begin Patch`` or the unified format names, and what is done to it."""
    unified = "*** Begin Patch" not in patch
    found = []
    for line in patch.splitlines():
        for header, deed in _HEADERS.items():
            if line.startswith(header):
                name = line[len(header) :].split("\t", 1)[0].strip()
                if unified and header in {"--- ", "+++ "}:
                    name = name.removeprefix("a/" if header == "--- " else "b/")
                if name and name != "/dev/null":
                    found.append((name, deed))
                break
    return found
