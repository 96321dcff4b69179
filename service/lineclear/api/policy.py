"""The policy in force, where it came from, and whether all replicas agree on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec
from fastapi import APIRouter, Response

from lineclear.core.modes import Mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.policy import Policy


class ReplicaDocument(msgspec.Struct, frozen=True):
    """A live replica and the version that it decides by."""

    id: str
    policy_version: str
    seen_at: str


class VersionDocument(msgspec.Struct, frozen=True):
    """A version that came into force: when first, and out of which commit of the team's repository, if any.

    ``modified`` tells whether the files differed from the commit.
    """

    version: str
    first_seen_at: str
    commit: str | None
    modified: bool | None


class ModesDocument(msgspec.Struct, frozen=True):
    """The mode where a call names none, and all that a host may wish for."""

    default: Mode
    allowed: list[Mode]


class PolicyDocument(msgspec.Struct, frozen=True):
    """The policy in force on the replica that answers."""

    version: str
    files: list[str]
    modes: ModesDocument
    enforcement: str
    versions: list[VersionDocument]
    replicas: list[ReplicaDocument]
    agree: bool
    warnings: list[str]


class PolicyView(Protocol):
    """What the endpoint shows."""

    @property
    def current(self) -> Policy:
        """The policy in force."""

    @property
    def warnings(self) -> Sequence[str]:
        """What was refused or is odd."""

    async def replicas(self) -> Sequence[ReplicaDocument]:
        """The live replicas. Raises ``StorageUnavailable``."""

    async def versions(self) -> Sequence[VersionDocument]:
        """The latest versions on all replicas, newest first. Raises ``StorageUnavailable``."""


def router(view: PolicyView) -> APIRouter:
    """The routes of the security team."""
    routes = APIRouter(tags=["policy"])

    @routes.get("/v1/policy", summary="The policy in force", operation_id="read_policy")
    async def read() -> Response:
        """Version, files, modes, the latest versions, and those of all live replicas."""
        policy = view.current
        modes = policy.modes
        replicas = list(await view.replicas())
        document = PolicyDocument(
            version=policy.version,
            files=list(policy.files),
            modes=ModesDocument(modes.default, [mode for mode in Mode if mode in modes.allowed]),
            enforcement="enforce" if policy.enforce else "observe",
            versions=list(await view.versions()),
            replicas=replicas,
            agree=all(replica.policy_version == policy.version for replica in replicas),
            warnings=list(view.warnings),
        )
        return Response(msgspec.json.encode(document), media_type="application/json")

    return routes
