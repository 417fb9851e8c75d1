"""OpenTelemetry: set-up, and the spans of the request, the recall and the learning run.

Without an endpoint nothing is traced, OpenTelemetry is neither imported nor needed, and the
client's trace headers go upstream unchanged. Spans never contain text of a conversation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from multidict import CIMultiDict

from recollect.config.server import TelemetryOptions
from recollect.filters import Exchange, Verdict
from recollect.memory.engine.engine import Run

from .names import CHAT_OPERATION, LEARN_SPAN, RECALL_SPAN, SCOPE_NAME, SERVICE_NAME
from .totals import Totals

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


_NOTHING = nullcontext()


class Telemetry:
    """The tracer of an application, what it counts, and the function that stops the tracer."""

    def __init__(
        self, tracer: Tracer | None = None, shutdown: Callable[[], None] = lambda: None
    ) -> None:
        self._tracer = tracer
        self.shutdown = shutdown
        self.totals = Totals()

    @property
    def enabled(self) -> bool:
        """Whether anything is traced."""
        return self._tracer is not None

    @contextmanager
    def request(self, method: str, route: str, headers: Mapping[str, str]) -> Iterator[None]:
        """The server span of a request, child of the client's."""
        if self._tracer is None:
            yield
            return
        from opentelemetry import propagate
        from opentelemetry.trace import SpanKind

        with (
            self._tracer.start_as_current_span(
                f"{method} {route}",
                context=propagate.extract(headers),
                kind=SpanKind.SERVER,
                attributes={"http.request.method": method, "http.route": route},
                record_exception=False,
                set_status_on_exception=False,
            ) as span,
            _kind_of_error(span),
        ):
            yield

    @contextmanager
    def recall(self, exchange: Exchange) -> Iterator[Callable[[Verdict], None]]:
        """The span of a recall; call the yielded function with the outcome."""
        if self._tracer is None:
            yield lambda _verdict: None
            return
        with self._tracer.start_as_current_span(
            RECALL_SPAN, attributes={"gen_ai.operation.name": RECALL_SPAN}
        ) as span:
            yield lambda verdict: _note_recall(span, exchange, verdict)

    def chat(self, model: str) -> AbstractContextManager[None]:
        """The client span of the request to the model server, until its answer ends.

        `model` is empty if the request names none.
        """
        return _NOTHING if self._tracer is None else self._chat(self._tracer, model)

    @contextmanager
    def _chat(self, tracer: Tracer, model: str) -> Iterator[None]:
        from opentelemetry.trace import SpanKind

        attributes = {"gen_ai.operation.name": CHAT_OPERATION}
        if model:
            attributes["gen_ai.request.model"] = model
        with (
            tracer.start_as_current_span(
                f"{CHAT_OPERATION} {model}".rstrip(),
                kind=SpanKind.CLIENT,
                attributes=attributes,
                record_exception=False,
                set_status_on_exception=False,
            ) as span,
            _kind_of_error(span),
        ):
            yield

    def learned(self, run: Run, started_ns: int) -> None:
        """Count a learning run, and make its span.

        It began at `started_ns` (nanoseconds since the epoch).
        The span is made after the run, because most polls of the queue find nothing to run. It is a
        root span, because a run serves many requests and outlives them.
        """
        self.totals.learned(run)
        if self._tracer is None:
            return
        from opentelemetry import context

        span = self._tracer.start_span(
            LEARN_SPAN,
            context=context.Context(),
            start_time=started_ns,
            attributes={"gen_ai.operation.name": LEARN_SPAN},
        )
        _note_run(span, run)
        span.end()

    def propagate(self, headers: CIMultiDict[str]) -> None:
        """Make the current span the parent of the spans that the upstream records."""
        if self._tracer is None:
            return
        from opentelemetry import propagate

        propagate.inject(headers)


def open_telemetry(options: TelemetryOptions) -> Telemetry:
    """Export to the configured collector, or do nothing."""
    if options.otlp_endpoint is None:
        return Telemetry()
    # Imported here: without an endpoint nothing should pay for the SDK.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = Resource({"service.name": SERVICE_NAME}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=Resource.create().merge(named))
    endpoint = f"{options.otlp_endpoint.rstrip('/')}/v1/traces"
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    return Telemetry(provider.get_tracer(SCOPE_NAME), provider.shutdown)


@contextmanager
def _kind_of_error(span: Span) -> Iterator[None]:
    """Records an error's type only; the SDK would record its message too."""
    from opentelemetry.trace import StatusCode

    try:
        yield
    except Exception as error:
        span.set_attribute("error.type", type(error).__qualname__)
        span.set_status(StatusCode.ERROR)
        raise


def _note_recall(span: Span, exchange: Exchange, verdict: Verdict) -> None:
    span.set_attribute("recollect.outcome", verdict.outcome.value)
    span.set_attribute("recollect.reason", verdict.reason)
    if milliseconds := exchange.notes.get("deadline_ms"):
        span.set_attribute("recollect.deadline_ms", int(milliseconds))
    if word := exchange.notes.get("rewrite"):
        span.set_attribute("recollect.rewrite", word)
    selection = exchange.selection
    if selection is not None:
        span.set_attribute("gen_ai.memory.record.count", len(selection.chosen))
        span.set_attribute("recollect.dropped", len(selection.dropped))


def _note_run(span: Span, run: Run) -> None:
    span.set_attribute("recollect.outcome", run.outcome.value)
    span.set_attribute("recollect.reason", run.job.reason)
    span.set_attribute("recollect.attempt", run.job.attempts)
    span.set_attribute("gen_ai.memory.record.count", len(run.events))
    for event, count in Counter(run.events).items():
        span.set_attribute(f"recollect.events.{event.value.lower()}", count)
    for reason, count in run.rejected.items():
        span.set_attribute(f"recollect.rejected.{reason}", count)
    for reason, count in run.removed.items():
        span.set_attribute(f"recollect.removed.{reason}", count)
    for stage, count in Counter(run.stages).items():
        span.set_attribute(f"recollect.stages.{stage}", count)
    if run.failure:
        span.set_attribute("recollect.failure", run.failure)
    if run.strategy:
        span.set_attribute("recollect.strategy", run.strategy)
