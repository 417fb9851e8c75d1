import asyncio
import traceback

import pytest
from aiohttp import web

from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions, openai
from recollect.memory.model.errors import ModelError, ModelTimeoutError, ModelUnavailableError
from recollect.memory.model.types import ChatRequest, Message
from recollect.memory.util.openai_client import open_client
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel, facts

KEY = "sk-very-secret-0123456789"
SCHEMA = {"type": "object"}
ASK = ChatRequest(messages=[Message(role="user", content="hi")], schema=SCHEMA, max_tokens=77)


@pytest.fixture
async def server():
    async with ScriptedModel("fine") as server:
        yield server


@pytest.fixture
async def open_model(server):
    """Opens models at the server, and closes them; no retries, to keep tests short."""
    opened = []

    def open_model(setting=None, variables=None, retries=None, **options):
        options = {"base_url": server.base_url, "api_key": KEY} | options
        model = OpenAIChatModel(
            OpenAIChatOptions(**options), setting=setting, variables=variables, retries=retries
        )
        opened.append(model)
        return model

    yield open_model
    for model in opened:
        await model.close()


def only(*formats):
    """A server that knows these response formats and refuses others with a 400."""

    def reply(body):
        kind = body.get("response_format", {}).get("type", "text")
        return "fine" if kind in formats else 400

    return reply


def formats(server):
    return [body.get("response_format", {}).get("type", "text") for body in server.requests]


async def test_the_call(server, open_model):
    """Messages, model, bounds, key and the strict schema are sent; text and counts come back."""
    reply = await open_model(model="m").complete(ASK)
    assert (reply.text, reply.model) == ("fine", "scripted")
    assert (reply.prompt_tokens, reply.completion_tokens) == (1, 1)
    [body] = server.requests
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("m", 77, 0)
    assert body["messages"] == [{"role": "user", "content": "hi"}]
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert body["response_format"]["json_schema"]["strict"] is True
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_first_calls_at_once_open_one_client(server, open_model, monkeypatch):
    """One client keeps the connections together, and whoever closes waits for it."""
    made = []

    async def opening(**how):
        made.append(await open_client(**how))
        return made[-1]

    monkeypatch.setattr(openai, "open_client", opening)
    model = open_model()
    await asyncio.gather(*(model.complete(ASK) for _ in range(5)))
    assert len(made) == 1
    await model.close()
    assert made[0].is_closed()
    opened, _ = await asyncio.gather(model._open(), model.close())
    assert opened.is_closed()


