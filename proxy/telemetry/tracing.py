"""OpenTelemetry: set-up, and the spans of the request, the recall and the learning run.

Without an endpoint nothing is traced, OpenTelemetry is neither imported nor needed, and the
client's trace headers go upstream unchanged. Spans contain no text of a conversation, unless the
variable of the conventions that captures it is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

from multidict import CIMultiDict

from recollect.config.server import TelemetryOptions
from recollect.filters import Exchange, Verdict
from recollect.memory.engine.engine import Run, compared_in
from recollect.memory.model.daily_sums import Amounts, Summed
from recollect.memory.model.deeds import Link
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import Decision

from .links import RequestLinks
from .names import (
    CHAT_OPERATION,
    RECALL_SPAN,
    RUN_SPANS,
    SCOPE_NAME,
    SERVICE_NAME,
    TOOL_OPERATION,
    api_span,
)
from .noting import (
    note_asked_text,
    note_found_rows,
    note_found_text,
    note_recall,
    note_run,
    note_status,
    note_usage,
    spans_of_compared,
    spans_of_decisions,
    spans_of_links,
)
from .otlp_metrics import export_metrics
from .text_capture import captures_text
from .totals import Totals

if TYPE_CHECKING:
    from opentelemetry.trace import Span, SpanContext, Tracer

_NOTHING = nullcontext()

Count = Callable[[str, Amounts], None]


class ChatStatus(Protocol):
    """What became of a chat so far."""

    status: int | None
    """The model server's; None before its answer."""


class Telemetry:
    """The tracer of an application, what it counts, and the function that stops the tracer."""

    def __init__(
        self,
        tracer: Tracer | None = None,
        shutdown: Callable[[], None] = lambda: None,
        *,
        captures: bool = False,
    ) -> None:
        """With `captures`, spans contain what was asked, searched for and found."""
        self._tracer = tracer
        self._captures = captures
        self.shutdown = shutdown
        self.totals = Totals()
        self._links: RequestLinks[SpanContext] = RequestLinks()

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

            def note(verdict: Verdict) -> None:
                note_recall(span, exchange, verdict)
                if self._captures:
                    note_found_text(span, exchange)

            yield note

    def chat(self, exchange: Exchange | None, answered: ChatStatus) -> AbstractContextManager[None]:
        """The client span of the request to the model server, until its answer ends.

        `exchange` is None if there is no memory for the request.
        """
        tracer = self._tracer
        return _NOTHING if tracer is None else self._chat(tracer, exchange, answered)

    @contextmanager
    def _chat(
        self, tracer: Tracer, exchange: Exchange | None, answered: ChatStatus
    ) -> Iterator[None]:
        from opentelemetry.trace import SpanKind, get_current_span

        if exchange is not None:
            asked = get_current_span().get_span_context()
            self._links.note(exchange.conversation_id, asked)
        model = "" if exchange is None else exchange.model
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
            if exchange is not None and self._captures:
                note_asked_text(span, exchange)
            try:
                yield
            finally:
                note_status(span, answered.status)

    @contextmanager
    def tool(self, name: str) -> Iterator[None]:
        """The span of a call of an injected tool."""
        if self._tracer is None:
            yield
            return
        with self._tracer.start_as_current_span(
            f"{TOOL_OPERATION} {name}",
            attributes={"gen_ai.operation.name": TOOL_OPERATION, "gen_ai.tool.name": name},
            record_exception=False,
            set_status_on_exception=False,
        ):
            yield

    def counting(self, count: Count) -> Count:
        """The same `count`, which notes here too what answers report of their prompts."""

        def both(tenant: str, amounts: Amounts) -> None:
            count(tenant, amounts)
            if Summed.PROMPT_TOKENS in amounts:
                self._reported(amounts)

        return both

    def _reported(self, amounts: Amounts) -> None:
        self.totals.reported(amounts[Summed.PROMPT_TOKENS], amounts[Summed.CACHED_TOKENS])
        if self._tracer is None:
            return
        from opentelemetry.trace import get_current_span

        span = get_current_span()
        if span.is_recording():  # an answer may be read after its span
            note_usage(span, amounts)

    @contextmanager
    def operation(
        self, method: str, route: str, name: str, headers: Mapping[str, str]
    ) -> Iterator[None]:
        """The spans of a request to the memory API: the server's, and the operation's below it."""
        if self._tracer is None:
            yield
            return
        span = api_span(name)
        attributes = {"gen_ai.operation.name": span, "recollect.operation": name}
        with (
            self.request(method, route, headers),
            self._tracer.start_as_current_span(
                span, attributes=attributes, record_exception=False, set_status_on_exception=False
            ) as inner,
            _kind_of_error(inner),
        ):
            yield

    def learned(self, run: Run, started_ns: int) -> None:
        """Count a learning run, and make its span.

        It began at `started_ns` (nanoseconds since the epoch).
        The span is made after the run, because most polls of the queue find nothing to run. It is a
        root span, because a run serves many requests and outlives them; it has links to those of
        this process.
        """
        self.totals.learned(run)
        if self._tracer is None:
            return
        from opentelemetry import context, trace

        name = RUN_SPANS[run.job.kind]
        # What looks after a conversation takes no links from what will learn it.
        keep = run.job.kind is not JobKind.LEARN or not run.finished
        asked = self._links.take(run.job.conversation_id, before_ns=started_ns, keep=keep)
        span = self._tracer.start_span(
            name,
            context=context.Context(),
            start_time=started_ns,
            attributes={"gen_ai.operation.name": name},
            links=[trace.Link(each) for each in asked],
        )
        note_run(span, run)
        with trace.use_span(span, end_on_exit=True):
            spans_of_decisions(self._tracer, run, named=self._captures)

    def found(self, name: str, answer: object) -> None:
        """Note on the span of an operation what a search found, if text is captured."""
        if self._captures and self._tracer is not None and api_span(name) == RECALL_SPAN:
            from opentelemetry.trace import get_current_span

            note_found_rows(get_current_span(), answer)

    def decided(self, decisions: Sequence[Decision]) -> None:
        """Make spans of what an addition decided, below that of its request."""
        if self._tracer is not None:
            spans_of_compared(self._tracer, compared_in(decisions), named=self._captures)

    def linked(self, links: Sequence[Link]) -> None:
        """Make a span of what was added to the audit log."""
        if self._tracer is not None:
            spans_of_links(self._tracer, links, named=self._captures)

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
    resource = Resource.create().merge(named)
    provider = TracerProvider(resource=resource)
    endpoint = options.otlp_endpoint.rstrip("/")
    exporter = OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    telemetry = Telemetry(provider.get_tracer(SCOPE_NAME), captures=captures_text())
    end_metrics = export_metrics(telemetry.totals.families, endpoint, resource)

    def shutdown() -> None:
        provider.shutdown()
        end_metrics()

    telemetry.shutdown = shutdown
    return telemetry


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
