"""Every key that a program's description may have: one that isn't here is an error."""

from __future__ import annotations

LEVEL = frozenset(
    [
        *("flags", "options", "operands", "subcommands", "effect", "without_operands", "style"),
        *("options_first", "late", "digits", "bundled", "anywhere", "symbols", "freedom", "refuses", "transparent"),
        *("repository", "appends", "chooses", "writes", "stdin", "widens", "tells_folder", "speaks"),
        *("saves", "says", "stands", "input", "same_shell", "tells", "ignores", "keeps", "exact"),
    ]
)
PROGRAM = LEVEL | {"name", "aliases", "abbreviates", "examples"}
OPTION = frozenset(
    [
        *("kind", "of", "begins", "without", "more", "ends", "form", "into", "until", "effect", "dry_run"),
        *("recursive", "narrows", "replaces", "operands", "writes", "not_with", "final", "whole", "saves"),
        *("unpacks", "input", "closes", "elsewhere", "picks", "opaque", "dash"),
    ]
)
TELLING = frozenset({"names", "options", "needs", "given", "most"})
SLOT = frozenset(
    [
        *("kind", "of", "begins", "without", "ends", "strips", "min", "max", "last", "unless", "when", "default"),
        *("recursive", "into", "dash", "effect", "writes"),
    ]
)
