"""Judging a request by a policy as a key of a role would, without a service."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

from lineclear.core.call import Key, Principal, Role
from lineclear.core.checks import Undecided, unclassified
from lineclear.core.own import Own
from lineclear.core.reasons import Code
from lineclear.engine.judge import Past, judge
from lineclear.policyfiles.compiling import Beneath
from lineclear.policyfiles.load import load_text
from lineclear.wire.request import from_mapping

TODAY = date(2026, 6, 1)
ENVIRONMENT = {
    "workspace_roots": ["/work/repo"],
    "home": "/home/dev",
    "platform": "linux",
    "shell": "bash",
    "repository_trusted": True,
}
ROOT = Path(__file__).parents[2]


def key(role=Role.HOST):
    return Key("k1", role, Principal("test"))


@cache
def policy(organisation: str = "version: 1\n"):
    """The built-in policy with an organisation layer of this text."""
    return load_text(organisation, builtin())


@cache
def builtin():
    """What lies beneath every policy, read once."""
    return Beneath.read(ROOT / "policies" / "builtin")


def call(tool_name, tool_input, **more):
    return {
        "session_id": "s",
        "tool_name": tool_name,
        "tool_input": tool_input,
        "cwd": "/work/repo",
        "environment": ENVIRONMENT,
    } | more


def outcome(request, organisation="version: 1\n", role=Role.HOST, roots=None):
    """The decision; what is left to a model is answered as without one."""
    by = policy(organisation)
    result = judge(from_mapping(request), key(role), by, Own(), TODAY, Past(roots)).outcome
    if isinstance(result, Undecided):
        return unclassified(by, result, Code.CLASSIFIER_UNAVAILABLE, "no model")
    return result


def answer(request, organisation="version: 1\n", role=Role.HOST):
    """Verdict and code, as `allow safe_tool`."""
    decision = outcome(request, organisation, role)
    return f"{decision.verdict.value} {decision.code}"


def in_mode(mode, command, permissions=""):
    """The same for a shell command, by a policy that allows every mode and says this besides."""
    modes = "modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}"
    asked = call("Bash", {"command": command}, permission_mode=mode)
    return answer(asked, f"version: 1\n{modes}\n{permissions}\n")


def in_bypass(command, permissions=""):
    """The same in `bypassPermissions`, where nothing but a question or a denial stops it."""
    return in_mode("bypassPermissions", command, permissions)


def in_default(command, permissions=""):
    """The same in `default`, where nothing but evidence lets it pass."""
    return in_mode("default", command, permissions)
