"""What a condition may speak of: names with their fields, functions, and the macros that walk a list."""

from __future__ import annotations

FIELDS: dict[str, frozenset[str] | None] = {
    "call": frozenset({"tool", "kind", "source", "server", "input", "commands", "paths", "hosts"}),
    "principal": frozenset({"id", "groups"}),
    "agent": frozenset({"host", "id", "type", "async", "main"}),
    "session": frozenset({"id", "mode", "consecutive", "total", "age"}),
    "environment": frozenset({"cwd", "workspace_roots", "home", "platform", "shell", "repository_trusted"}),
    "context": None,
    "data": None,
    "now": None,
}
"""The names, each with its fields; None where the fields are the caller's, the organisation's, or there are none."""

BUILDING = frozenset({"filter", "map"})
WALKING = frozenset({"all", "exists", "exists_one", "existsOne"})
MACROS = BUILDING | WALKING
"""What walks a list. What builds a list takes time with the square of its length."""

MATCHES = "matches"
METHODS = frozenset(
    {
        "size", "contains", "startsWith", "endsWith", MATCHES, "getFullYear", "getMonth", "getDate", "getDayOfMonth",
        "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
    }
)  # fmt: skip
"""What is called behind a dot."""

FUNCTIONS = frozenset(
    {"has", "size", "string", "int", "uint", "double", "bytes", "timestamp", "duration", "type", "dyn"}
)
"""What is called by itself."""

TYPES = frozenset(
    {"int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "timestamp", "duration"}
)
"""Names of types, as ``type(x) == int`` compares them."""

WORDS = frozenset({"true", "false", "null", "in"})
"""Words of the language."""
