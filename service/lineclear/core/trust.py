"""Who may say what: the one place where a caller's word is believed, narrowed or ignored.

Each field of a request has one row in ``docs/trust.md``; each row is one function or one line here. A ``host`` runs
the agent and is believed; an ``agent`` is code that the model can influence, so nothing that it states about its
surroundings may loosen a verdict: its call is judged as stated and as if it had stated nothing, and the stricter
verdict counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from lineclear.core.call import Agent, Call, Environment, Role
from lineclear.core.paths.locate import inside, locate
from lineclear.core.paths.roots import acceptable_root, is_absolute, listed, narrowed
from lineclear.core.policy import Trust

if TYPE_CHECKING:
    from lineclear.core.call import Key, Stated
    from lineclear.core.policy import Policy, Workspace

MAIN = "main"
SUB_AGENT = "sub-agent"


class Belief(Struct, frozen=True):
    """What is believed of a stated call.

    ``readings`` are the calls to judge, of whose verdicts the strictest counts. ``roots`` are the session's workspace
    roots from now on, None while nobody has named any. ``ignored_roots`` were asked for and not taken.
    """

    readings: tuple[Call, ...]
    roots: tuple[str, ...] | None
    ignored_roots: tuple[str, ...] = ()


def believe(stated: Stated, key: Key, policy: Policy, roots: tuple[str, ...] | None) -> Belief:
    """Apply the rows of the trust table to a call; ``roots`` are those that its session has fixed already."""
    if key.role is Role.HOST:
        environment, kept, ignored = _surroundings(stated.environment, policy.workspace, roots)
        return Belief((_call(stated, key, policy, environment),), kept, ignored)
    claimed = replace(stated.environment, real_paths={}, repository_trusted=False)
    environment, _, ignored = _surroundings(claimed, policy.workspace, roots)
    unstated, _, _ = _surroundings(Environment(), policy.workspace, roots)
    readings = tuple(_call(stated, key, policy, reading) for reading in (environment, unstated))
    return Belief(readings, roots, ignored)


def speaks_for_the_user(stated: Stated, key: Key) -> bool:
    """Whether the messages of a call are believed to be the user's: a host's, for the agent that the user talks to."""
    return key.role is Role.HOST and _agent(stated.agent).main


def _call(stated: Stated, key: Key, policy: Policy, environment: Environment) -> Call:
    host = key.role is Role.HOST
    return Call(
        session_id=stated.session_id,
        principal=key.principal,
        tool_name=stated.tool_name,
        tool_input=stated.tool_input,
        tool_use_id=stated.tool_use_id,
        mode=policy.modes.effective(stated.mode, may_loosen=host),
        environment=environment,
        agent=_agent(stated.agent) if host else Agent(type=SUB_AGENT, is_async=True),
        allowed_tools=stated.allowed_tools,
        interactive=host and stated.interactive is not False,
        context=stated.context,
    )


def _agent(agent: Agent) -> Agent:
    return Agent(agent.host, agent.id, agent.type or MAIN, bool(agent.is_async))


_Roots: TypeAlias = "tuple[str, ...] | None"
_Surroundings: TypeAlias = "tuple[Environment, _Roots, tuple[str, ...]]"
"""The environment to judge in, the session's roots from now on, and the roots that were ignored."""

_MOST_ROOTS_KEPT = 8
"""With more roots than these, what is believed is worked out anew: what is kept stays small, whoever asks."""


def _surroundings(claimed: Environment, workspace: Workspace, fixed: _Roots) -> _Surroundings:
    """What is believed of surroundings; kept, since those of a session stay the same from call to call.

    Paths that the caller resolved come with the call that needs them, so that nothing is gained by keeping them.
    """
    if claimed.real_paths or len(claimed.roots or ()) + len(fixed or ()) > _MOST_ROOTS_KEPT:
        return _believed(claimed, workspace, fixed)
    return _kept(claimed, workspace, fixed)


def _believed(claimed: Environment, workspace: Workspace, fixed: _Roots) -> _Surroundings:
    cwd = claimed.cwd if claimed.cwd and is_absolute(claimed.cwd) else None
    claimed = replace(claimed, cwd=cwd)
    stand_in = (cwd,) if cwd else ()
    asked = claimed.roots if claimed.roots is not None else stand_in
    usable = tuple(root for root in asked if acceptable_root(root, claimed, workspace.allow_roots))
    refused = tuple(root for root in asked if root not in usable)
    if fixed is None:
        named = claimed.roots is not None or bool(usable)
        roots, ignored = (usable, refused) if named else (None, refused)
    elif claimed.roots is None:
        roots, ignored = fixed, ()
    else:
        roots, wider = narrowed(fixed, usable, claimed)
        ignored = (*refused, *wider)
    environment = replace(claimed, roots=roots)
    trusted = claimed.repository_trusted and _may_trust(environment, workspace)
    if trusted and cwd is not None:
        trusted = inside(locate(cwd, environment, cwd), environment, writing=False)
    return replace(environment, repository_trusted=trusted), roots, ignored if claimed.roots is not None else ()


def _may_trust(environment: Environment, workspace: Workspace) -> bool:
    """Whether the policy lets a host's word count in the directory of the call."""
    match workspace.trust_repositories:
        case Trust.INSIDE_ROOTS:
            return True
        case Trust.LISTED:
            return environment.cwd is not None and listed(environment.cwd, environment, workspace.trusted_repositories)
        case Trust.NEVER:
            return False


_kept = lru_cache(maxsize=512)(_believed)
