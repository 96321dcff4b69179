"""Gemini CLI's policies: rules in TOML, of which the one with the highest priority wins.

Here deny beats ask beats allow, whatever the priority: what is carried over is as strict or stricter. Source: "Policy
engine" of Gemini CLI's reference, the sections "Conditions", "Priority system and tiers" and "TOML rule schema".
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing.codex import quoted
from lineclear.policyfiles.importing.faults import ImportFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.importing.draft import Draft

_DECISIONS = {"allow": Effect.ALLOW, "ask_user": Effect.ASK, "deny": Effect.DENY}
_KNOWN = frozenset({"toolName", "commandPrefix", "mcpName", "decision", "priority", "denyMessage", "allowRedirection"})
_SHELL = "run_shell_command"
_SERVERS = "mcp_"


def read(text: str, where: str, draft: Draft) -> None:
    """Add what a policy file says. Raises ``ImportFault`` where it is none."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ImportFault(f"{where}: not TOML: {error}") from None
    rules = document.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ImportFault(f"{where}: `rule` must be a list of tables")
    for key in document.keys() - {"rule"}:
        draft.drop(where, key, "only rules are carried over")
    for at, rule in enumerate(rules, 1):
        _rule(rule, f"{where} rule {at}", draft)


def _rule(rule: dict[str, Any], where: str, draft: Draft) -> None:
    told = ", ".join(f"{key} = {value!r}" for key, value in rule.items())
    effect = _DECISIONS.get(str(rule.get("decision")))
    if effect is None:
        draft.drop(where, told, "it has no decision that is known")
        return
    if unknown := sorted(set(rule) - _KNOWN):
        draft.drop(where, told, f"`{unknown[0]}` has no counterpart; write a rule of the long form")
        return
    for text in _texts(rule):
        draft.carry(effect, text, where, told)
    for why in _differences(rule):
        draft.change(where, told, why)


def _texts(rule: dict[str, Any]) -> Iterator[str]:
    """The short rules that a rule is here; a prefix of a command is about the shell, whether it says so or not."""
    names = _listed(rule.get("toolName", _SHELL if "commandPrefix" in rule else "*"))
    for name in names:
        if "commandPrefix" in rule and name == _SHELL:
            for prefix in _listed(rule["commandPrefix"]):
                yield f"Bash({' '.join(map(quoted, prefix.split()))} *)"
        elif "mcpName" in rule:
            server = rule["mcpName"]
            yield f"mcp__{server}" if name == "*" else f"mcp__{server}__{name}"
        else:
            yield _named(name)


def _named(name: str) -> str:
    """A tool's name; one of a server's tools, ``mcp_server_tool``, ends its server at the next underscore."""
    if not name.startswith(_SERVERS) or name.startswith("mcp__"):
        return name
    server, _, tool = name.removeprefix(_SERVERS).partition("_")
    return f"mcp__{server}__{tool}" if tool and tool != "*" else f"mcp__{server}"


def _differences(rule: dict[str, Any]) -> Iterator[str]:
    if rule.get("priority") is not None:
        yield "its priority doesn't count: deny beats ask beats allow"
    if "denyMessage" in rule:
        yield "its message stays behind; as a rule of the long form it can have an `agent_message`"
    if rule.get("allowRedirection"):
        yield "a redirect is a write of its own here, which needs a rule for its path"


def _listed(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
