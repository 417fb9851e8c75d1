"""The route with memory: what goes upstream, what is said about it, what is captured."""

import asyncio
import gzip
import json

from recollect.proxy.transport.relay import WHOLE_BYTES
from tests.support.folding import rows

from ..chatting import BODY, COMPLETION, DONE, EVENTS, PATH, SSE, Chatting, inject, said
from ..wire import SECONDS, RawClient, chunk, chunked, request, response


async def test_a_packed_answer_is_passed_packed_and_read():
    """A gzip answer is the client's as it is; the copy is unpacked for the turn."""
    body = gzip.compress(COMPLETION)
    async with Chatting(response(body, "Content-Encoding: gzip")) as chatting:
        seen = await chatting.ask(BODY, "Accept-Encoding: br, gzip;q=0.5")
        [turn] = await chatting.turns()
        assert chatting.received.values("accept-encoding") == ["gzip;q=0.5"]
    assert seen.body == body
    assert turn.assistant_text == "hello"


@rows(
    "answer",
    [
        chunked(*EVENTS, DONE, headers=(SSE,)),
        chunked(*EVENTS, headers=(SSE,)),
        response(COMPLETION),
        response(COMPLETION + b" " * WHOLE_BYTES),
    ],
)
async def test_the_turn_is_kept_before_the_last_byte(answer):
    """While the turn is being written the client has not seen the end of the answer."""
    writing, go_on = asyncio.Event(), asyncio.Event()

    async def hold(_turn):
        writing.set()
        await go_on.wait()

    async with (
        Chatting(answer) as chatting,
        RawClient(chatting.port) as client,
        asyncio.timeout(SECONDS),
    ):
        chatting.conversations.before = hold
        await client.send(request("POST", PATH, BODY))
        reading = asyncio.ensure_future(client.answer())
        await writing.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not reading.done()
        go_on.set()
        assert (await reading).ended


async def test_a_client_that_leaves_while_the_turn_is_written_loses_nothing():
    """Closing the connection in that moment does not cost the turn."""
    writing = asyncio.Event()

    async def hang_once(_turn):
        chatting.conversations.before = None
        writing.set()
        await asyncio.sleep(3600)

    async with Chatting(chunked(*EVENTS, DONE, headers=(SSE,))) as chatting:
        chatting.conversations.before = hang_once
        async with RawClient(chatting.port) as client, asyncio.timeout(SECONDS):
            await client.send(request("POST", PATH, BODY))
            await writing.wait()
        turn = await chatting.captured()
    assert turn.assistant_text == "hello"


async def test_more_after_the_end_mark_is_captured_too():
    """The mark is believed when it comes and corrected when it was not the end."""
    late = b'data: {"choices":[{"delta":{"content":" again"}}]}\n\n'
    go_on = asyncio.Event()

    async def script(_reader, writer, _received):
        writer.write(chunked(*EVENTS, DONE, headers=(SSE,), final=False))
        await writer.drain()
        await go_on.wait()
        writer.write(chunk(late) + b"0\r\n\r\n")

    async with Chatting(script) as chatting, RawClient(chatting.port) as client:
        await client.send(request("POST", PATH, BODY))
        assert (await chatting.captured()).assistant_text == "hello"
        go_on.set()
        assert (await client.answer()).ended
        [turn] = await chatting.turns()
    assert turn.assistant_text == "hello again"


@rows("status", ["400 Bad Request", "429 Too Many Requests", "500 Oh"])
async def test_refusals_of_the_upstream_are_not_captured(status):
    """An error is passed on as it is and is no turn."""
    answer = response(b'{"error":{}}', "Retry-After: 3", status=status)
    async with Chatting(answer, step=inject) as chatting:
        seen = await chatting.ask()
        assert not await chatting.turns()
        assert chatting.new_tenants == 0
    assert (seen.head.line, seen.body) == (f"HTTP/1.1 {status}", b'{"error":{}}')
    assert seen.head.values("retry-after") == ["3"]


