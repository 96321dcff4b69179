"""Alert rules and dashboard ask for metrics and labels that the service exports; the dashboard shows all of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import promql_parser
import pytest
import yaml

from lineclear.telemetry.metrics import Metrics
from support.judging import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = "lineclear_"
FROM_PROMETHEUS = {"up": {"job", "instance"}}
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "lineclear.json").read_text())
ALERTS = [
    rule for group in yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text())["groups"] for rule in group["rules"]
]
# A duration that Grafana fills in is none that Prometheus knows.
PANELS = [
    (panel["title"], target["expr"].replace("$__rate_interval", "5m"), target["legendFormat"])
    for panel in DASHBOARD["panels"]
    for target in panel["targets"]
]
EXPRESSIONS = [(rule["alert"], rule["expr"]) for rule in ALERTS] + [(title, expr) for title, expr, _ in PANELS]


@pytest.fixture(scope="module")
def exported() -> dict[str, set[str]]:
    """The labels of each metric: those that the documentation tells, which other tests hold to what is exported."""
    page = (ROOT / "docs" / "operations.md").read_text()
    labels = dict(re.findall(r"^\| `(lineclear_\w+)` \| (.*?) \|", page, re.MULTILINE))
    return {name: set(re.findall(r"`(\w+)`", labels[name])) for name in Metrics("0").names()} | FROM_PROMETHEUS


def selectors(expression: Any) -> Iterator[Any]:
    """Every selection of series in an expression."""
    if isinstance(expression, promql_parser.VectorSelector):
        yield expression
    for part in ("expr", "lhs", "rhs", "selector", "vector_selector"):
        if (inner := getattr(expression, part, None)) is not None:
            yield from selectors(inner)
    for inner in getattr(expression, "args", None) or ():
        yield from selectors(inner)


def base(name: str, known: dict[str, set[str]]) -> str:
    """The metric that a series is of: a histogram has three."""
    return name if name in known else re.sub(r"_(bucket|count|sum)$", "", name)


@pytest.mark.parametrize(("title", "expression"), EXPRESSIONS, ids=[title for title, _ in EXPRESSIONS])
def test_it_asks_for_what_is_exported(exported, title, expression):
    found = list(selectors(promql_parser.parse(expression)))
    assert found, title
    assert {one.name for one in found} == set(re.findall(r"\b(?:lineclear_\w+|up)\b", expression))
    for one in found:
        metric = base(one.name, exported)
        assert metric in exported, one.name
        assert {matcher.name for matcher in one.matchers.matchers} <= exported[metric]
    labels = {name.strip() for names in re.findall(r"\bby \(([^)]*)\)", expression) for name in names.split(",")}
    known = {label for one in found for label in exported[base(one.name, exported)]} | {"le"}
    assert labels <= known


@pytest.mark.parametrize(
    ("title", "expression", "legend"), PANELS, ids=[f"{title}-{at}" for at, (title, *_) in enumerate(PANELS)]
)
def test_a_legend_names_labels_that_are_left(title, expression, legend):
    kept = {name.strip() for names in re.findall(r"\bby \(([^)]*)\)", expression) for name in names.split(",")}
    assert set(re.findall(r"\{\{(\w+)\}\}", legend)) <= kept, title


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_an_alert_says_what_is_wrong(rule):
    assert rule["labels"]["severity"] in {"page", "ticket"}
    summary = rule["annotations"]["summary"]
    kept = set(re.findall(r"\bby \((\w+)\)", rule["expr"]))
    assert set(re.findall(r"\$labels\.(\w+)", summary)) <= kept
    assert summary[0].islower()


def test_the_dashboard_shows_every_metric(exported):
    shown = {base(name, exported) for _, expr, _ in PANELS for name in re.findall(r"lineclear_\w+", expr)}
    assert {name for name in exported if name.startswith(OURS)} - shown == set()


def test_each_panel_has_its_place():
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places)
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(places)
