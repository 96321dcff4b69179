"""A result as pictures: SVG files of fixed names, so that a page shows the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_FIGURE_IN = (7.5, 3.2)
_OURS, _OTHER = "#2f6f4f", "#9a9a9a"


def draw(result: dict[str, Any], folder: Path) -> None:
    """Draw peers and growth into a folder. Needs matplotlib, which is in the dependency group ``bench``."""
    _peers(result["cells"]["16 connections"], folder / "peers.svg")
    _growth(result, folder / "growth.svg")


def line(points: Mapping[str, float], title: str, unit: str, file: Path) -> None:
    """One curve over what is named, from zero."""
    figure, axes = _figure(1)
    _curve(axes[0], points, title, unit)
    _save(figure, file)


def _peers(cell: dict[str, Any], file: Path) -> None:
    figure, axes = _figure(2)
    # The echo does nothing: beside it all others are hard to see.
    shown = {name: found for name, found in cell["medians"].items() if name != "echo"}
    colours = [_OURS if not name.startswith("Cerbos") else _OTHER for name in shown]
    for axis, key, title in zip(axes, ("per_second", "p99_ms"), ("requests per second", "p99, ms"), strict=True):
        axis.barh([*shown], [found[key] for found in shown.values()], color=colours)
        axis.invert_yaxis()
        axis.set_title(f"16 connections: {title}", fontsize=9)
    axes[1].set_yticklabels([])
    _save(figure, file)


def _growth(result: dict[str, Any], file: Path) -> None:
    curves = [
        (f"decisions/s by {what}", {name: found["per_second"] for name, found in by.items()}, "per second")
        for what, by in result["growth"].items()
    ]
    inside = result["in_process"]
    curves += [
        ("judge by rules", inside["judge_us"], "µs"),
        ("analysis by characters", inside["by_length_us"], "µs"),
    ]
    figure, axes = _figure(len(curves))
    for axis, (title, points, unit) in zip(axes, curves, strict=True):
        _curve(axis, points, title, unit)
    _save(figure, file)


def _figure(number: int) -> tuple[Any, list[Any]]:
    import matplotlib as mpl  # noqa: PLC0415 - only who draws needs it
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "lineclear", "font.size": 9})
    rows = (number + 2) // 3
    figure = Figure(figsize=(_FIGURE_IN[0], _FIGURE_IN[1] * rows * (0.75 if rows > 1 else 1)), layout="constrained")
    found = figure.subplots(rows, min(number, 3), squeeze=False).flatten()
    for axis in found[number:]:
        axis.set_axis_off()
    return figure, [*found[:number]]


def _curve(axis: Any, points: Mapping[str, float], title: str, unit: str) -> None:
    axis.plot([*points], [*points.values()], marker="o", color=_OURS)
    axis.set_ylim(0, max(points.values()) * 1.15)
    axis.set_title(title, fontsize=9)
    axis.set_ylabel(unit)
    axis.tick_params(axis="x", rotation=30)


def _save(figure: Any, file: Path) -> None:
    figure.savefig(file, format="svg", metadata={"Date": None})
