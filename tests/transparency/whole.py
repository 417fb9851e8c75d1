"""The whole product with a memory worth recalling, and the routes that all guarantees are tried on."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from tests.hostile.facing import Facing
from tests.proxy.wire import SECONDS, RawClient, Received, chunk, request, response
from tests.support.folding import rows
from tests.support.waiting import until

FACT = "I live in Lisbon and my cat is called Miso"
QUESTION = "Where do I live and what is my cat called?"
FENCE = "<recollect-"
JSON = "Content-Type: application/json"
SSE = "Content-Type: text/event-stream; charset=utf-8"
ANSWER = response(b'{"from":"upstream"}', JSON)
STREAM_HEAD = f"HTTP/1.1 200 OK\r\n{SSE}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
LAST = b"0\r\n\r\n"

_ODD = b'{ "model":"m",\t"seed" : 1.0, "big":12345678901234567890,"x_unknown":{"a":[1e5,null]},\r\n "stream":false, '
CHAT = (
    _ODD
    + b'"messages":[ {"role":"system","content":"Be kind \\u00e9"},{"role":"user","content":"%s"} ]}'
)
RESPONSES = (
    _ODD
    + b'"input":[ {"role":"developer","content":"Be kind \\u00e9"},{"role":"user","content":"%s"} ]}'
)
MESSAGES = _ODD + (
    b'"max_tokens":9,"system":"Be kind \\u00e9","messages":[ {"role":"user","content":"%s"} ]}'
)
PROMPT = _ODD + b'"prompt":"%s"}'
INPUT = _ODD + b'"input":["%s"]}'


_EMPTY = {"type": "text", "text": ""}


def _line(message, *, done):
    return json.dumps({"model": "m", "message": message, "done": done}).encode() + b"\n"


@dataclass(frozen=True)
class Route:
    """A route, what is asked on it, and what memory does there."""

    name: str
    path: str
    template: bytes
    who: str = "alice"
    injects: bool = False
    captures: bool = False
    spelling: str = ""
    """The path that the client asks for; empty: the route's own."""

    @property
    def user(self) -> str:
        """Somebody else in each use of a product."""
        return Whole.named(self.who)

    @property
    def asked(self) -> str:
        return self.spelling or self.path

    @property
    def body(self) -> bytes:
        return self.template % QUESTION.encode()

    def ask(self, *headers: str, body: bytes | None = None) -> bytes:
        """The request as bytes, with a body of known length."""
        sent = self.body if body is None else body
        return request("POST", self.asked, sent, f"x-recollect-user: {self.user}", *headers)

    def events(self, *parts: str) -> list[bytes]:
        """A stream that says these parts, as this API does, without its end."""
        if self.path == "/v1/messages":
            kind = "content_block_delta"
            deltas = [
                {"type": kind, "index": 0, "delta": {"type": "text_delta", "text": p}}
                for p in parts
            ]
            begun = {"type": "content_block_start", "index": 0, "content_block": _EMPTY}
            return [b"event: %s\n" % e["type"].encode() + _event(e) for e in (begun, *deltas)]
        if self.path == "/api/chat":
            return [_line({"content": part, "role": "assistant"}, done=False) for part in parts]
        if self.path != "/v1/responses":
            return [_event({"choices": [{"index": 0, "delta": {"content": p}}]}) for p in parts]
        kind = "response.output_text.delta"
        common = {"type": kind, "item_id": "i", "output_index": 0, "content_index": 0}
        return [b"event: %s\n" % kind.encode() + _event({**common, "delta": p}) for p in parts]

    def end(self, text: str) -> bytes:
        """What ends such a stream."""
        if self.path == "/v1/messages":
            return b"event: message_stop\n" + _event({"type": "message_stop"})
        if self.path == "/api/chat":
            return _line({"content": "", "role": "assistant"}, done=True)
        if self.path != "/v1/responses":
            return b"data: [DONE]\n\n"
        content = [{"type": "output_text", "text": text, "annotations": []}]
        output = [{"type": "message", "id": "i", "role": "assistant", "content": content}]
        done = {"id": "resp_1", "object": "response", "status": "completed", "output": output}
        return b"event: response.completed\n" + _event(
            {"type": "response.completed", "response": done}
        )


