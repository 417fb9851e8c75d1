"""Notes recalls, chats and learning runs on spans. Text only where it is asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from recollect.filters import Exchange, Verdict
from recollect.memory.engine.engine import NearDecision, Run
from recollect.memory.model.daily_sums import Amounts, Summed
from recollect.memory.model.deeds import Link
from recollect.memory.model.types import EventKind

from .names import AUDIT_EVENT, AUDIT_SPAN, CONFLICT_SPAN, CREATE_SPAN, DELETE_SPAN, UPDATE_SPAN

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_DIGITS = 4
MOST_DECISIONS = 50
"""Decisions of a run that have a span each."""
DECISION_SPANS: Mapping[EventKind, str] = {
    EventKind.ADD: CREATE_SPAN,
    EventKind.QUARANTINE: CREATE_SPAN,
    EventKind.UPDATE: UPDATE_SPAN,
    EventKind.DELETE: DELETE_SPAN,
}
"""Of decisions that change a memory."""


def note_recall(span: Span, exchange: Exchange, verdict: Verdict) -> None:
    """How a recall ended."""
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


def note_found_text(span: Span, exchange: Exchange) -> None:
    """What was searched for, and what was found: ids, texts, scores and the signals behind them."""
    span.set_attribute("gen_ai.memory.query.text", exchange.query.text)
    chosen = () if exchange.selection is None else exchange.selection.chosen
    records = [
        {
            "id": hit.item.id,
            "content": hit.item.text,
            "score": round(hit.evidence, _DIGITS),
            "signals": {n.value: round(value, _DIGITS) for n, value in hit.signals.items()},
        }
        for hit in chosen
    ]
    span.set_attribute("gen_ai.memory.records", json.dumps(records, ensure_ascii=False))


def note_found_rows(span: Span, answer: object) -> None:
    """What a search of the memory API found: ids, texts, scores and cosines."""
    rows = answer.get("results") if isinstance(answer, Mapping) else answer
    told = ("id", "memory", "score", "similarity")
    records = [
        {("content" if name == "memory" else name): row[name] for name in told if name in row}
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, Mapping)
    ]
    span.set_attribute("gen_ai.memory.records", json.dumps(records, ensure_ascii=False))


def note_asked_text(span: Span, exchange: Exchange) -> None:
    """The messages of the request, as the client sent them."""
    told = [
        {"role": each.role, "parts": [{"type": "text", "content": each.content}]}
        for each in exchange.messages
    ]
    span.set_attribute("gen_ai.input.messages", json.dumps(told, ensure_ascii=False))


def note_status(span: Span, status: int | None) -> None:
    """The status of the model server's answer, if there was one."""
    if status is not None:
        span.set_attribute("http.response.status_code", status)


def note_usage(span: Span, amounts: Amounts) -> None:
    """What the prompt took, as the model server reported it."""
    span.set_attribute("gen_ai.usage.input_tokens", amounts[Summed.PROMPT_TOKENS])
    span.set_attribute("gen_ai.usage.cache_read.input_tokens", amounts[Summed.CACHED_TOKENS])


def note_run(span: Span, run: Run) -> None:
    """How a learning run ended, and what it decided, in figures."""
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


def spans_of_decisions(tracer: Tracer, run: Run, *, named: bool) -> None:
    """One below the current span for each memory that the run changed, up to `MOST_DECISIONS`.

    And as many as `spans_of_compared`. They have no length: a run applies all its decisions
    together.
    """
    spans_of_compared(tracer, run.compared, named=named)
    pairs = list(zip_longest(run.events, run.stages, fillvalue=""))[: len(run.events)]
    changing = [(event, stage) for event, stage in pairs if event in DECISION_SPANS]
    for event, stage in changing[:MOST_DECISIONS]:
        name = DECISION_SPANS[EventKind(event)]
        attributes = {"gen_ai.operation.name": name, "recollect.event": event.lower()}
        if stage:
            attributes["recollect.stage"] = stage
        tracer.start_span(name, attributes=attributes).end()


def spans_of_links(tracer: Tracer, links: Sequence[Link], *, named: bool) -> None:
    """A root span for what was added to the event log together, with an event for each.

    It names memories, and owners by their digests; with `named` it has the whole event, too.
    """
    from opentelemetry.context import Context

    for at in range(0, len(links), MOST_DECISIONS):
        attributes = {"gen_ai.operation.name": AUDIT_SPAN}
        span = tracer.start_span(AUDIT_SPAN, context=Context(), attributes=attributes)
        for each in links[at : at + MOST_DECISIONS]:
            told = json.loads(each.told)
            span.add_event(AUDIT_EVENT.format(told["event"]), _told(each, told, named=named))
        span.end()


def _told(link: Link, told: Mapping[str, Any], *, named: bool) -> dict[str, Any]:
    given = {name: told[name] for name in _AUDITED if name in told}
    given |= {
        "hash": link.hash,
        "memory_ids": [line["memory_id"] for line in told["lines"]],
        "text_hashes": [line.get("hash", "") for line in told["lines"]],
        **({"line": link.line} if named else {}),
    }
    return {f"recollect.audit.{name}": value for name, value in given.items()}


_AUDITED = ("owner", "seq", "at", "why", "request", "model", "upstream", "previous")
"""Of an event; whose it is stands in no span."""


def spans_of_compared(tracer: Tracer, compared: Iterable[NearDecision], *, named: bool) -> None:
    """One below the current span for each decision about a fact that a memory is near to.

    Up to `MOST_DECISIONS`; with `named` they name the memory.
    """
    for one in islice(compared, MOST_DECISIONS):
        told: dict[str, str | int | float] = {
            "gen_ai.operation.name": CONFLICT_SPAN,
            "recollect.event": one.event.value.lower(),
            "recollect.stage": one.stage,
            "recollect.cosine": round(one.cosine, _DIGITS),
            "recollect.why": one.why,
            "recollect.pending": one.pending,
        }
        if named:
            told["gen_ai.memory.record.id"] = one.memory_id
        tracer.start_span(CONFLICT_SPAN, attributes=told).end()
