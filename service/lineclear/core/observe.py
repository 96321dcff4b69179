"""From a believed call to the facts that decide it: which tool it means, and what it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.arguments import InputFault, declared, guessed
from lineclear.core.effects import Effects
from lineclear.core.facts import Facts

if TYPE_CHECKING:
    from datetime import date

    from lineclear.core.call import Call
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy


def observe(call: Call, policy: Policy, own: Own, today: date) -> Facts:
    """Everything that the checks need to know of a call. Total: what can't be read is a fault or a doubt."""
    tool = policy.catalogue.resolve(call.tool_name, call.agent.host).called_with(call.tool_input)
    try:
        effects = declared(tool, call, policy.programs) if tool.arguments else guessed(call, policy.programs)
    except InputFault as fault:
        return Facts(call, tool, Effects(), today, own, fault=str(fault))
    return Facts(call, tool, effects, today, own)