CHAT_INJECTED = Route("chat-injected", "/v1/chat/completions", CHAT, injects=True, captures=True)
CHAT_SPELLED = Route(
    "chat-spelled",
    "/v1/chat/completions",
    CHAT,
    injects=True,
    captures=True,
    spelling="/chat/completions/",
)
CHAT_PLAIN = Route("chat-plain", "/v1/chat/completions", CHAT, who="bob", captures=True)
RESPONSES_INJECTED = Route(
    "responses-injected", "/v1/responses", RESPONSES, injects=True, captures=True
)
RESPONSES_PLAIN = Route("responses-plain", "/v1/responses", RESPONSES, who="bob", captures=True)
MESSAGES_INJECTED = Route(
    "messages-injected", "/v1/messages", MESSAGES, injects=True, captures=True
)
MESSAGES_PLAIN = Route("messages-plain", "/v1/messages", MESSAGES, who="bob", captures=True)
OLLAMA_INJECTED = Route("ollama-injected", "/api/chat", CHAT, injects=True, captures=True)
OLLAMA_PLAIN = Route("ollama-plain", "/api/chat", CHAT, who="bob", captures=True)
COMPLETIONS = Route("completions", "/v1/completions", PROMPT)
EMBEDDINGS = Route("embeddings", "/v1/embeddings", INPUT)
UNKNOWN = Route("unknown", "/v1/tomorrow/a%2Fb?x=%20&x", INPUT)
ROUTES = (
    CHAT_INJECTED,
    CHAT_SPELLED,
    CHAT_PLAIN,
    RESPONSES_INJECTED,
    RESPONSES_PLAIN,
    MESSAGES_INJECTED,
    MESSAGES_PLAIN,
    OLLAMA_INJECTED,
    OLLAMA_PLAIN,
    COMPLETIONS,
    EMBEDDINGS,
    UNKNOWN,
)


def on(routes):
    """Run a test on each of these routes: all on which it fails are named."""
    return rows("route", routes)


every_route = on(ROUTES)
INJECTING = [route for route in ROUTES if route.injects]
injecting_routes = on(INJECTING)
capturing_routes = on([route for route in ROUTES if route.captures])
memory_routes = capturing_routes
untouched_routes = on([route for route in ROUTES if not route.injects])


class Whole(Facing):
    """The product between a raw upstream and raw clients; alice has told it where she lives.

    Given bytes instead of a script, the upstream sends `answer`, which may be set anew. Who alice
    and bob are is another one each time, so that a product may serve one test after the other.
    """

    _use = 0

    @classmethod
    def named(cls, who: str) -> str:
        """This one's id at the moment."""
        return f"{who}{cls._use}"

    def __init__(self, script=ANSWER, *, read_body=True, **options):
        self.answer = script
        script = self._say if isinstance(script, bytes) else script
        generous = {
            "recall__threshold": 0,
            "recall__deadline_ms": 60_000,
            "learn__every_turns": 1000,
            "listen__allowed_hosts": '["proxy.test"]',
        }
        super().__init__(script, read_body=read_body, **generous | options)

    async def __aenter__(self):
        await super().__aenter__()
        Whole._use += 1
        said = json.dumps({"messages": FACT, "user_id": self.named("alice"), "infer": False})
        told = request("POST", "/v1/memories/", said.encode(), JSON)
        seen = await self.ask(told.replace(b"proxy.test", b"127.0.0.1", 1))
        if seen.status != HTTPStatus.OK:
            await self.__aexit__(None, None, None)
            raise AssertionError(seen)
        return self

    async def _say(self, _reader, writer, _received):
        writer.write(self.answer)

    @property
    def received(self) -> Received:
        return self.upstream.requests[-1]

    def accepted_sockets(self):
        """Of the client connections that are open."""
        transports = [c.transport for c in self._runner.server.connections]
        return [each.get_extra_info("socket") for each in transports if each is not None]

    def upstream_sockets(self):
        """Of the connections on which an answer is under way."""
        acquired = self.handlers.passthrough._upstream._connector._acquired
        return [protocol.transport.get_extra_info("socket") for protocol in acquired]

    @property
    def conversations(self):
        """Where turns are kept."""
        route = next(iter(self.handlers.remembering.values()))
        return route._listening._pipeline._capture._conversations

    async def turns(self):
        """The last turn of each conversation of now that has something to learn."""
        users = {self.named(who) for who in ("alice", "bob")}
        turns = await self.conversations.pending(idle_since=None, scope=None)
        return [turn for turn in turns if turn.scope.user_id in users]

    async def captured(self):
        """The last turn of the one conversation that is captured, as soon as it is."""
        [turn] = await until(self.turns, "a turn")
        return turn

    @asynccontextmanager
    async def asking(self, data: bytes) -> AsyncIterator[RawClient]:
        """A client whose request is at the upstream."""
        before = len(self.upstream.requests)
        async with self.client() as client:
            await client.send(data)
            await until(lambda: len(self.upstream.requests) > before, "the request")
            yield client


