"""The policy in force on this replica, what the others decide by, and what is odd about either."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import structlog

from lineclear import resources
from lineclear.api.policy import ReplicaDocument
from lineclear.bootstrap.problem import CannotStart
from lineclear.classifier.prompts import DIGEST
from lineclear.engine.log import StorageUnavailable
from lineclear.policyfiles.load import load
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.watch import Policies
from lineclear.storage.replicas import BEAT_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.policy import Policy
    from lineclear.storage.replicas import Replica, Replicas
    from lineclear.telemetry.metrics import Metrics

log = structlog.get_logger("lineclear.policies")


def folder(chosen: Path | None) -> Path:
    """The folder of the policies in force. Raises ``CannotStart`` where the chosen one isn't there."""
    if chosen is not None and not chosen.is_dir():
        raise CannotStart(f"there is no folder of policies `{chosen}`")
    return resources.in_force(chosen, Path.cwd())


def loaded(chosen: Path | None) -> Policy:
    """The policy of a folder, once. Raises ``CannotStart`` with each fault's file, line and column."""
    place = folder(chosen)
    try:
        return load(place, resources.builtin(), DIGEST)
    except PolicyError as error:
        raise CannotStart(refused(place, error)) from None


def refused(place: Path, error: PolicyError) -> str:
    """What is wrong with the policies of a folder, a line each."""
    return "\n".join([f"the policies in `{place}` can't be used:", *map(str, error.problems)])


def opened_policies(chosen: Path | None, metrics: Metrics) -> Policies:
    """The policies of a folder, to be watched. Raises ``CannotStart`` as ``loaded`` does."""

    def refusal(error: PolicyError) -> None:
        metrics.policy_refused()
        log.warning("policy_refused", problems=[str(problem) for problem in error.problems])

    place = folder(chosen)
    try:
        return Policies(place, resources.builtin(), prompts=DIGEST, on_refusal=refusal)
    except PolicyError as error:
        raise CannotStart(refused(place, error)) from None


class Watched:
    """The policies in force, and this replica's word on them to the others."""

    def __init__(self, policies: Policies, replicas: Replicas, metrics: Metrics) -> None:
        self._policies = policies
        self._replicas = replicas
        self._metrics = metrics
        self._id = f"{socket.gethostname()}-{secrets.token_hex(3)}"
        self._others: frozenset[str] = frozenset()
        self._told = self.current.version
        metrics.policy_loaded(self._told, time.time())

    @property
    def current(self) -> Policy:
        """The policy in force."""
        return self._policies.current

    @property
    def warnings(self) -> Sequence[str]:
        """What was refused at the last reload, and whether replicas disagree."""
        found = list(self._policies.warnings)
        if self._others:
            found.append(f"other replicas decide by another policy version: {', '.join(sorted(self._others))}")
        return found

    async def replicas(self) -> Sequence[ReplicaDocument]:
        """The live replicas, this one among them."""
        await self._beat()
        return [
            ReplicaDocument(one.id, one.policy_version, one.seen_at.isoformat()) for one in await self._replicas.all()
        ]

    async def heartbeat(self) -> NoReturn:
        """Tell the other replicas, and hear of them, for as long as the task runs."""
        while True:
            with suppress(StorageUnavailable):  # the probe of the database says so
                await self._beat()
            await asyncio.sleep(BEAT_S)

    async def leave(self) -> None:
        """Take this replica off the list, if that can be done."""
        with suppress(StorageUnavailable):  # the others forget it by themselves
            await self._replicas.leave(self._id)

    async def _beat(self) -> None:
        version = self.current.version
        if version != self._told:
            self._told = version
            log.info("policy_loaded", version=version)
            self._metrics.policy_loaded(version, time.time())
        await self._replicas.beat(self._id, version)
        self._hear(await self._replicas.all())

    def _hear(self, live: Sequence[Replica]) -> None:
        others = [one.policy_version for one in live if one.policy_version != self.current.version]
        self._others = frozenset(others)
        self._metrics.replicas_disagree(len(others))
