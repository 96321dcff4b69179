"""Environments to read paths in, and touches of paths."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lineclear.core.call import Dialect, Environment, Platform
from lineclear.core.effects import Deed, Touch
from lineclear.core.paths.locate import locate
from lineclear.core.paths.matcher import PathIndex
from lineclear.core.paths.pattern import PathPattern
from lineclear.core.paths.protected import Protection, Protections
from lineclear.core.rules.rule import Layer, Origin
from support.documents import document

LINUX = Environment(
    cwd="/work/repo",
    roots=("/work/repo",),
    home="/home/dev",
    platform=Platform.LINUX,
    dialect=Dialect.BASH,
    repository_trusted=True,
)
MACOS = replace(LINUX, cwd="/Users/dev/repo", roots=("/Users/dev/repo",), home="/Users/dev", platform=Platform.MACOS)
WINDOWS = replace(
    LINUX, cwd="C:\\Work\\repo", roots=("C:\\Work\\repo",), home="C:\\Users\\dev", platform=Platform.WINDOWS
)
UNKNOWN = replace(LINUX, platform=Platform.UNKNOWN)
NOWHERE = Environment()

SHIPPED = Path(__file__).parents[2] / "policies" / "builtin" / "protected_paths.yaml"


def at(spelled, environment=LINUX, cwd=...):
    return locate(spelled, environment, environment.cwd if cwd is ... else cwd)


def touch(spelled, deed=Deed.WRITE, environment=LINUX, cwd=..., **kinds):
    return Touch(spelled, at(spelled, environment, cwd), deed, **kinds)


def denied(pattern, spelled, environment=LINUX, cwd=..., *, glob=False):
    """Whether a pattern that denies or asks matches."""
    index = PathIndex([(PathPattern.parse(pattern), False)])
    return bool(index.match(at(spelled, environment, cwd), environment, glob=glob))


def allowed(pattern, spelled, environment=LINUX, cwd=..., *, glob=False):
    """Whether a pattern that allows matches."""
    index = PathIndex([(PathPattern.parse(pattern), True)])
    return bool(index.match(at(spelled, environment, cwd), environment, glob=glob))


def protection(path, access="write", effect="ask", exceptions=(), identity=None):
    return Protection(
        identity or path,
        PathPattern.parse(path),
        access,
        effect,
        tuple(map(PathPattern.parse, exceptions)),
        Layer.BUILTIN,
        Origin("builtin/protected_paths.yaml", 1, 1),
    )


def shipped():
    entries = document(SHIPPED)["protected_paths"]
    return Protections(
        protection(entry["path"], entry["access"], entry["effect"], entry.get("exceptions", ()), entry["id"])
        for entry in entries
    )
