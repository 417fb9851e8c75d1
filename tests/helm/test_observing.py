"""The dashboard and the alerts, against the names that the code exports."""

import json
import re
from pathlib import Path

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


def used(queries):
    return {name for query in queries for name in re.findall(r"recollect_[a-z_]+", query)}


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


def test_panels_lie_beside_each_other():
    """No two panels cover the same place."""
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()]
    assert len(set(places)) == len(places)


def test_labels_of_queries_exist():
    """`by (…)` and `{…}` name labels of the metric that they stand at."""
    labels = {label for metric in METRICS for label in metric.labels} | {"le"}
    queries = [target["expr"] for panel in panels() for target in panel["targets"]]
    queries += [rule["expr"] for rule in rules()]
    for query in queries:
        listed = re.findall(r"by \(([^)]*)\)", query) + re.findall(r"\{(\w+)[!=~]", query)
        asked = {label.strip() for group in listed for label in group.split(",")}
        assert asked <= labels, query


def test_an_alert_says_what_to_look_at():
    """Each has a severity, a summary and a description."""
    for rule in rules():
        assert rule["labels"]["severity"] in {"warning", "critical"}, rule["alert"]
        assert {"summary", "description"} <= set(rule["annotations"]), rule["alert"]