def is_one_insertion(original: bytes, received: bytes) -> bool:
    """Whether the second is the first with something put into it in one place."""
    length = len(received) - len(original)
    prefix = 0
    while prefix < len(original) and original[prefix] == received[prefix]:
        prefix += 1
    return length > 0 and received[prefix + length :] == original[prefix:]


def assert_sent(route: Route, received: Received, body: bytes | None = None) -> None:
    """The upstream got the client's bytes, plus one block exactly where memory is to add one."""
    sent = route.body if body is None else body
    if not route.injects:
        assert received.body == sent
        return
    assert is_one_insertion(sent, received.body), received.body
    fields = json.loads(received.body)
    [block] = take_ours(fields)
    assert fields == json.loads(sent)
    assert FACT in block


_BLOCK = re.compile(r"(?s)(\n\n)?<recollect-\d[^>]*>.*?</recollect-[^>]*>(\n\n)?")


def take_ours(fields) -> list[str]:
    """Take the blocks that memory added out of a parsed request, wherever they are."""
    key = "messages" if "messages" in fields else "input"
    ours: list[str] = []
    if isinstance(fields.get("instructions"), str):
        fields["instructions"] = _without(fields["instructions"], ours)
    if isinstance(fields[key], str):
        fields[key] = _without(fields[key], ours)
        return ours
    kept = []
    for item in fields[key]:
        content = item.get("content") if isinstance(item, dict) else None
        if isinstance(content, str) and FENCE in content:
            if item.get("role") == "system" and not _BLOCK.sub("", content):
                ours.append(content)
                continue
            item["content"] = _without(content, ours)
        elif isinstance(content, list):
            item["content"] = [
                part for part in (_part(part, ours) for part in content) if part is not None
            ]
        kept.append(item)
    fields[key] = kept
    return ours


def _without(text, ours):
    ours += [match.group() for match in _BLOCK.finditer(text)]
    return _BLOCK.sub("", text)


def _part(part, ours):
    """A part of a content without a block in it; None if it is nothing else."""
    if isinstance(part, str):
        return _without(part, ours)
    if not isinstance(part, dict) or FENCE not in str(part.get("text")):
        return part
    rest = _without(part["text"], ours)
    return part | {"text": rest} if rest else None


def outcome(seen) -> str:
    """What the answer says about memory; empty on routes without."""
    return ",".join(seen.head.values("x-recollect-memory"))


def upstream_headers(seen, *also: str):
    """The headers of an answer that the upstream sent: without framing, and ours."""
    ours = {"transfer-encoding", "connection", *also}
    return [
        (name, value)
        for name, value in seen.head.headers
        if name.lower() not in ours and not name.lower().startswith("x-recollect-")
    ]


def stream(*chunks: bytes, cut: bool = False) -> bytes:
    """An event stream, each part in a chunk of its own."""
    return STREAM_HEAD + b"".join(map(chunk, chunks)) + (b"" if cut else LAST)


def first_tries(received: list[Received]) -> list[Received]:
    """Those that were not sent once more without memories, after a refusal with them."""
    fence = FENCE.encode()
    before = [None, *received]
    return [
        this
        for last, this in zip(before, received, strict=False)
        if last is None or fence in this.body or fence not in last.body
    ]


async def read_head(client: RawClient) -> Received:
    """The head of an answer whose body is not there yet."""
    async with asyncio.timeout(SECONDS):
        return Received((await client.reader.readuntil(b"\r\n\r\n"))[:-4])


async def read_chunk(client: RawClient) -> bytes:
    """One chunk of an answer."""
    async with asyncio.timeout(SECONDS):
        size = int(await client.reader.readuntil(b"\r\n"), 16)
        return (await client.reader.readexactly(size + 2))[:-2]


def _event(data: object) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"