async def test_pictures(server, open_model):
    """A message with pictures is sent in parts, the text first; others stay plain text."""
    pictured = Message(role="user", content="see?", images=("data:image/png;base64,eA==",))
    await open_model().complete(ChatRequest(messages=[*ASK.messages, pictured]))
    plain, parts = server.requests[0]["messages"]
    assert plain["content"] == "hi"
    assert parts["content"] == [
        {"type": "text", "text": "see?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}},
    ]


@rows(
    "status, code, later",
    [
        (400, "model_refused", False),
        (401, "model_unauthorized", False),
        (403, "model_unauthorized", False),
        (404, "model_not_found", False),
        (413, "model_refused", False),
        (422, "model_refused", False),
        (408, "model_busy", True),
        (409, "model_busy", True),
        (429, "model_busy", True),
        (500, "model_busy", True),
        (503, "model_busy", True),
    ],
)
async def test_what_waiting_helps_against(server, open_model, status, code, later):
    """A busy or broken server may answer later; one that refuses the call will refuse it again."""
    server.replies = [status]
    with pytest.raises(ModelError) as caught:
        await open_model().complete(ASK)
    assert isinstance(caught.value, ModelUnavailableError) is later
    assert (caught.value.code, bool(caught.value.advice)) == (code, True)


@rows(
    "known, first, then",
    [
        (["json_schema", "json_object", "text"], ["json_schema"], ["json_schema"]),
        (["json_object", "text"], ["json_schema", "json_object"], ["json_object"]),
        (["text"], ["json_schema", "json_object", "text"], ["text"]),
    ],
)
async def test_the_strictest_format_it_accepts(server, open_model, known, first, then):
    """Formats are tried strictest first, and the one that worked is remembered."""
    server.requests.clear()
    server.replies = [only(*known)]
    model = open_model()
    await model.complete(ASK)
    assert formats(server) == first
    await model.complete(ASK)
    assert formats(server) == first + then


async def test_reasoning_content_stands_in(server, open_model):
    """An answer that a server put into `reasoning_content` is read; content comes first."""
    server.replies = [
        {"content": None, "reasoning_content": "thought"},
        {"content": "said", "reasoning_content": "thought"},
    ]
    model = open_model()
    assert (await model.complete(ASK)).text == "thought"
    assert (await model.complete(ASK)).text == "said"


@rows(
    "message",
    [
        {"content": ""},
        {"content": " \n"},
        {"content": None},
        {"content": None, "reasoning_content": ""},
        {"content": None, "reasoning_content": {"odd": 1}},
        {"content": None, "refusal": "no"},
    ],
)
async def test_silence_is_a_failure(server, open_model, message):
    """An empty answer is a ModelError, never an empty text."""
    server.replies = [message]
    with pytest.raises(ModelError, match="answered nothing"):
        await open_model().complete(ASK)


@rows(
    "respond",
    [
        lambda: web.json_response({"choices": []}),
        lambda: web.json_response({"choices": None}),
        lambda: web.json_response({"choices": [{"index": 0}]}),
        lambda: web.json_response({"choices": [None]}),
        lambda: web.json_response({"choices": ["x"]}),
        lambda: web.json_response({"choices": [{"message": "hi"}]}),
        lambda: web.json_response({"choices": [{"message": []}]}),
        lambda: web.json_response({"error": {"message": "with status 200"}}),
        lambda: web.json_response([]),
        lambda: web.json_response(None),
        lambda: web.Response(text="<html>", content_type="text/html"),
        lambda: web.Response(text="{", content_type="application/json"),
        lambda: web.Response(text=""),
        lambda: web.Response(body=b"\xff\xfe", content_type="application/json"),
    ],
)
async def test_answers_that_are_no_completion(aiohttp_server, respond):
    """Whatever a server sends instead of a completion is a ModelError."""
    app = web.Application()

    async def answer(_):
        return respond()

    app.router.add_post("/v1/chat/completions", answer)
    url = str((await aiohttp_server(app)).make_url("/v1"))
    model = OpenAIChatModel(OpenAIChatOptions(base_url=url))
    with pytest.raises(ModelError):
        await model.complete(ASK)
    await model.close()


@rows("status", [400, 401, 404, 429, 503])
async def test_errors_show_the_status_and_no_key(aiohttp_server, status, caplog):
    """Servers echo keys; neither our error nor its traceback does."""
    app = web.Application()

    async def refuse(request):
        secret = request.headers["Authorization"]
        return web.json_response({"error": {"message": secret, "code": secret}}, status=status)

    app.router.add_post("/v1/chat/completions", refuse)
    url = str((await aiohttp_server(app)).make_url("/v1"))
    model = OpenAIChatModel(OpenAIChatOptions(base_url=url, api_key=KEY))
    with pytest.raises(ModelError, match=f"HTTP {status}") as caught:
        await model.complete(ASK)
    await model.close()
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert KEY not in caplog.text


async def test_a_slow_answer_is_not_asked_for_again(server, open_model):
    """The server still works on the first call; a second one would make it slower."""
    over = asyncio.Event()

    async def hang(_body):
        await over.wait()
        return "late"

    server.replies = [hang]
    with pytest.raises(ModelTimeoutError):
        await open_model(timeout_seconds=0.2, retries=2).complete(ASK)
    assert len(server.requests) == 1
    over.set()


async def test_a_connection_that_is_never_made_is_no_slow_answer(open_model, monkeypatch):
    """A host that drops packets is down: that is told apart from a model that thinks."""
    import httpx2

    async def nothing(*_args, **_kwargs):
        raise httpx2.ConnectTimeout("no route")

    model = open_model()
    client = await model._open()
    monkeypatch.setattr(client._client, "send", nothing)
    with pytest.raises(ModelUnavailableError):
        await model.complete(ASK)
    assert client.timeout.connect <= 10


async def test_an_answer_that_drips_in_is_given_up(aiohttp_server, open_model):
    """The bound is on the whole call: a server that sends a byte now and then cannot hold it."""
    over = asyncio.Event()

    async def drip(request):
        response = web.StreamResponse()
        await response.prepare(request)
        while not over.is_set():
            await response.write(b" ")
            await asyncio.sleep(0.05)
        return response

    app = web.Application()
    app.router.add_post("/v1/chat/completions", drip)
    url = str((await aiohttp_server(app)).make_url("/v1"))
    with pytest.raises(ModelTimeoutError, match="too slowly"):
        await open_model(base_url=url, timeout_seconds=0.4).complete(ASK)
    over.set()


async def test_a_configured_model_asks_for_no_memory(server, open_model):
    """Its server may be a Recollect, which must neither extend nor learn the engine's prompts.

    A model that nobody configured for us is called as any client would call it.
    """
    await open_model(setting="learn.llm").complete(ASK)
    assert server.headers[0]["x-recollect-memory"] == "off"
    await open_model().complete(ASK)
    assert "recollect" not in str(server.headers[1]).lower()


async def test_an_error_names_the_setting(server, open_model, unused_tcp_port):
    """Of a model that was configured, whoever reads the error knows which key to look at.

    Also which variable: who set it has never heard of the option.
    """
    for status, named in (
        (401, r"learn\.llm\.api_key"),
        (403, r"learn\.llm\.api_key"),
        (404, r"learn\.llm\.base_url and learn\.llm\.model"),
    ):
        server.replies = [status]
        with pytest.raises(ModelError, match=named):
            await open_model(setting="learn.llm").complete(ASK)
        with pytest.raises(ModelError) as caught:
            await open_model().complete(ASK)
        assert "check" not in str(caught.value)
    gone = {"base_url": f"http://127.0.0.1:{unused_tcp_port}/v1"}
    for more, named in (
        ({"setting": "llm"}, r"APIConnectionError.*check llm\.base_url"),
        (
            {"setting": "llm", "variables": {"base_url": "OPENAI_BASE_URL"}},
            r"check llm\.base_url \(or OPENAI_BASE_URL\)",
        ),
    ):
        with pytest.raises(ModelUnavailableError, match=named):
            await open_model(**gone, **more).complete(ASK)


async def test_parameters_of_older_models_are_dropped_where_refused() -> None:
    """A reasoning model that refuses `max_tokens` is asked in its own terms, now and later."""

    def refuse(body):
        if "max_tokens" in body:
            error = {"message": "unsupported", "param": "max_tokens", "code": "unsupported"}
            return web.json_response({"error": error}, status=400)
        return facts()

    async with ScriptedModel(refuse) as server:
        model = OpenAIChatModel(OpenAIChatOptions(base_url=server.base_url))
        request = ChatRequest(messages=[Message(role="user", content="x")], schema={})
        await model.complete(request)
        await model.complete(request)
        await model.close()
    asked = [sorted({"max_tokens", "max_completion_tokens"} & set(b)) for b in server.requests]
    assert asked == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]
    assert "temperature" not in server.requests[-1]


