"""Which memories went to a model: the event log agrees with the bytes that the server received."""

import json

import aiohttp
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from recollect.memory.model.deeds import DeedLine, digest_of
from recollect.memory.transfer import AuditCheck
from recollect.proxy.chat.injected_lines import lines_in, without_secrets
from recollect.proxy.telemetry.tracing import Telemetry
from tests.support.here import ProductHere
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until

TEA, BIKE, CAT = (
    "User has green tea every morning", "User owns a red bicycle", "User has a cat named Minka",
)  # fmt: skip
ASKS = {"x-recollect-user": "alice", "x-recollect-debug": "explain"}
DEEP = {
    "recall__deadline_ms": 60_000, "embedder__backend": "fake", "index__backend": "exact",
}  # fmt: skip


POSITION = "recall__position"
PLACES = [{POSITION: place} for place in ("auto", "start", "replay")]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """What went to a model is written at once."""
    monkeypatch.setattr("recollect.memory.engine.injection_log.LINGER_SECONDS", 0.02)


class Talk:
    """A client of the whole product, and what its model server received."""

    def __init__(self, product, model, session):
        self.product, self.model, self._session = product, model, session

    async def ask(self, method, path, body=None, headers=()):
        url = f"{self.product.url}{path}"
        async with self._session.request(method, url, json=body, headers=dict(headers)) as answer:
            data = await answer.read()
            assert answer.status == 200, data
            return answer, data

    async def remember(self, text):
        body = {"messages": text, "user_id": "alice", "infer": False}
        _, data = await self.ask("POST", "/v1/memories/", body)
        return json.loads(data)["results"][0]["id"]

    async def chat(self, *messages, **headers):
        body = {"model": "m-1", "messages": [{"role": r, "content": c} for r, c in messages]}
        asks = {**ASKS, **{name.replace("_", "-"): value for name, value in headers.items()}}
        answer, _ = await self.ask("POST", "/v1/chat/completions", body, asks)
        return json.loads(answer.headers["x-recollect-explain"])

    async def lines(self, **query):
        _, data = await self.ask("GET", "/v1/memories/audit?" + "&".join(
            f"{name}={value}" for name, value in {"user_id": "alice", **query}.items()
        ))  # fmt: skip
        check = AuditCheck()
        for line in data.splitlines(keepends=True):
            check.feed(line)
        check.end()
        return data

    async def injected(self):
        told = map(json.loads, (await self.lines()).splitlines())
        return [each for each in told if each.get("event") == "inject"]

    async def wait_for(self, count):
        async def there():
            return len(await self.injected()) >= count

        await until(there, "the event log")
        return await self.injected()


@pytest.fixture
async def talk(tmp_path, request):
    async with ScriptedModel("It is so.") as model, aiohttp.ClientSession() as session:
        given = getattr(request, "param", {})
        settings = DEEP | {"upstream__base_url": model.base_url} | given
        async with ProductHere(tmp_path, **settings) as product:
            yield Talk(product, model, session)


@pytest.mark.parametrize("talk", PLACES, indirect=True, ids=lambda each: each[POSITION])
async def test_it_agrees_with_what_the_server_received(talk):
    """Every line in the bytes is in the log by its id, and no other one; explain names the event."""
    ids = {text: await talk.remember(text) for text in (TEA, BIKE, CAT)}
    asked = ("Which green tea do I like?", "What is my cat called?", "What colour is my bicycle?")
    said, heard = [], []
    for question in asked:
        said += [("user", question)]
        explained = await talk.chat(*said)
        heard.append((explained, json.dumps(talk.model.requests[-1])))
        said += [("assistant", "It is so.")]
    events = await talk.wait_for(len(asked))
    for (explained, sent), event in zip(heard, events, strict=True):
        shown = {name for text, name in ids.items() if text.removeprefix("User ") in sent}
        assert {line["memory_id"] for line in event["lines"]} == shown
        assert explained["request"] == event["request"]
        assert (event["model"], event["user_id"]) == ("m-1", "alice")
        assert event["upstream"] == talk.model.base_url
        assert all("hash" in line for line in event["lines"])
    replays = talk.product._environ["RECOLLECT_RECALL__POSITION"] == "replay"
    # The blocks of earlier turns go along where they are put back.
    assert [len(event["lines"]) for event in events] == ([1, 2, 3] if replays else [1, 1, 1])


