"""Where requests lead, and what becomes of those that lead nowhere."""

import pytest
from multidict import CIMultiDict

from recollect.config.server import UpstreamOptions
from recollect.proxy.errors import ProxyError
from recollect.proxy.transport.upstream import Upstream, url_for
from tests.support.folding import rows

from ..wire import RawUpstream, response


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


@rows(
    "base, path, url",
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
def test_paths_and_queries_lead_where_they_did(base, path, url):
    """Below `/v1` means below the base URL; nothing is re-encoded, and no path names the host."""
    assert str(url_for(UpstreamOptions(base_url=base).base_url, path)) == url


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


async def test_a_streamed_body_is_not_sent_twice():
    """What was read from the client is gone: no second try with half a body."""

    async def parts():
        yield b"body"

    async with RawUpstream(dying_after(1)) as raw:
        async with Upstream(UpstreamOptions(base_url=raw.base_url)) as upstream:
            await (await upstream.send("POST", "/v1/x", CIMultiDict(), b"1")).content.read()
            with pytest.raises(ProxyError):
                await upstream.send("POST", "/v1/x", CIMultiDict(), parts())
        assert len(raw.requests) == 2
