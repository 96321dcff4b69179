"""The policy in force on this replica, what the others decide by, and what is odd about either."""

from __future__ import annotations

import asyncio
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from lineclear import resources
from lineclear.api.policy import ReplicaDocument, VersionDocument
from lineclear.bootstrap.problem import CannotStart
from lineclear.classifier.prompts import DIGEST
from lineclear.engine.log import StorageUnavailable
from lineclear.policyfiles.load import load
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.watch import Loaded, Policies
from lineclear.storage.replicas import BEAT_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.bootstrap.journal import Journal
    from lineclear.core.policy import Policy
    from lineclear.storage.replicas import Replica, Replicas
    from lineclear.storage.versions import PolicyVersions
    from lineclear.telemetry.metrics import Metrics

MOST_VERSIONS = 20
"""So many versions are told of, the latest."""


def folder(chosen: Path | None) -> Path:
    """The folder of the policies in force. Raises ``CannotStart`` where the chosen one isn't there."""
    if chosen is not None and not chosen.is_dir():
        told = "is a file; name the folder that holds `organisation/`" if chosen.exists() else "isn't there"
        raise CannotStart(f"the folder of policies `{chosen}` {told}")
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


def opened_policies(place: Path, journal: Journal) -> Policies:
    """The policies of a folder, to be watched. Raises ``CannotStart`` as ``loaded`` does."""
    try:
        policies = Policies(
            place, resources.builtin(), prompts=DIGEST, on_refusal=journal.refused, on_load=journal.loaded
        )
    except PolicyError as error:
        raise CannotStart(refused(place, error)) from None
    journal.loaded(Loaded(policies.current, mended=False))
    return policies


class Watched:
    """The policies in force, and this replica's word on them to the others."""

    def __init__(
        self, policies: Policies, journal: Journal, replicas: Replicas, versions: PolicyVersions, metrics: Metrics
    ) -> None:
        self._policies = policies
        self._journal = journal
        self._replicas = replicas
        self._versions = versions
        self._metrics = metrics
        self._id = f"{socket.gethostname()}-{secrets.token_hex(3)}"
        self._others: frozenset[str] = frozenset()

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

    async def versions(self) -> Sequence[VersionDocument]:
        """The latest versions on all replicas, newest first."""
        await self._note()
        return [
            VersionDocument(one.version, one.first_seen_at.isoformat(), one.commit, one.modified)
            for one in await self._versions.latest(MOST_VERSIONS)
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
        await self._note()
        await self._replicas.beat(self._id, self.current.version)
        self._hear(await self._replicas.all())

    async def _note(self) -> None:
        """Keep the versions that came into force since; what can't be kept now is kept later."""
        unwritten = self._journal.unwritten
        while unwritten:
            version = unwritten[0]
            await self._versions.note(version)
            with suppress(ValueError):  # another look was as fast
                unwritten.remove(version)

    def _hear(self, live: Sequence[Replica]) -> None:
        others = [one.policy_version for one in live if one.policy_version != self.current.version]
        self._others = frozenset(others)
        self._metrics.replicas_disagree(len(others))
