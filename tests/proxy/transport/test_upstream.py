"""Where requests lead, and what becomes of those that lead nowhere."""

import asyncio

import pytest
from multidict import CIMultiDict

from recollect.config.server import UpstreamOptions
from recollect.proxy.errors import ProxyError
from recollect.proxy.transport.upstream import Upstream
from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS

from ..wire import RawUpstream, response, then_close


@pytest.fixture
async def upstream():
    """Make upstreams that are closed at the end."""
    made = []

    def make(base_url, **options):
        made.append(Upstream(UpstreamOptions(base_url=base_url, **options)))
        return made[-1]

    yield make
    for each in made:
        await each.close()


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("https://h/v1", "/v1/x", "https://h/v1/x"),
        ("https://h/v1", "/v1", "https://h/v1"),
        ("https://h/v1", "/v1?x=1", "https://h/v1?x=1"),
        ("https://h/v1", "/v1/", "https://h/v1/"),
        ("https://h/v1", "/v1beta/x", "https://h/v1beta/x"),
        ("https://h/v1", "/foo", "https://h/foo"),
        ("https://h/v1", "/", "https://h/"),
        ("https://h/v1/", "/v1/x", "https://h/v1/x"),
        ("https://h/api/v1", "/v1/x", "https://h/api/v1/x"),
        ("https://h/api/v1", "/foo", "https://h/api/foo"),
        ("https://h/openai", "/v1/x", "https://h/openai/x"),
        # Azure: docs/clients.md says what becomes of its deployments.
        ("https://h/openai/v1", "/v1/chat/completions", "https://h/openai/v1/chat/completions"),
        ("https://h", "/openai/deployments/d/x?v=1", "https://h/openai/deployments/d/x?v=1"),
        (
            "https://h/openai/v1",
            "/openai/deployments/d/x",
            "https://h/openai/openai/deployments/d/x",
        ),
        ("https://h/openai", "/foo", "https://h/openai/foo"),
        ("http://h:8000", "/v1/x", "http://h:8000/x"),
        ("http://h:8000", "/", "http://h:8000/"),
        ("http://[::1]:8000/v1", "/v1/x", "http://[::1]:8000/v1/x"),
        ("https://h/v1", "/v1/files%2Fa%20b", "https://h/v1/files%2Fa%20b"),
        ("https://h/v1", "/v1%2Fx", "https://h/v1%2Fx"),
        ("https://h/v1", "/v1//x//", "https://h/v1//x//"),
        ("https://h/v1", "//evil.test/x", "https://h//evil.test/x"),
        ("https://h/v1", "/v1/./x/../y", "https://h/v1/./x/../y"),
        ("https://h/v1", "/@evil.test", "https://h/@evil.test"),
        ("https://h/v1", "/v1/x?q=a+b%2Bc&q=&=%zz", "https://h/v1/x?q=a+b%2Bc&q=&=%zz"),
        ("https://h/v1", "/v1/x?", "https://h/v1/x"),
        ("https://h/v1", "http://proxy.test/v1/x?y=%2F", "https://h/v1/x?y=%2F"),
        ("https://h/v1", "http://evil.test", "https://h/"),
    ],
)
async def test_paths_and_queries_lead_where_they_did(upstream, base, path, url):
    """Below `/v1` means below the base URL; nothing is re-encoded, and no path names the host."""
    assert str(upstream(base).url_for(path)) == url


@pytest.mark.parametrize("base", ["https://h/v1", "https://h/openai", "https://h"])
@pytest.mark.parametrize(
    "path", ["/v1/../admin", "/%2e%2E/x", "*", "evil.test:443", "http://[::1/x"]
)
async def test_what_is_no_path_below_the_base_is_400(upstream, base, path):
    """Nothing but configuration says where requests go; tests/proxy/transport/test_paths.py has all tricks."""
    with pytest.raises(ProxyError) as caught:
        upstream(base).url_for(path)
    assert (caught.value.status, caught.value.code) == (400, "bad_path")


async def test_a_refused_connection_is_502(upstream):
    """No server there: our error, without its address."""
    port = free_port()
    with pytest.raises(ProxyError) as caught:
        await upstream(f"http://127.0.0.1:{port}/v1").send("GET", "/v1/x", CIMultiDict())
    assert (caught.value.status, caught.value.code) == (502, "upstream_unreachable")
    assert str(port) not in caught.value.message


async def test_a_name_nobody_has_is_502(upstream):
    """A host that does not resolve is unreachable too."""
    with pytest.raises(ProxyError) as caught:
        await upstream("http://nobody.invalid/v1").send("GET", "/v1/x", CIMultiDict())
    assert caught.value.status == 502


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nContent-", b"not http at all\r\n\r\n"]
)
async def test_no_answer_is_502(upstream, answer):
    """A connection that ends before a whole head, or says something else, is no answer."""
    async with RawUpstream(then_close(answer)) as server:
        with pytest.raises(ProxyError) as caught:
            await upstream(server.base_url).send("POST", "/v1/x", CIMultiDict(), b"{}")
    assert caught.value.status == 502