@rows(
    "body, headers, reason",
    [
        (b"not json", (), "unreadable_body"),
        (b"", (), "unreadable_body"),
        (b'{"messages": "hi"}', (), "unreadable_body"),
        (b'{"messages": []}', (), "unreadable_body"),
        (b'\xef\xbb\xbf{"messages":[{}]}', (), "unreadable_body"),
        (BODY, ("Content-Encoding: br",), "encoded_body"),
        (BODY, ("Content-Encoding: gzip, gzip",), "encoded_body"),
        (BODY, ("Content-Encoding: gzip",), "unreadable_body"),
        (gzip.compress(BODY, mtime=0)[:-1], ("Content-Encoding: gzip",), "unreadable_body"),
        (gzip.compress(bytes(2000), mtime=0), ("Content-Encoding: gzip",), "large_body"),
        (b'{"messages":[{"role":"user","content":"' + b"x" * 2000 + b'"}]}', (), "large_body"),
        (b"x" * 100_000, (), "large_body"),
    ],
)
async def test_what_cannot_be_read_goes_up_untouched(body, headers, reason):
    """The upstream judges it; the client learns that memory did not look."""
    async with Chatting(step=inject, limits={"max_parsed_bytes": 1024}) as chatting:
        seen = await chatting.ask(body, *headers)
        assert chatting.received.body == body
        assert not await chatting.turns()
    assert (seen.status, seen.body) == (200, COMPLETION)
    assert said(seen) == ("skipped", reason, "0")


async def test_a_call_for_tools_does_not_end_the_turn():
    """It is kept, but only the answer that ends the turn can make the conversation due."""
    call = b'{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"f"}}]}}]}'
    answers = iter([call, COMPLETION])

    async def script(_reader, writer, _received):
        writer.write(response(next(answers)))

    async with Chatting(script, learn={"every_turns": 1}) as chatting:
        await chatting.ask()
        assert ((await chatting.captured()).assistant_text, chatting.due) == ("", 0)
        again = json.loads(BODY)
        again["messages"] += [{"role": "assistant", "tool_calls": []}, {"role": "tool"}]
        await chatting.ask(json.dumps(again).encode())
        [turn] = await chatting.turns()
    assert (turn.assistant_text, chatting.due) == ("hello", 1)


@rows(
    "value, outcome, injects, learns",
    [
        ("on", ("injected", "personal", "2"), True, True),
        ("read", ("injected", "personal", "2"), True, False),
        ("write", ("off", "off_by_header", "0"), False, True),
        ("off", ("off", "off_by_header", "0"), False, False),
        ("maybe", ("off", "bad_memory_header", "0"), False, False),
    ],
)
async def test_the_memory_header(value, outcome, injects, learns):
    """A client says for each request whether memory may be read and written."""
    async with Chatting(step=inject) as chatting:
        seen = await chatting.ask(BODY, f"x-recollect-memory: {value}")
        assert (chatting.received.body != BODY) is injects
        assert bool(await chatting.turns()) is learns
    assert said(seen) == outcome


async def test_a_due_conversation_wakes_the_learner():
    """The turn that fills the measure starts a job."""
    async with Chatting(learn={"every_turns": 2}) as chatting:
        messages = [{"role": "user", "content": "one"}]
        await chatting.ask(json.dumps({"messages": messages}).encode())
        assert chatting.due == 0
        messages += [{"role": "assistant", "content": "hello"}, {"role": "user", "content": "two"}]
        await chatting.ask(json.dumps({"messages": messages}).encode())
        assert chatting.due == 1
        assert (await chatting.jobs.counts())["ready"] == 1


async def test_the_credential_is_noted_once_an_answer_is_worth_learning():
    """A new tenant's credential lets waiting jobs run; it is told of once."""
    async with Chatting() as chatting:
        for _ in range(2):
            await chatting.ask(BODY, "Authorization: Bearer sk-1")
        assert (chatting.new_tenants, chatting.wakes) == (1, 1)
        model = await chatting.models("local", "m")
        assert model.options.api_key.get_secret_value() == "sk-1"
