"""How a program's name is compared: wherever it lies for deny and ask rules, where it is sound for allow rules."""

from __future__ import annotations

SYSTEM_FOLDERS = ("/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/")
"""Folders whose programs an allow rule takes for the bare name (rule 6 of the policy format)."""

_SUFFIXES = (".exe", ".cmd", ".bat", ".com")
"""What Windows runs without being told; all of one length."""


def base_name(program: str) -> str:
    """The name that deny and ask rules compare: no folder, no ``.exe``, case folded, since some systems do so."""
    name = program.replace("\\", "/").rpartition("/")[2].casefold()
    if name.endswith(_SUFFIXES) and len(name) > len(_SUFFIXES[0]):
        return name[: -len(_SUFFIXES[0])]
    return name


def sound_name(program: str) -> str | None:
    """The bare name of a program that is named bare or by its path in a system folder, else None."""
    for folder in SYSTEM_FOLDERS:
        if program.startswith(folder) and "/" not in program[len(folder) :]:
            return program[len(folder) :]
    return None if "/" in program or "\\" in program else program
