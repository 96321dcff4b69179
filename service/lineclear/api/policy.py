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


def router(view: PolicyView) -> APIRouter:
    """The routes of the security team."""
    routes = APIRouter(tags=["policy"])

    @routes.get("/v1/policy", summary="The policy in force", operation_id="read_policy")
    async def read() -> Response:
        """Version, files, modes, and the versions of all live replicas."""
        policy = view.current
        modes = policy.modes
        replicas = list(await view.replicas())
        document = PolicyDocument(
            version=policy.version,
            files=list(policy.files),
            modes=ModesDocument(modes.default, [mode for mode in Mode if mode in modes.allowed]),
            enforcement="enforce" if policy.enforce else "observe",
            replicas=replicas,
            agree=all(replica.policy_version == policy.version for replica in replicas),
            warnings=list(view.warnings),
        )
        return Response(msgspec.json.encode(document), media_type="application/json")

    return routes
