"""A result as a person reads it: Markdown, goals first, and what takes from its worth said beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.speed.cells import SATURATED
from benchmarks.speed.goals import goals
from benchmarks.speed.pure import EVERYDAY, LONG
from benchmarks.speed.stages import rest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BEGIN, _END = "<!-- results: written by make bench -->", "<!-- end of results -->"


def into(page: Path, result: dict[str, Any]) -> None:
    """Write the report into its place in a page."""
    before, _, rest = page.read_text().partition(_BEGIN)
    _, _, behind = rest.partition(_END)
    page.write_text("\n".join([before + _BEGIN, "", *lines(result), "", _END + behind]))


def lines(result: dict[str, Any]) -> Iterator[str]:
    """The lines of the report."""
    yield from _where(result)
    yield from _goals(result)
    for name, cell in result["cells"].items():
        yield from _cell(name, cell)
    yield from _growth(result["growth"])
    yield from _inside(result["in_process"])
    yield from _stages(result)
    yield from _process(result)


def _where(result: dict[str, Any]) -> Iterator[str]:
    machine = result["machine"]
    peers = ", ".join(f"{name} {version}" for name, version in result["peers"].items())
    yield (
        f"{result['at'][:10]}, commit {machine['commit']}: {machine['processor']}, {machine['cores']} cores, "
        f"{machine['system']}, {machine['python']}, Postgres {result['on']['postgres']['server_version']}"
        + (f"; beside {peers}" if peers else "; no peer was there")
        + f". Medians of {result['repeats']} turns of {result['seconds']:g} s."
    )
    yield ""
    if not machine["quiet"]:
        yield f"THE MACHINE WAS BUSY (load {machine['load_before']}): look at ratios and processor time, not the clock."
        yield ""


def _goals(result: dict[str, Any]) -> Iterator[str]:
    yield "| goal | measured | bound | |"
    yield "| --- | ---: | ---: | --- |"
    for goal in goals(result):
        bound = f"{'≥' if goal.more else '≤'} {goal.bound:g} {goal.unit}"
        measured = f"{goal.measured:.3f}" if goal.measured < 1 else f"{goal.measured:.4g}"
        yield f"| {goal.name} | {measured} {goal.unit} | {bound} | {'met' if goal.met else '**not met**'} |"
    yield ""


def _cell(name: str, cell: dict[str, Any]) -> Iterator[str]:
    yield f"| {name} | per second | p50 ms | p99 ms | processor µs | the first by this one |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for who, found in cell["medians"].items():
        limit = " (the loader was the limit)" if found["loader_cpu"] > SATURATED else ""
        ratio = f"{cell['ratios'][who]['per_second']:.3f}" if who in cell["ratios"] else ""
        yield (
            f"| {who} | {found['per_second']:.0f}{limit} | {found['p50_ms']:.2f} | {found['p99_ms']:.2f} "
            f"| {found['server_cpu_us']:.0f} | {ratio} |"
        )
    yield ""


def _growth(growth: dict[str, Any]) -> Iterator[str]:
    for what, by in growth.items():
        yield f"| {what} | " + " | ".join(by) + " |"
        yield "| --- |" + " ---: |" * len(by)
        yield "| decisions per second | " + " | ".join(f"{found['per_second']:.0f}" for found in by.values()) + " |"
        yield "| p99 ms | " + " | ".join(f"{found['p99_ms']:.1f}" for found in by.values()) + " |"
        yield ""


def _inside(inside: dict[str, Any]) -> Iterator[str]:
    yield "| in the process, processor time | |"
    yield "| --- | ---: |"
    for rules, figure in inside["judge_us"].items():
        yield f"| judge a short command, {rules} rules | {figure} µs |"
    yield f"| the same with ten conditions reached | {inside['with_conditions_us']} µs |"
    yield f"| analyse a short command (median of {len(EVERYDAY)}) | {inside['analysis_us']} µs |"
    yield f"| analyse a long command (median of {len(LONG)}) | {inside['analysis_long_us']} µs |"
    for length, figure in inside["by_length_us"].items():
        yield f"| analyse everyday commands of {length} characters | {figure} µs |"
    worst = inside["worst"]
    yield f"| the worst of {len(inside['texts_ms'])} hostile texts ({worst['text']}) | {worst['ms']} ms |"
    yield ""


def _stages(result: dict[str, Any]) -> Iterator[str]:
    yield "| where a decision's processor time goes | µs |"
    yield "| --- | ---: |"
    for name, figure in result["stages_us"].items():
        yield f"| {name} | {figure} |"
    yield f"| the rest at 16 connections, seen before: protocol, event loop, driver | {rest(result)} |"
    yield ""


def _process(result: dict[str, Any]) -> Iterator[str]:
    start, memory = result["start"], result["memory_mib"]
    yield "| the service | |"
    yield "| --- | ---: |"
    yield f"| start with {start['rules']} rules, at a database that runs | {start['at_a_server_s']} s |"
    yield f"| the same, making a database of its own first | {start['with_a_new_database_s']} s |"
    yield f"| memory with {start['rules']} rules | {start['memory_mib']} MiB |"
    yield f"| memory with 100 added rules, fresh and after all of this | {memory['fresh']}, {memory['loaded']} MiB |"
