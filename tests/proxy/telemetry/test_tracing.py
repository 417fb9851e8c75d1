"""Spans: who is whose parent, and that none holds a word of anybody."""

import asyncio
import io
import json
import logging
import time

import pytest
from multidict import CIMultiDict
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from recollect.config.server import TelemetryOptions, UpstreamOptions
from recollect.filters import (
    Outcome,
    ReportedUsage,
    RequestFilter,
    RequestRecallOptions,
    Verdict,
    request_filters,
)
from recollect.memory import AsyncMemory
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.embedders.openai import OpenAIEmbedder, OpenAIEmbedderOptions
from recollect.memory.jobs.runs import NearDecision, Run, RunOutcome
from recollect.memory.language import index_terms
from recollect.memory.llms import FixedModel, OpenAIChatOptions
from recollect.memory.model.daily_sums import Summed
from recollect.memory.model.types import (
    EventKind,
    Job,
    MemoryItem,
    MemoryType,
    Message,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall import Drop, HotIndexes, Recaller, Selection
from recollect.memory.recall.index.hot_indexes import MAX_MEMORIES
from recollect.memory.recall.signals import SIGNALS
from recollect.memory.util.tokens import ApproximateCounter
from recollect.proxy.chat.chat_amounts import answer_amounts
from recollect.proxy.chat.pipeline import Pipeline
from recollect.proxy.chat.report import Report
from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.logs import configure_logging
from recollect.proxy.telemetry.tracing import Telemetry, open_telemetry
from recollect.proxy.transport.passthrough import Passthrough
from recollect.proxy.transport.upstream import Upstream
from tests.memory.learn.doubles import Says
from tests.support.fence import FENCE
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.parts import engine_of
from tests.support.scripted import facts

from ..api.calling import Calling
from ..wire import RawUpstream, Served, request, response

ALICE = Scope(tenant="local", user_id="alice")
PATIENT = RequestRecallOptions(deadline_ms=10_000)
WORD = "quokkazebra"
"""Stands in a question and in the memory that answers it, and nowhere else."""
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def telemetry(exporter):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield Telemetry(provider.get_tracer("test"), provider.shutdown)
    provider.shutdown()


def hexes(span):
    return f"{span.context.trace_id:032x}", f"{span.context.span_id:016x}"


async def test_the_recall_is_a_child_of_the_request(telemetry, exporter, exchange):
    """One trace: the client's span, the request's, the recall's."""

    class Finds(RequestFilter):
        name = "finds"

        async def request(self, asked):
            asked.selection = Selection(
                (object(),), ((object(), Drop.BUDGET), (object(), Drop.LIMIT))
            )
            asked.verdict = Verdict(Outcome.INJECTED, "personal")

    pipeline = Pipeline([Finds()], None, telemetry, options=PATIENT, wake=lambda: None)
    headers = CIMultiDict({"Traceparent": TRACEPARENT})
    with telemetry.request("POST", "/v1/chat/completions", headers):
        await pipeline.recall(exchange())
    recall, asked = exporter.get_finished_spans()
    assert (asked.name, asked.kind) == ("POST /v1/chat/completions", SpanKind.SERVER)
    assert hexes(asked)[0] == TRACE
    assert f"{asked.parent.span_id:016x}" == PARENT
    assert recall.name == "search_memory"
    assert recall.parent.span_id == asked.context.span_id
    assert dict(recall.attributes) == {
        "gen_ai.operation.name": "search_memory",
        "recollect.outcome": "injected",
        "recollect.reason": "personal",
        "recollect.deadline_ms": 10_000,
        "gen_ai.memory.record.count": 1,
        "recollect.dropped": 2,
    }


def test_what_an_answer_reports_of_its_prompt(telemetry, exporter, exchange):
    """It counts with traces and without; a span has it while it is open."""
    amounts = answer_amounts(ReportedUsage(prompt_tokens=100, cached_tokens=80))
    for used in (telemetry, Telemetry()):
        counted = []
        count = used.counting(lambda *told: counted.append(told))  # noqa: B023
        with used.chat(exchange(), Report()):
            count("t", amounts)
            count("t", {Summed.CHATS: 1})
        count("t", amounts)
        assert len(counted) == 3
        values = {each.metric: dict(each.values) for each in used.totals.families()}
        assert values[names.PROMPT_TOKENS] == {(): 200}
        assert values[names.CACHED_TOKENS] == {(): 160}
    [chat] = exporter.get_finished_spans()
    assert chat.attributes["gen_ai.usage.input_tokens"] == 100
    assert chat.attributes["gen_ai.usage.cache_read.input_tokens"] == 80


def test_an_operation_of_the_memory_api_has_a_span(telemetry, exporter):
    """Below the request's, under the name of the conventions if it has one."""
    with telemetry.operation("POST", "/v1/memories/search", "search_posted", {}):
        pass
    with telemetry.operation("GET", "/v1/memories/count", "count", {}):
        pass
    search, asked, count, _ = exporter.get_finished_spans()
    assert (asked.name, asked.kind) == ("POST /v1/memories/search", SpanKind.SERVER)
    assert search.parent.span_id == asked.context.span_id
    assert (search.name, count.name) == ("search_memory", "count")
    assert dict(search.attributes) == {
        "gen_ai.operation.name": "search_memory",
        "recollect.operation": "search_posted",
    }


async def test_a_search_of_the_api_tells_what_it_found(exporter, monkeypatch):
    """Ids, texts and scores on the operation's span where text is captured, else none of them."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with Calling() as api:
        [name] = await api.remember(f"User named her boat {WORD}")
        for captures in (True, False):
            tracer = provider.get_tracer("test")
            telemetry = Telemetry(tracer, captures=captures)
            monkeypatch.setattr(api.handlers.api, "telemetry", telemetry)
            await api.post("search", {"query": f"the boat {WORD}", "user_id": "alice"})
            searched, _ = exporter.get_finished_spans()
            exporter.clear()
            assert searched.name == "search_memory"
            assert (name in searched.to_json()) == (WORD in searched.to_json()) == captures
            if captures:
                [record] = json.loads(searched.attributes["gen_ai.memory.records"])
                assert (record["id"], record["content"][-len(WORD) :]) == (name, WORD)
                assert 0 < record["score"] <= 1
    provider.shutdown()


async def test_text_is_captured_only_when_it_is_asked_for(exporter, exchange):
    """Then spans have the request's messages, what was searched for, and what was found."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    for captures in (True, False):
        telemetry = Telemetry(provider.get_tracer("test"), captures=captures)
        recall, asked = Recall(telemetry), asking(exchange)
        await recall.remember()
        await recall.run(asked)
        with telemetry.chat(asked, Report()):
            pass
        searched, _, chat = exporter.get_finished_spans()
        exporter.clear()
        assert (WORD in searched.to_json()) == captures
        assert (WORD in chat.to_json()) == captures
        if captures:
            [record] = json.loads(searched.attributes["gen_ai.memory.records"])
            assert (record["id"], record["content"]) == ("1", f"Alice named her boat {WORD}")
            assert 0.5 < record["score"] <= 1
            assert set(record["signals"]) == {each.value for each in SIGNALS}
            assert record["signals"]["lexical"] > 0
            assert WORD in searched.attributes["gen_ai.memory.query.text"]
            said = json.loads(chat.attributes["gen_ai.input.messages"])
            assert [each["role"] for each in said] == ["user", "assistant", "user"]
            assert said[1]["parts"] == [{"type": "text", "content": WORD}]
    provider.shutdown()


class Recall:
    """All filters over one memory, that holds the word; parts may be replaced by bad ones."""

    def __init__(self, telemetry, *, embedder=None, models=None, **options):
        self._options = RequestRecallOptions(deadline_ms=30_000, **options)
        self._embedder = embedder or FakeEmbedder()
        self._models = models
        self._telemetry = telemetry
        self.most = MAX_MEMORIES
        dim = self._embedder.dim
        self.store = InMemoryMemories(dim=dim, terms=lambda text: index_terms(text).terms)

    async def remember(self):
        now = utc_now()
        item = MemoryItem(
            id="1",
            text=f"Alice named her boat {WORD}",
            type=MemoryType.SEMANTIC,
            scope=ALICE,
            created_at=now,
            updated_at=now,
            embedder_id="fake",
        )
        [vector] = await FakeEmbedder().embed([item.text])
        await self.store.put([StoredMemory(item, vector)])

    async def run(self, exchange):
        """The request's span around the recall's, as a chat has them."""
        options, tokens = self._options, ApproximateCounter()
        indexes = HotIndexes(self.store, dim=self._embedder.dim)
        indexes.max_memories = self.most
        recaller = Recaller(indexes, self._embedder, tokens, options)
        filters = request_filters(options, recaller, tokens, FENCE, models=self._models)
        pipeline = Pipeline(filters, None, self._telemetry, options=options, wake=lambda: None)
        with self._telemetry.request("POST", "/v1/chat/completions", {}):
            return await pipeline.recall(exchange)


class Unforeseen(FakeEmbedder):
    """Fails with the text in its mouth."""

    async def embed(self, texts):
        try:
            raise TypeError(str(texts))
        except TypeError as error:
            raise KeyError(f"no vector for {texts}") from error


async def refusing(_reader, writer, received):
    """A server that quotes what it refuses."""
    writer.write(
        response(received.body, "Content-Type: application/json", status="400 Bad Request")
    )


@pytest.fixture
def log():
    """What the product writes to its log so far, with the most talkative setting."""
    root, written = logging.getLogger(), io.StringIO()
    level, handlers = root.level, root.handlers[:]
    root.handlers.clear()
    configure_logging(TelemetryOptions(log_level="debug"))
    [ours] = root.handlers
    ours.setStream(written)
    # Beside those of pytest, which come and go.
    root.handlers[:] = [*handlers, ours]
    yield written.getvalue
    root.removeHandler(ours)
    root.setLevel(level)


@pytest.fixture
def untold(exporter, log):
    """Look for the word in everything that leaves the process; the log, for more."""

    def look():
        written = log()
        spans = [json.loads(span.to_json()) for span in exporter.get_finished_spans()]
        assert spans[-1]["name"] == "POST /v1/chat/completions"
        assert WORD not in json.dumps(spans).lower()
        assert WORD not in written.lower()
        return written

    return look


def asking(exchange):
    """A conversation in which everything holds the word."""
    texts = (("user", f"I bought {WORD} today"), ("assistant", WORD), ("user", f"And my {WORD}?"))
    return exchange(messages=[Message(role=role, content=text) for role, text in texts])


@rows("most", [25_000, 1])
async def test_a_real_recall_tells_no_text(telemetry, exchange, untold, most):
    """Found by its index or by the store's own search: no span and no log line holds a word."""
    recall = Recall(telemetry)
    recall.most = most
    for _ in range(2):
        await recall.remember()
    asked = asking(exchange)
    verdict = await recall.run(asked)
    assert verdict.outcome is Outcome.INJECTED
    assert WORD in asked.injections[0].text
    assert WORD in asked.query.text
    untold()


async def test_a_server_that_quotes_is_not_repeated(telemetry, exchange, untold):
    """Remote servers repeat what they refuse; the error's kind and status are enough.

    Neither the embedder's nor that of the model which the rewrite asks.
    """
    async with RawUpstream(refusing) as server:
        options = OpenAIEmbedderOptions(base_url=server.base_url, dim=384)
        embedder = await OpenAIEmbedder.open(options)
        recall = Recall(telemetry, embedder=embedder)
        await recall.remember()
        verdict = await recall.run(asking(exchange))
        await embedder.close()
        assert WORD.encode() in server.requests[0].body
        assert verdict == Verdict(Outcome.DEGRADED, "embedding_failed")
        untold()
        models = FixedModel(OpenAIChatOptions(base_url=server.base_url), "recall.rewrite.llm")
        recall = Recall(telemetry, models=models, rewrite={"strategy": "hyde"})
        await recall.remember()
        asked = asking(exchange)
        verdict = await recall.run(asked)
        await models.close()
        assert WORD.encode() in server.requests[-1].body
    assert (verdict.outcome, asked.notes["rewrite"]) == (Outcome.INJECTED, "llm_failed")
    untold()


async def test_a_mistake_of_ours_tells_no_text(telemetry, exchange, untold):
    """Of an error nobody thought of, the kind and the place are enough."""
    recall = Recall(telemetry, embedder=Unforeseen())
    await recall.remember()
    verdict = await recall.run(asking(exchange))
    assert verdict == Verdict(Outcome.DEGRADED, "internal_error")
    written = untold()
    assert "KeyError" in written
    assert "TypeError" in written
    assert "in embed" in written


async def test_a_learning_run_is_a_trace_of_its_own(telemetry, exporter):
    """It serves many requests and outlives them: it has no parent, and the time it took."""
    scope = Scope(tenant="local", user_id="alice")
    job = Job(id="j", scope=scope, conversation_id="c", upto_seq=3, reason="turns", attempts=2)
    with telemetry.request("POST", "/v1/chat/completions", {}):
        telemetry.learned(
            Run(
                job,
                RunOutcome.LEARNED,
                (EventKind.ADD, EventKind.NONE),
                rejected={"no_evidence": 2},
                removed={"recalled": 1},
                stages=("exact", "zone"),
                strategy="schema",
            ),
            1_000,
        )
    decision, run, asked = exporter.get_finished_spans()
    assert (decision.name, decision.parent.span_id) == ("create_memory", run.context.span_id)
    assert dict(decision.attributes) == {
        "gen_ai.operation.name": "create_memory",
        "recollect.event": "add",
        "recollect.stage": "exact",
    }
    assert (run.name, run.parent, run.start_time) == ("upsert_memory", None, 1_000)
    assert run.context.trace_id != asked.context.trace_id
    assert dict(run.attributes) == {
        "gen_ai.operation.name": "upsert_memory",
        "recollect.outcome": "learned",
        "recollect.reason": "turns",
        "recollect.attempt": 2,
        "gen_ai.memory.record.count": 2,
        "recollect.events.add": 1,
        "recollect.events.none": 1,
        "recollect.rejected.no_evidence": 2,
        "recollect.removed.recalled": 1,
        "recollect.stages.exact": 1,
        "recollect.stages.zone": 1,
        "recollect.strategy": "schema",
    }


async def test_what_was_decided_of_near_memories_has_spans(exporter):
    """One for each: how near, which stage, how many wait; the memory only where text is captured."""
    near = NearDecision(EventKind.ADD, "new", 0.71234, "kept beside", 2, "m1")
    job = Job(id="j", scope=ALICE, conversation_id="c", upto_seq=3, reason="turns")
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    for captures in (False, True):
        telemetry = Telemetry(provider.get_tracer("test"), captures=captures)
        telemetry.learned(Run(job, RunOutcome.LEARNED, compared=(near,) * 60), 1_000)
        *compared, run = exporter.get_finished_spans()
        exporter.clear()
        assert {each.name for each in compared} == {"memory.conflict"}
        assert len(compared) == 50
        assert compared[0].parent.span_id == run.context.span_id
        told = dict(compared[0].attributes)
        assert told.pop("gen_ai.memory.record.id", None) == ("m1" if captures else None)
        assert told == {
            "gen_ai.operation.name": "memory.conflict",
            "recollect.event": "add",
            "recollect.stage": "new",
            "recollect.cosine": 0.7123,
            "recollect.why": "kept beside",
            "recollect.pending": 2,
        }
    provider.shutdown()


async def test_an_addition_tells_what_it_decided(exporter):
    """Below the span of its operation: of a fact that a memory is near to, and of no other."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry = Telemetry(provider.get_tracer("test"))
    engine = engine_of(Says(facts("User likes tea")))
    engine.on_decided = telemetry.decided
    memory = AsyncMemory(engine, tenant="t")
    for _ in range(2):
        with telemetry.operation("POST", "/v1/memories/", "add", {}):
            await memory.add("I like tea", user_id="alice")
    told = exporter.get_finished_spans()
    [decided] = [each for each in told if each.name == "memory.conflict"]
    assert decided.parent.span_id == told[-2].context.span_id
    assert decided.attributes["recollect.event"] == "none"
    assert decided.attributes["recollect.stage"] == "exact"
    assert "tea" not in decided.to_json()
    await engine.close()
    provider.shutdown()


def test_a_learning_run_has_links_to_its_requests(telemetry, exporter, exchange):
    """To those whose turns it learned: a run that is tried again has them again, later ones not."""
    with telemetry.request("POST", "/x", {}), telemetry.chat(exchange(), Report()):
        pass
    conversation = exchange().conversation_id
    job = Job(id="j", scope=ALICE, conversation_id=conversation, upto_seq=3, reason="turns")
    outcomes = (RunOutcome.RETRY, RunOutcome.LEARNED, RunOutcome.LEARNED)
    for outcome in outcomes:
        telemetry.learned(Run(job, outcome), time.time_ns() + 1)
    _, asked, *runs = exporter.get_finished_spans()
    linked = [[link.context.span_id for link in run.links] for run in runs]
    assert linked == [[asked.context.span_id], [asked.context.span_id], []]


async def test_what_the_upstream_is_told(telemetry, exporter):
    """Enabled, the upstream's parent is our span in the client's trace; disabled, the client's."""
    told = []
    for used in (Telemetry(), telemetry):
        async with RawUpstream(response(b"{}")) as server:
            upstream = Upstream(UpstreamOptions(base_url=server.base_url))
            async with Served(Passthrough(upstream, used).handle) as served:
                parent = f"traceparent: {TRACEPARENT}"
                await served.ask(request("GET", "/v1/secret-id", None, parent))
            await upstream.close()
        told += server.requests[0].values("traceparent")
    [span] = exporter.get_finished_spans()
    assert told[0] == TRACEPARENT
    assert told[1].split("-")[1:3] == list(hexes(span))
    assert f"{span.parent.span_id:016x}" == PARENT
    assert span.name == "GET passthrough"
    assert "secret-id" not in span.to_json()


async def test_spans_arrive_at_the_collector(exchange, monkeypatch):
    """With an endpoint they are posted to its `/v1/traces` under the service's name."""
    monkeypatch.setenv("OTEL_SERVICE_NAME", "my-recollect")
    async with RawUpstream(response(b"")) as collector:
        endpoint = collector.base_url.removesuffix("/v1") + "/"
        telemetry = open_telemetry(TelemetryOptions(otlp_endpoint=endpoint))
        with telemetry.request("POST", "/x", {}):
            pass
        await asyncio.to_thread(telemetry.shutdown)
    assert collector.requests[0].line == "POST /v1/traces HTTP/1.1"
    assert b"my-recollect" in collector.requests[0].body
