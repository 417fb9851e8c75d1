"""The dashboard and the alerts, against the names that the code exports."""

import json
from pathlib import Path

import promql_parser as promql
import yaml

from recollect.proxy.telemetry.names import METRICS, MetricKind

FILES = Path(__file__).resolve().parents[2] / "helm" / "recollect" / "files"
PARTS = ("_bucket", "_sum", "_count")


def exported():
    """Each name that a query may use, with the metric that it belongs to."""
    names = {metric.name: metric.name for metric in METRICS}
    for metric in METRICS:
        if metric.kind is MetricKind.HISTOGRAM:
            names |= {metric.name + part: metric.name for part in PARTS}
    return names


def parts(expression, above=""):
    """Each selector of a parsed query, with the function that it is given to."""
    if isinstance(expression, promql.MatrixSelector):
        expression = expression.vector_selector
    if isinstance(expression, promql.VectorSelector):
        yield expression, above
        return
    if isinstance(expression, promql.Call):
        below, above = expression.args, expression.func.name
    elif isinstance(expression, promql.BinaryExpr):
        below = [expression.lhs, expression.rhs]
    else:
        below = [expression.expr] if hasattr(expression, "expr") else []
    for each in below:
        yield from parts(each, above)


def groupings(expression):
    """The labels of each `by (…)` in a parsed query."""
    modifier = getattr(expression, "modifier", None)
    if isinstance(expression, promql.AggregateExpr) and modifier is not None:
        yield from modifier.labels
    below = [getattr(expression, name, None) for name in ("expr", "lhs", "rhs")]
    for each in [*filter(None, below), *getattr(expression, "args", ())]:
        yield from groupings(each)


def queries():
    """All queries of both files, parsed by Prometheus's grammar; one that is none is an error."""
    told = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [promql.parse(query) for query in (*told, *(rule["expr"] for rule in rules()))]


def used(texts):
    return {one.name for text in texts for one, _ in parts(promql.parse(text))}


def panels():
    return json.loads((FILES / "dashboard.json").read_text())["panels"]


def drawn():
    return used(target["expr"] for panel in panels() for target in panel["targets"])


def rules():
    groups = yaml.safe_load((FILES / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_every_query_uses_exported_names():
    """A renamed metric would leave an empty panel and an alert that never fires."""
    assert (drawn() | used(rule["expr"] for rule in rules())) - set(exported()) == set()


def test_every_metric_is_drawn():
    """What is exported is seen without writing a query."""
    known = exported()
    assert {metric.name for metric in METRICS} - {known[name] for name in drawn()} == set()


def test_labels_of_queries_exist():
    """`{…}` names labels of the metric that it stands at, `by (…)` those of the query's metrics."""
    known, labels = exported(), {metric.name: {*metric.labels, "le"} for metric in METRICS}
    for query in queries():
        there = set()
        for selector, _ in parts(query):
            own = labels[known[selector.name]]
            there |= own
            assert {one.name for one in selector.matchers.matchers} <= own, query.prettify()
        assert set(groupings(query)) <= there, query.prettify()


def test_rates_are_of_what_only_grows():
    """A rate of a gauge, or a counter as it is, draws a figure that means nothing."""
    gauges = {metric.name for metric in METRICS if metric.kind is MetricKind.GAUGE}
    for query in queries():
        for selector, function in parts(query):
            grows = function in {"rate", "increase"}
            assert grows != (selector.name in gauges), query.prettify()


def test_an_alert_says_what_to_look_at():
    """Each has a severity, a summary and a description."""
    for rule in rules():
        assert rule["labels"]["severity"] in {"warning", "critical"}, rule["alert"]
        assert {"summary", "description"} <= set(rule["annotations"]), rule["alert"]
