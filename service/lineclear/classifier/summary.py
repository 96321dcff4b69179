"""What the service knows by itself of a call, as JSON for a model: where it runs, and what analysis found.

Secrets are taken out of a text before it is shortened: a cut through one would leave a half that nobody recognises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.classifier.budget import shortened
from lineclear.core.effects import Proof
from lineclear.core.paths.locate import inside
from lineclear.core.redact import redact

if TYPE_CHECKING:
    from lineclear.core.call import JSON
    from lineclear.core.effects import Command, Effects, Touch
    from lineclear.core.facts import Facts

MAX_PARTS = 40
"""Commands, paths and hosts that are listed, each; the call itself is shown whole beside them."""
MAX_TEXT = 200
"""Longest text of one of them, in characters."""


def summary(facts: Facts) -> JSON:
    """The facts; nothing in it rests on the agent's word but what the call itself says. Raises ``RedactionError``."""
    call, environment = facts.call, facts.call.environment
    return {
        "mode": call.mode.value,
        "working_directory": environment.cwd,
        "workspace_roots": None if environment.roots is None else list(environment.roots),
        "called_by": "main agent" if call.agent.main else "sub-agent",
        "tool": {"kind": facts.tool.kind.value, "source": facts.tool.source.value, "language": facts.tool.language},
        "analysis": _analysis(facts, facts.effects),
    }


def _analysis(facts: Facts, effects: Effects) -> JSON:
    return {
        "not_understood": None if effects.doubt is None else effects.doubt.value,
        "commands": [_command(command) for command in effects.commands[:MAX_PARTS]],
        "paths": [_touch(facts, touch) for touch in effects.touches[:MAX_PARTS]],
        "connects_to": [_short(host.url) for host in effects.hosts[:MAX_PARTS]],
        "parts_not_listed": sum(
            max(0, len(parts) - MAX_PARTS) for parts in (effects.commands, effects.touches, effects.hosts)
        ),
    }


def _command(command: Command) -> JSON:
    return {
        "text": _short(command.text),
        "only_reads": command.proof is Proof.READ_ONLY,
        "why_not": _short(command.why) or None,
    }


def _touch(facts: Facts, touch: Touch) -> JSON:
    place = touch.place
    return {
        "path": _short(touch.spelled),
        "deed": touch.deed.value,
        "recursive": touch.recursive,
        "inside_workspace": place is not None and inside(place, facts.call.environment, writing=True),
    }


def _short(text: str) -> str:
    kept, _ = redact(text)
    return shortened(str(kept), MAX_TEXT)
