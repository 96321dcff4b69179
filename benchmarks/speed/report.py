"""A result as a person reads it: Markdown, ratios first, and what takes from its worth said beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def lines(result: dict[str, Any]) -> Iterator[str]:
    """The lines of the report."""
    machine, inside = result["machine"], result["in_process"]
    yield f"{machine['processor']}, {machine['cores']} cores, {machine['python']}, {result['at']}"
    if not machine["quiet"]:
        yield f"THE MACHINE WAS BUSY (load {machine['load_before']}): look at processor time, not at the clock."
    yield ""
    yield "| with everything on | decisions/s | echo/s | ratio | ratio of processor time | p50 ms | p99 ms |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, cell in result["cells"].items():
        ours, echo = cell["lineclear"], cell["echo"]
        limit = " (the loader was the limit)" if cell["loader_saturated"] else ""
        yield (
            f"| {name} | {ours['per_second']:.0f} | {echo['per_second']:.0f}{limit} | {cell['ratio']:.3f} "
            f"| {cell['ratio_of_processor_time']:.3f} | {ours['p50_ms']:.2f} | {ours['p99_ms']:.2f} |"
        )
    yield ""
    yield "| in the process, processor time | |"
    yield "| --- | ---: |"
    for rules, figure in inside["judge_us"].items():
        yield f"| a short command, {rules} rules | {figure} µs |"
    yield f"| growth | {inside['growth']} |"
    yield f"| of which analysis | {inside['analysis_us']} µs |"
    worst = inside["worst"]
    yield f"| the worst of {len(inside['texts_ms'])} hostile texts ({worst['text']}) | {worst['ms']} ms |"
    yield f"| start until ready | {result['start_until_ready_s']} s |"
    yield f"| memory, fresh and loaded | {result['memory_mib']['fresh']}, {result['memory_mib']['loaded']} MiB |"
