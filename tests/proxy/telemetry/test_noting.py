"""What spans say."""

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from recollect.memory.model.types import EventKind
from recollect.proxy.telemetry.noting import DECISION_SPANS, note_status


def test_an_answer_that_never_came_has_no_status():
    """The client left, or the model server did not answer."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("test").start_as_current_span("chat") as span:
        note_status(span, None)
    [ended] = exporter.get_finished_spans()
    assert not ended.attributes
    provider.shutdown()


def test_what_changes_nothing_has_no_span():
    """Spans are for memories that changed."""
    assert EventKind.NONE not in DECISION_SPANS
    assert {"create_memory", "update_memory", "delete_memory"} == set(DECISION_SPANS.values())
