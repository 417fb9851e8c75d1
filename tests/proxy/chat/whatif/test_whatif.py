"""Parts of the question which memory changed the answer; tests/proxy/api/whatif has the whole."""

import asyncio

import pytest
from pydantic import SecretStr

from recollect.config.server import UpstreamOptions
from recollect.memory.llms import OpenAIChatOptions
from recollect.proxy.chat.whatif.asking import (
    MOST_BYTES,
    MOST_CALLS,
    Asker,
    CallTally,
    NotAnsweredError,
    chat_body,
    own_key,
)
from recollect.proxy.transport.upstream import Upstream
from tests.proxy.wire import RawUpstream, response, then_close
from tests.support.folding import rows

BODY = chat_body([{"role": "user", "content": "Hello"}], "m", 10)


def test_the_key_goes_to_its_own_server_only():
    """`learn.llm` may be elsewhere; without an address it is OpenAI's."""
    key = SecretStr("sk-own")
    here = OpenAIChatOptions(base_url="http://127.0.0.1:8080/v1", api_key=key)
    assert own_key(here, "http://127.0.0.1:8080/other/v1") is key
    assert own_key(here, "http://127.0.0.1:8081/v1") is None
    assert own_key(OpenAIChatOptions(api_key=key), "https://api.openai.com/v1") is key
    assert own_key(OpenAIChatOptions(api_key=key), "http://127.0.0.1:8080/v1") is None
    assert own_key(None, "http://127.0.0.1:8080/v1") is None


async def ask(script, seconds=60):
    """What is heard from an upstream that does this."""
    async with (
        RawUpstream(script) as server,
        Upstream(UpstreamOptions(base_url=server.base_url)) as upstream,
    ):
        until = asyncio.get_running_loop().time() + seconds
        tally = CallTally()
        return await Asker(upstream).ask(BODY, None, tally, until=until), tally


@rows(
    "script, why",
    [
        (response(b"hello"), "no chat completion"),
        (response(b"x" * (MOST_BYTES + 1)), "more than"),
        (then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), "broke off"),
        (then_close(b""), "could not reach the model server"),
        (response(b'{"error": "no"}', status="403 Forbidden"), "answers 403: no; its key"),
    ],
)
async def test_what_is_no_answer_says_why(script, why):
    """In words for people."""
    with pytest.raises(NotAnsweredError, match=why):
        await ask(script)


async def test_few_calls_are_made_at_once():
    """Chats use the same server; a call that is cancelled makes room."""
    entered, leave = [], asyncio.Event()

    async def script(_reader, writer, _received):
        entered.append(len(entered))
        await leave.wait()
        writer.write(response(b"{}"))

    async with (
        RawUpstream(script) as server,
        Upstream(UpstreamOptions(base_url=server.base_url)) as upstream,
    ):
        asker = Asker(upstream)
        until = asyncio.get_running_loop().time() + 1
        tally = CallTally()
        calls = [asker.ask(BODY, None, tally, until=until) for _ in range(MOST_CALLS + 3)]
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert len(entered) == tally.calls == MOST_CALLS
        assert all(isinstance(each, NotAnsweredError) for each in found)
        leave.set()
        with pytest.raises(NotAnsweredError, match="no chat completion"):
            await asker.ask(BODY, None, tally, until=until + 60)
