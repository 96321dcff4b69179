"""Gemini CLI's policies: rules in TOML, of which the highest priority wins.

Here deny beats ask beats allow, whatever the order: a rule that lives by standing before a stricter one isn't carried
over.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing.codex import quoted
from lineclear.policyfiles.importing.faults import ImportFault

if TYPE_CHECKING:
    from lineclear.policyfiles.importing.draft import Draft

_DECISIONS = {"allow": Effect.ALLOW, "ask_user": Effect.ASK, "deny": Effect.DENY}
_KNOWN = frozenset({"toolName", "commandPrefix", "mcpName", "decision", "priority"})
_SHELL = "run_shell_command"


def read(text: str, where: str, draft: Draft) -> None:
    """Add what a policy file says. Raises ``ImportFault`` where it is none."""
    try:
        rules = tomllib.loads(text).get("rule", [])
    except tomllib.TOMLDecodeError as error:
        raise ImportFault(f"{where}: not TOML: {error}") from None
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ImportFault(f"{where}: `rule` must be a list of tables")
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
    names = _listed(rule.get("toolName", "*"))
    prefixes = _listed(rule["commandPrefix"]) if "commandPrefix" in rule else None
    server = rule.get("mcpName")
    for name in names:
        if prefixes is not None and name == _SHELL:
            texts = [f"Bash({' '.join(map(quoted, prefix.split()))} *)" for prefix in prefixes]
        elif server is not None:
            texts = [f"mcp__{server}" if name == "*" else f"mcp__{server}__{name}"]
        else:
            texts = [name]
        for text in texts:
            if draft.carry(effect, text, where, told) and rule.get("priority") is not None:
                draft.change(where, told, "its priority doesn't count: deny beats ask beats allow")


def _listed(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
