"""The course of a run: who is started, on which processors, and which cells they run in what order."""

from __future__ import annotations

import multiprocessing
import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.service import serving
from benchmarks.speed import cells, cerbos, echo, growth, guards, models, starting, workload
from benchmarks.speed.cells import Contestant, Race
from benchmarks.speed.goals import ALONE, AUDITED, ECHO, MODELS, ONE_SESSION, PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ProcessPoolExecutor
    from pathlib import Path

    from benchmarks.service import Service

PATH = "/v1/decisions"
OURS = "Lineclear"
EACH_NEW = "each call new"


@dataclass(frozen=True, slots=True)
class Length:
    """How long everything takes: ``seconds`` of a turn, ``repeats`` of turns, and how far the growth is followed."""

    seconds: float
    repeats: int
    connections: tuple[int, ...] = (1, 4, 16, 64, 256)
    rows: tuple[int, ...] = (100_000, 400_000)
    rules: tuple[int, ...] = (100, 1_000, 10_000)


FULL = Length(2.0, 5)
QUICK = Length(0.7, 3, (4, 64), (50_000,), (100, 10_000))
GATE = Length(0.8, 3)


@dataclass(frozen=True, slots=True)
class Place:
    """Where it runs: the loaders, the servers' processors, the loaders', and who is told how far it has come."""

    loaders: ProcessPoolExecutor
    servers: frozenset[int]
    cpus: frozenset[int]
    told: Callable[[str], None]

    def race(self, length: Length) -> Race:
        """A race of that length."""
        return Race(self.loaders, self.cpus, length.seconds, self.told)


def run(place: Place, length: Length, folder: Path) -> dict[str, Any]:
    """All of it but what needs no server. Raises what says that there is nothing to report."""
    race = place.race(length)
    with ExitStack() as stack:
        service, ours, echoed = _started(stack, place, folder)
        seen = guards.all_on(service)
        fresh = cells.resident_mib(service.pid)
        peers = _peers(stack, folder, place)
        one_session = replace(ours, name=ONE_SESSION, bodies=workload.bodies(1))
        each_new = replace(ours, name=EACH_NEW, bodies=workload.bodies_each_new())
        found = {
            "16 connections": race.run([ours, one_session, each_new, echoed, *peers], 16, length.repeats),
            "1 connection": race.run([ours, echoed, *peers], 1, length.repeats),
        }
        few = max(2, length.repeats // 2)
        grown = {
            "connections": growth.connections(race, ours, length.connections, few),
            "sessions": growth.sessions(race, ours, few),
            "rows": growth.rows(race, ours, service, length.rows, few),
        }
        loaded = cells.resident_mib(service.pid)
        found["16 connections, models at work"] = _with_models(race, length, place, folder)
        return {
            "on": seen,
            "peers": {"cerbos": cerbos.version()} if peers else {},
            "seconds": length.seconds,
            "repeats": length.repeats,
            "cells": found,
            "growth": grown,
            "start": starting.measured(folder, place.servers, service, few),
            "memory_mib": {"fresh": fresh, "loaded": loaded},
        }


def short(place: Place, length: Length, folder: Path) -> dict[str, Any]:
    """The one cell that the gate looks at."""
    with ExitStack() as stack:
        service, ours, echoed = _started(stack, place, folder)
        guards.all_on(service)
        return place.race(length).run([ours, echoed], 16, length.repeats)


def _started(stack: ExitStack, place: Place, folder: Path) -> tuple[Service, Contestant, Contestant]:
    context = multiprocessing.get_context("spawn")
    echo_pid, echo_port = stack.enter_context(echo.echoing(context))
    os.sched_setaffinity(echo_pid, place.servers)
    policies = workload.policies(folder / "policies")
    service = stack.enter_context(serving(policies=policies, cpus=place.servers))
    ours = Contestant(OURS, service.pid, service.port, PATH, workload.bodies(), service.key())
    return service, ours, replace(ours, name=ECHO, pid=echo_pid, port=echo_port)


def _peers(stack: ExitStack, folder: Path, place: Place) -> list[Contestant]:
    if not cerbos.PROGRAM.exists():
        place.told("no Cerbos at build/peers: `make peers` fetches it; without it there are no ratios to it")
        return []
    return [
        stack.enter_context(cerbos.serving(name, folder / name, place.servers, audit=audit))
        for name, audit in ((AUDITED, True), (PLAIN, False))
    ]


def _with_models(race: Race, length: Length, place: Place, folder: Path) -> dict[str, Any]:
    """A service with a model, turn by turn with calls that wait for it and without."""
    context = multiprocessing.get_context("spawn")
    with (
        models.answering(context, place.cpus) as settings,
        serving(policies=folder / "policies", cpus=place.servers, **settings) as service,
    ):
        ours = Contestant(MODELS, service.pid, service.port, PATH, workload.bodies(), service.key())
        waiting = models.Waiting(place.loaders, place.cpus, replace(ours, bodies=workload.bodies_for_a_model()))
        beside = partial(waiting.for_, race.turn_s)
        return race.run([ours, replace(ours, name=ALONE)], 16, length.repeats, beside)
