"""The traces of the running product, read by a collector that decodes OTLP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import openai
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.support.collector import Collector, attributes
from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import until

pytestmark = pytest.mark.process

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
USER = "quokkazebra"
SAID = "My allotment has the number 4711."


async def test_a_chat_and_what_it_taught_arrive_at_a_collector(
    tmp_path: Path, models_dir: Path
) -> None:
    """One trace from the client to the upstream, a linked one for learning, and no word of it."""
    learned = facts("User has the allotment number 4711")
    async with ScriptedModel("Noted.", learned) as upstream, Collector() as collector:
        settings: dict[str, Any] = {
            "upstream__base_url": upstream.base_url,
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,
            "learn__every_turns": 1,
            "telemetry__otlp_endpoint": collector.endpoint,
        }
        async with Product(tmp_path / "data", **settings) as product:
            async with openai.AsyncOpenAI(base_url=product.base_url, api_key="k") as client:
                await client.chat.completions.create(
                    model="m-1",
                    messages=[{"role": "user", "content": SAID}],
                    user=USER,
                    extra_headers={"traceparent": f"00-{TRACE}-{PARENT}-01"},
                )
            await until(lambda: "learned, " in product.log())
            async with aiohttp.ClientSession(product.url) as api:
                path = f"/v1/memories/search?q=allotment&user_id={USER}"
                assert (await api.get(path)).status == 200
    assert collector.services == {"recollect"}
    [served] = collector.named("POST /v1/chat/completions")
    [chat] = collector.named("chat m-1")
    assert served.kind == Span.SPAN_KIND_SERVER
    assert (served.trace_id.hex(), served.parent_span_id.hex()) == (TRACE, PARENT)
    assert (chat.kind, chat.parent_span_id) == (Span.SPAN_KIND_CLIENT, served.span_id)
    assert attributes(chat)["http.response.status_code"] == 200
    assert upstream.headers[0]["traceparent"].split("-")[2] == chat.span_id.hex()
    recalled = {span.parent_span_id: span for span in collector.named("search_memory")}
    assert attributes(recalled[served.span_id])["recollect.outcome"] == "empty"
    [asked] = collector.named("GET /v1/memories/search")
    assert attributes(recalled[asked.span_id])["recollect.operation"] == "search"
    [run] = collector.named("upsert_memory")
    assert [link.span_id for link in run.links] == [served.span_id]
    [created] = collector.named("create_memory")
    assert created.parent_span_id == run.span_id
    sent = b"".join(collector.bodies)
    assert USER.encode() not in sent
    assert b"4711" not in sent