async def test_silence_is_504(upstream):
    """A server that takes the request and says nothing is a timeout."""

    async def silent(_reader, _writer, _received):
        await asyncio.sleep(3600)

    async with RawUpstream(silent) as server:
        with pytest.raises(ProxyError) as caught:
            await upstream(server.base_url, idle_seconds=0.05).send("GET", "/v1/x", CIMultiDict())
    assert (caught.value.status, caught.value.code) == (504, "upstream_timeout")


async def test_no_header_is_added_and_no_cookie_kept(upstream):
    """The upstream gets Host and what it is sent, also after it set a cookie."""
    async with RawUpstream(response(b"", "Set-Cookie: a=1; Path=/")) as server:
        client = upstream(server.base_url)
        for _ in range(2):
            answer = await client.send("GET", "/v1/x", CIMultiDict({"X-One": "1"}))
            await answer.read()
        names = [[name for name, _ in each.headers] for each in server.requests]
    assert names == [["Host", "X-One"]] * 2


async def test_many_requests_run_at_once(upstream):
    """There is no pool limit to queue behind: two hundred answers wait side by side."""
    together = asyncio.Barrier(200)

    async def wait_for_all(_reader, writer, _received):
        await together.wait()
        writer.write(response(b"ok"))

    async with RawUpstream(wait_for_all) as server, asyncio.timeout(HANG_SECONDS):
        client = upstream(server.base_url)

        async def one():
            answer = await client.send("GET", "/v1/x", CIMultiDict())
            return await answer.read()

        assert await asyncio.gather(*(one() for _ in range(200))) == [b"ok"] * 200


async def test_it_closes_as_a_context():
    """Leaving the context closes the pool."""
    async with Upstream(UpstreamOptions(base_url="http://h/v1")) as upstream:
        pass
    with pytest.raises(RuntimeError):
        await upstream.send("GET", "/v1/x", CIMultiDict())


def dying_after(answered):
    """An upstream that answers so many requests in all and then hangs up on the next, once."""
    left = [answered, 1]

    async def script(_reader, writer, _received):
        if left[0] == 0 and left[1]:
            left[1] -= 1
            writer.close()
            raise ConnectionResetError
        left[0] = max(0, left[0] - 1)
        writer.write(response(b"ok"))

    return script


async def test_a_pooled_connection_that_died_is_tried_again_once():
    """The upstream hung up on a kept connection: the same request goes out on a new one."""
    async with RawUpstream(dying_after(1)) as raw:
        async with Upstream(UpstreamOptions(base_url=raw.base_url)) as upstream:
            for _ in range(2):
                answer = await upstream.send("POST", "/v1/x", CIMultiDict(), b"body")
                assert await answer.read() == b"ok"
        assert [received.body for received in raw.requests] == [b"body"] * 3
        assert raw.connections == 2


async def test_a_fresh_connection_that_died_is_not_tried_again():
    """It may have been the request that did it: who sends it twice would be billed twice."""
    async with RawUpstream(dying_after(0)) as raw:
        async with Upstream(UpstreamOptions(base_url=raw.base_url)) as upstream:
            with pytest.raises(ProxyError) as caught:
                await upstream.send("POST", "/v1/x", CIMultiDict(), b"body")
        assert caught.value.status == 502
        assert len(raw.requests) == 1


async def test_a_streamed_body_is_not_sent_twice():
    """What was read from the client is gone: no second try with half a body."""

    async def parts():
        yield b"body"

    async with RawUpstream(dying_after(1)) as raw:
        async with Upstream(UpstreamOptions(base_url=raw.base_url)) as upstream:
            await (await upstream.send("POST", "/v1/x", CIMultiDict(), b"1")).read()
            with pytest.raises(ProxyError):
                await upstream.send("POST", "/v1/x", CIMultiDict(), parts())
        assert len(raw.requests) == 2


async def test_what_came_unasked_ends_a_pooled_connection():
    """Bytes between two answers belong to nobody: the next request gets a connection of its own."""
    unasked = asyncio.Event()

    async def script(_reader, writer, received):
        writer.write(response(b"own"))
        if received.line.startswith("GET"):
            await writer.drain()
            await unasked.wait()
            writer.write(response(b"unasked"))

    async with RawUpstream(script) as raw:
        async with Upstream(UpstreamOptions(base_url=raw.base_url)) as upstream:
            await (await upstream.send("GET", "/v1/x", CIMultiDict())).read()
            unasked.set()
            await asyncio.sleep(0.1)
            answer = await upstream.send("POST", "/v1/x", CIMultiDict(), b"1")
            assert await answer.read() == b"own"
        assert raw.connections == 2
