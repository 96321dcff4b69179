"""For whom the rules of a team are meant: by the caller's key, its host, and where it works.

Where the host or the workspace isn't known, what tightens holds, and what loosens doesn't.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.core.paths.locate import locate
from lineclear.core.paths.matcher import PathIndex

if TYPE_CHECKING:
    from lineclear.core.call import Call
    from lineclear.core.paths.pattern import PathPattern


@dataclass(frozen=True, slots=True)
class Audience:
    """A team's ``applies_to``: every part that is set must hold, any element of it is enough.

    ``repositories`` are patterns of workspace roots and directories, each read from the root of the file system.
    """

    groups: frozenset[str] | None = None
    principals: frozenset[str] | None = None
    hosts: frozenset[str] | None = None
    repositories: tuple[PathPattern, ...] | None = None

    def holds(self, call: Call, *, strict: bool) -> bool:
        """Whether a call is one of the team's; ``strict`` for allow rules."""
        host = call.agent.host
        return (
            (self.groups is None or bool(self.groups & call.principal.groups))
            and (self.principals is None or call.principal.id in self.principals)
            and (self.hosts is None or host in self.hosts or (host is None and not strict))
            and (self.repositories is None or self._is_there(call, self.repositories, strict=strict))
        )

    def _is_there(self, call: Call, repositories: tuple[PathPattern, ...], *, strict: bool) -> bool:
        environment = call.environment
        folders = [*(environment.roots or ()), *([environment.cwd] if environment.cwd is not None else ())]
        if strict or not folders:
            return not strict
        index = _index(repositories)
        return any(index.match(locate(folder, environment, environment.cwd), environment) for folder in folders)


@lru_cache(maxsize=64)
def _index(patterns: tuple[PathPattern, ...]) -> PathIndex:
    return PathIndex((pattern, False) for pattern in patterns)
