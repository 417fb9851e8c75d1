"""One scrape of a process."""

from prometheus_client.parser import text_string_to_metric_families

from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.exposition import MetricFamily
from recollect.proxy.telemetry.names import METRICS
from recollect.proxy.telemetry.scrape import Scrape
from recollect.proxy.telemetry.totals import Totals


def scrape(jobs):
    async def told():
        return jobs

    return Scrape(
        totals=Totals(),
        jobs=told,
        loop=lambda: {"stalls": 2, "longest_ms": 250},
        breaker_open=lambda: True,
        graph=lambda: {"linked": 7, "waiting": 2},
        slow_counts=slow_counts,
    )


async def slow_counts():
    return [
        MetricFamily(names.QUARANTINED, {(): 4}),
        MetricFamily(names.LEFT_OUT, {(): 1}),
        MetricFamily(names.CONFLICTS, {}),
    ]


async def samples(jobs):
    text = await scrape(jobs).text()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_what_readyz_counts_is_there():
    """One source for both, so they cannot differ."""
    found = await samples({"ready": 3, "dead": 1, "oldest_seconds": 40, "lost": 2, "overflow": 5})
    assert found["recollect_queue_jobs", "dead"] == 1
    assert found["recollect_queue_oldest_seconds",] == 40
    assert found["recollect_lost_turns_total",] == 2
    assert found["recollect_queue_overflows_total",] == 5
    assert found["recollect_loop_longest_stall_seconds",] == 0.25
    assert found["recollect_breaker_open",] == 1
    assert found["recollect_graph_linked_total",] == 7
    assert found["recollect_graph_waiting",] == 2


async def test_a_queue_that_does_not_answer_has_no_figures():
    """Zero would say that nothing waits."""
    found = await samples({"lost": 2})
    assert not [key for key in found if key[0].startswith("recollect_queue_oldest")]
    assert found["recollect_lost_turns_total",] == 2


async def test_every_declared_metric_is_exported():
    """A name that nothing exports would be an alert that never fires."""
    text = await scrape({"ready": 0}).text()
    assert [metric.name for metric in METRICS if f"# TYPE {metric.name} " not in text] == []
