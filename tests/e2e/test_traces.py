"""The traces of the running product, read by a collector that decodes OTLP."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.e2e.asking import client_of, flush
from tests.support.collector import attributes
from tests.support.gateway import Gateway, Tenant
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import until

pytestmark = pytest.mark.process

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
API_TRACE = "1bf7651916cd43dd8448eb211c80319c"
USER = "quokkazebra"
SAID = "My allotment has the number KZ4711."


async def test_a_chat_and_what_it_taught_arrive_at_a_collector(
    gateway: Gateway, tenant: Tenant, model: ScriptedModel, extractor: ScriptedModel
) -> None:
    """One trace from the client to the upstream, a linked one for learning, and no word of it."""
    extractor.replies = [facts("User has the allotment number KZ4711")]
    async with client_of(tenant) as client:
        await client.chat.completions.create(
            model="m-1",
            messages=[{"role": "user", "content": SAID}],
            user=USER,
            extra_headers={"traceparent": f"00-{TRACE}-{PARENT}-01"},
        )
    await flush(tenant, user_id=USER)
    traced = {**tenant.headers, "traceparent": f"00-{API_TRACE}-{PARENT}-01"}
    async with aiohttp.ClientSession(tenant.url, headers=traced) as api:
        path = f"/v1/memories/search?q=allotment&user_id={USER}"
        assert (await api.get(path)).status == 200

    def of(trace: str, name: str) -> list[Any]:
        return [span for span in gateway.collector.named(name) if span.trace_id.hex() == trace]

    looked = 0

    def arrived() -> bool:
        nonlocal looked
        if looked == (looked := len(gateway.collector.bodies)):
            return False  # nothing new: reading them all is not free
        searched = of(TRACE, "search_memory"), of(API_TRACE, "search_memory")
        served = of(TRACE, "chat m-1"), of(API_TRACE, "GET /v1/memories/search")
        return all((*searched, *served, taught()))

    def taught() -> list[Any]:
        """The runs that are linked to the chat."""
        spans = {span.span_id for span in of(TRACE, "POST /v1/chat/completions")}
        runs = gateway.collector.named("upsert_memory")
        return [run for run in runs if spans & {link.span_id for link in run.links}]

    await until(arrived, "the spans")
    assert gateway.collector.services == {"recollect"}
    [served] = of(TRACE, "POST /v1/chat/completions")
    [chat] = of(TRACE, "chat m-1")
    assert served.kind == Span.SPAN_KIND_SERVER
    assert served.parent_span_id.hex() == PARENT
    assert (chat.kind, chat.parent_span_id) == (Span.SPAN_KIND_CLIENT, served.span_id)
    assert attributes(chat)["http.response.status_code"] == 200
    assert model.headers[0]["traceparent"].split("-")[2] == chat.span_id.hex()
    [recalled] = of(TRACE, "search_memory")
    assert recalled.parent_span_id == served.span_id
    assert attributes(recalled)["recollect.outcome"] == "empty"
    [asked] = of(API_TRACE, "GET /v1/memories/search")
    [searched] = of(API_TRACE, "search_memory")
    assert searched.parent_span_id == asked.span_id
    assert attributes(searched)["recollect.operation"] == "search"
    [run] = taught()
    assert [link.span_id for link in run.links] == [served.span_id]
    created = gateway.collector.named("create_memory")
    assert run.span_id in {each.parent_span_id for each in created}
    sent = b"".join(gateway.collector.bodies)
    assert USER.encode() not in sent
    assert b"KZ4711" not in sent