async def test_nothing_injected_is_no_event(talk):
    """A greeting, memory turned off, and an answer to nobody's memories leave no event."""
    first = await talk.chat(("user", "Which green tea do I like?"))
    await talk.remember(TEA)
    for explained in (
        first,
        await talk.chat(("user", "Hello!")),
        await talk.chat(("user", "Which tea do I like?"), x_recollect_memory="off"),
    ):
        assert "request" not in explained
    await talk.chat(("user", "Which green tea do I like?"), x_recollect_memory="read")
    [event] = await talk.wait_for(1)
    assert len(event["lines"]) == 1  # without anything captured, too


async def test_a_request_that_is_sent_again_as_it_came_is_one_event(talk):
    """The server refused it with memories: they were there once, and are told once."""
    await talk.remember(TEA)
    talk.model.replies = [400, "It is so."]
    explained = await talk.chat(("user", "Which green tea do I like?"))
    assert explained["memory"] != "injected"
    [event] = await talk.wait_for(1)
    assert len(talk.model.requests) == 2
    assert event["request"] == explained["request"]


async def test_what_was_only_said_is_told_by_its_turn(talk):
    """A line that is no memory yet is there by its id; with the turn its key goes."""
    await talk.chat(("user", "I keep a parrot named Zebulon."), x_recollect_session="one")

    async def heard():
        await talk.chat(("user", "What is my parrot called?"), x_recollect_session="two")
        return "Zebulon" in json.dumps(talk.model.requests[-1])

    await until(heard, "what was said")
    event = (await talk.wait_for(1))[-1]
    [line] = event["lines"]
    assert line["memory_id"].startswith("said:")
    assert "hash" in line
    assert b"Zebulon" in await talk.lines(texts="true")
    assert b"Zebulon" not in await talk.lines()
    await talk.ask("DELETE", "/v1/memories/?user_id=alice")
    assert await talk.injected()
    assert b"Zebulon" not in await talk.lines(texts="true")


@pytest.mark.parametrize("talk", [{"tools__inject": True}], indirect=True)
async def test_what_a_tool_told_the_model(talk):
    """The memories in the answer of an injected tool are an event of the same request."""
    bike = await talk.remember(BIKE)
    call = {
        "id": "c1", "type": "function",
        "function": {"name": "fact_search", "arguments": '{"query": "red bicycle"}'},
    }  # fmt: skip
    talk.model.replies = [{"content": None, "tool_calls": [call]}, "It is red."]
    await talk.chat(("user", "Hello!"))
    [event] = await talk.wait_for(1)
    assert BIKE in json.dumps(talk.model.requests[-1])
    assert (event["why"], [line["memory_id"] for line in event["lines"]]) == ("tool", [bike])


@pytest.fixture
def exported(monkeypatch):
    """What the product exports by OpenTelemetry."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry = Telemetry(provider.get_tracer("test"))
    monkeypatch.setattr("recollect.proxy.composing.open_telemetry", lambda _options: telemetry)
    return exporter


async def test_no_text_is_exported(exported, talk):
    """Each event is exported with its ids and hashes, and no word or user in it."""
    one = await talk.remember(TEA)
    await talk.chat(("user", "Which green tea do I like?"))
    [event] = await talk.wait_for(1)
    spans = [each for each in exported.get_finished_spans() if each.name == "audit_memory"]
    told = {each.name: dict(each.attributes) for span in spans for each in span.events}
    assert set(told) == {"recollect.audit.append", "recollect.audit.inject"}
    shown = told["recollect.audit.inject"]
    assert shown["recollect.audit.hash"] == event["hash"]
    assert shown["recollect.audit.previous"] == event["previous"]
    assert shown["recollect.audit.memory_ids"] == (one,)
    sent = "".join(span.to_json() for span in spans)
    assert "green tea" not in sent
    assert "alice" not in sent


def test_what_a_tool_shows():
    """Each memory in its answer, wherever it stands; no other value."""
    told = {"facts": [{"id": "a", "fact": "x", "near": [{"id": "b", "memory": "y"}]}], "id": "c"}
    assert [*lines_in(told)] == [DeedLine("a", digest_of("x")), DeedLine("b", digest_of("y"))]
    assert [*lines_in({"error": "no", "text": 5, "id": 7})] == []


def test_an_address_without_secrets():
    """Neither a password nor a key in the query is told."""
    assert without_secrets("https://me:pw@model.example:8443/v1/?key=k") == (
        "https://model.example:8443/v1"
    )
