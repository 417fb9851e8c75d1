"""The text format, read by the official parser."""

from prometheus_client.parser import text_string_to_metric_families

from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.exposition import Bars, MetricFamily, exposition
from tests.support.folding import rows


def read(*families):
    text = exposition(families)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@rows("word", ["plain", 'a "quote"', "back\\slash", "line\nbreak", "日本", "}"])
def test_the_official_parser_reads_any_label(word):
    """Whatever a label's value is, it arrives as it was."""
    found = read(MetricFamily(names.FAIL_OPENS, {(word,): 3}))
    assert found == {(names.FAIL_OPENS.name, (("cause", word),)): 3}


def test_bars_count_what_is_below_them():
    """A histogram's bars are cumulative, the last one is all."""
    found = read(MetricFamily(names.RECALL_SECONDS, {(): Bars((0.5, 1.0), (2, 0, 1), 7.25)}))
    name = names.RECALL_SECONDS.name
    assert {labels[0][1]: value for (what, labels), value in found.items() if labels} == {
        "0.5": 2,
        "1": 2,
        "+Inf": 3,
    }
    assert found[f"{name}_sum", ()] == 7.25
    assert found[f"{name}_count", ()] == 3
