"""When two names are one: each way to fold a name, from the one that proves to the one that only suspects."""

from __future__ import annotations

import string
import unicodedata

from lineclear.core.hidden import visible

_ASCII_CASE = str.maketrans({letter: letter.lower() for letter in string.ascii_uppercase})


def exact(name: str) -> str:
    """Nothing is folded: Linux, and what allows where the platform isn't known."""
    return name


def ascii_case(name: str) -> str:
    """The case of ASCII letters, on which all systems that fold agree: what allows on macOS and Windows."""
    return name.translate(_ASCII_CASE)


def any_case(name: str) -> str:
    """The case and the composition of all letters: what denies or asks on systems that fold, or may."""
    return name.casefold() if name.isascii() else unicodedata.normalize("NFC", name.casefold())


def protected(name: str) -> str:
    """Everything by which a name can be made to look different from one that it is: protected names, everywhere."""
    if name.isascii() and name.isprintable():
        return name.casefold()
    compatible = unicodedata.normalize("NFKC", visible(name)).casefold()
    return unicodedata.normalize("NFKC", visible(compatible))
