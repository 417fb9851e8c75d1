"""What spans say."""

import time

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from recollect.memory.jobs.worker import Run, RunOutcome
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import EventKind, Job, Scope
from recollect.proxy.telemetry.noting import DECISION_SPANS, MOST_DECISIONS, note_status
from recollect.proxy.telemetry.tracing import Telemetry


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def tracer(exporter):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider.get_tracer("test")
    provider.shutdown()


@pytest.fixture
def telemetry(tracer):
    return Telemetry(tracer)


def test_an_answer_that_never_came_has_no_status(tracer, exporter):
    """The client left, or the model server did not answer."""
    with tracer.start_as_current_span("chat") as span:
        note_status(span, None)
    [ended] = exporter.get_finished_spans()
    assert not ended.attributes


def test_what_changes_nothing_has_no_span():
    """Spans are for memories that changed."""
    assert EventKind.NONE not in DECISION_SPANS
    assert {"create_memory", "update_memory", "delete_memory"} == set(DECISION_SPANS.values())


def learned(telemetry, outcome, *, kind=JobKind.LEARN, events=()):
    job = Job(
        id="j",
        scope=Scope(tenant="local", user_id="alice"),
        conversation_id="c",
        upto_seq=3,
        reason="turns",
        kind=kind,
    )
    telemetry.learned(Run(job, outcome, events), time.time_ns())


def test_a_judgement_has_a_span_of_its_name(telemetry, exporter):
    """A run that settles conflicts, with a span for each memory that it changes."""
    events = (EventKind.UPDATE, EventKind.NONE, EventKind.DELETE)
    learned(telemetry, RunOutcome.LEARNED, kind=JobKind.JUDGE, events=events)
    learned(telemetry, RunOutcome.NOTHING, kind=JobKind.REFLECT)
    assert [span.name for span in exporter.get_finished_spans()] == [
        "update_memory",
        "delete_memory",
        "settle_conflicts",
        "reflect_memory",
    ]


def test_the_spans_of_one_run_are_bounded(telemetry, exporter):
    """A run of a thousand decisions does not fill the exporter's queue."""
    learned(telemetry, RunOutcome.LEARNED, events=(EventKind.ADD,) * 1000)
    *decisions, run = exporter.get_finished_spans()
    assert len(decisions) == MOST_DECISIONS
    assert run.attributes["recollect.events.add"] == 1000
