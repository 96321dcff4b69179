"""Codex' rule files: calls of ``prefix_rule`` with literal arguments, each with the first words of a command.

Of several rules that match the strictest counts there too. A denial or a question means more here: it also holds past
wrappers, global options and the folder of the program; an allowance also covers a pattern of file names. Source:
"Rules" of Codex' manual; the readme of its execpolicy.
"""

from __future__ import annotations

import ast
import re
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing.faults import ImportFault

if TYPE_CHECKING:
    from lineclear.policyfiles.importing.draft import Draft

_DECISIONS = {"allow": Effect.ALLOW, "prompt": Effect.ASK, "forbidden": Effect.DENY}
_RULE = "prefix_rule"
_MOST_ALTERNATIVES = 500
_PLAIN = re.compile(r"[\w@%+=:,./-]+")


def read(text: str, where: str, draft: Draft) -> None:
    """Add what a rule file says. Raises ``ImportFault`` where it is none."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ImportFault(f"{where}: not a rule file: {error}") from None
    for statement in module.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        place = f"{where}:{statement.lineno}"
        if isinstance(call, ast.Constant):
            continue
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != _RULE or call.args:
            draft.drop(place, ast.unparse(statement), f"only `{_RULE}` with named arguments is carried over")
            continue
        _rule(call, place, draft)


def _rule(call: ast.Call, where: str, draft: Draft) -> None:
    told = ast.unparse(call)
    try:
        given = {one.arg: ast.literal_eval(one.value) for one in call.keywords if one.arg is not None}
    except ValueError:
        draft.drop(where, told, "its arguments aren't literal")
        return
    effect = _DECISIONS.get(given.get("decision", "allow"))
    pattern = given.get("pattern")
    if effect is None or not isinstance(pattern, list) or not pattern:
        draft.drop(where, told, "it has no pattern, or no decision that is known")
        return
    choices = [part if isinstance(part, list) else [part] for part in pattern]
    if (many := prod(map(len, choices))) > _MOST_ALTERNATIVES:
        draft.drop(where, told, f"its alternatives stand for {many} commands; write what they have in common")
        return
    for words in product(*choices):
        if not all(isinstance(word, str) for word in words):
            draft.drop(where, told, "a word of its pattern is no text")
            return
        draft.carry(effect, f"Bash({' '.join(map(quoted, words))} *)", where, told)
    if given.get("justification"):
        draft.change(where, told, "its justification stays behind; as a rule of the long form it can have a `reason`")


def quoted(word: str) -> str:
    """A word as a command pattern takes it for itself."""
    return word if _PLAIN.fullmatch(word) else "".join(f"\\{letter}" for letter in word)
