"""The paths that clients ask for when their base URL lacks `/v1` or a slash is added."""

import pytest

from recollect.proxy.transport.paths import spellings
from tests.proxy.wire import request
from tests.support.folding import rows
from tests.transparency.whole import (
    CHAT_INJECTED,
    OLLAMA_INJECTED,
    RESPONSES_INJECTED,
    Whole,
    assert_sent,
    outcome,
    stream,
)

SPELT = [
    (route, path) for route in (CHAT_INJECTED, RESPONSES_INJECTED) for path in spellings(route.path)
]
every_spelling = rows("route, path", SPELT)


@pytest.fixture
async def whole():
    async with Whole() as whole:
        yield whole


def ask(route, path):
    return request("POST", path, route.body, f"x-recollect-user: {route.user}")


def test_the_spellings():
    """With and without `/v1`, with and without a slash at the end, the route's own first."""
    assert spellings("/v1/responses") == (
        "/v1/responses",
        "/responses",
        "/v1/responses/",
        "/responses/",
    )


@rows("below", ["/v1", "", "/openai", "/api/v1"])
@every_spelling
async def test_every_spelling_goes_up_as_the_route_below_the_base_url(whole, route, path, below):
    """With its memory and its query string, whatever the base URL ends with."""
    base = whole.upstream.base_url.removesuffix("/v1") + below
    whole.handlers.passthrough._upstream._base = base
    seen = await whole.ask(ask(route, f"{path}?api-version=1&x=%2F&x"))
    assert outcome(seen) == "injected"
    target = f"{below}{route.path.removeprefix('/v1')}?api-version=1&x=%2F&x"
    assert whole.received.line == f"POST {target} HTTP/1.1"
    assert_sent(route, whole.received)


@rows("below, root", [("", ""), ("/v1", ""), ("/ollama", "/ollama"), ("/ollama/v1", "/ollama")])
@rows("path", spellings(OLLAMA_INJECTED.path))
async def test_ollamas_chats_go_to_its_root(whole, below, root, path):
    """With their memory, whether the base URL is the root or the one of the compatible API."""
    base = whole.upstream.base_url.removesuffix("/v1") + below
    whole.handlers.passthrough._upstream._base = base
    assert outcome(await whole.ask(ask(OLLAMA_INJECTED, path))) == "injected"
    assert whole.received.line == f"POST {root}/api/chat HTTP/1.1"
    assert_sent(OLLAMA_INJECTED, whole.received)


@every_spelling
async def test_a_turn_is_captured_in_every_spelling(route, path):
    """What is asked there is learned."""
    events = [*route.events("hello"), route.end("hello")]
    async with Whole(stream(*events)) as whole:
        await whole.ask(ask(route, path))
        assert (await whole.captured()).assistant_text == "hello"


async def test_every_spelling_tells_whose_memory_it_is(whole):
    """The user is who the request names, on each; tests/isolation asks them at random."""
    for path in spellings(CHAT_INJECTED.path):
        data = request("POST", path, CHAT_INJECTED.body, "x-recollect-user: bob")
        assert outcome(await whole.ask(data)) == "empty"
        assert whole.received.body == CHAT_INJECTED.body