TOLD = '{"facts": []}'


def called(body, *, arguments=TOLD):
    """A server of a model that answers by a call, if a tool is offered; its words say nothing."""
    if "tools" not in body:
        return "fine"
    assert body["tool_choice"] == "required"
    name = body["tools"][0]["function"]["name"]
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"content": None, "tool_calls": [call]}


async def test_a_server_that_knows_tools_alone_is_asked_for_a_call(server, open_model):
    """The schema is the tool's, and the arguments are the answer; without a schema none is offered."""
    server.replies = [called]
    model = open_model(provider="anthropic")
    assert (await model.complete(ASK)).text == TOLD
    [tool] = server.requests[0]["tools"]
    assert tool["function"]["parameters"] == SCHEMA
    assert "response_format" not in server.requests[0]
    words = ChatRequest(messages=ASK.messages)
    assert (await model.complete(words)).text == "fine"
    assert "tools" not in server.requests[1]


@rows("reply, text", [("in words", "in words"), (only("text"), "fine")])
async def test_a_tool_that_is_not_called(server, open_model, reply, text):
    """Words are read as ever; a server that refuses tools is asked without, and never again with."""
    refuses = callable(reply)

    def answer(body):
        return 400 if refuses and "tools" in body else reply(body) if refuses else reply

    server.replies = [answer]
    server.requests.clear()
    model = open_model(provider="anthropic")
    assert [(await model.complete(ASK)).text for _ in range(2)] == [text] * 2
    assert ["tools" in body for body in server.requests] == (
        [True, False, False] if refuses else [True, True]
    )
