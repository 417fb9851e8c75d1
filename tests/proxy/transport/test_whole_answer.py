"""A small answer of ours is what aiohttp would send, in one write."""

import re

from aiohttp import web

from recollect.proxy.transport.whole_answer import WholeAnswer
from tests.support.folding import rows

from ..wire import Served, request

ASKED = {
    "a GET": request("GET", "/"),
    "a HEAD": request("HEAD", "/"),
    "the last": request("GET", "/", None, "Connection: close"),
    "an old client": b"GET / HTTP/1.0\r\n\r\n",
    "an old client that stays": b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "two": request("GET", "/") + request("GET", "/", None, "Connection: close"),
}
ANSWERS = {
    "json": {"body": b"{}", "content_type": "application/json"},
    "headers": {"body": b"x", "headers": {"X-A": "\u00e9", "x-b": "2", "Date": "today"}},
    "nothing": {"body": b""},
    "no body": {"status": 204},
    "unchanged": {"status": 304, "headers": {"ETag": '"1"'}},
    "refused": {"status": 418, "body": b"no", "reason": "Teapot"},
    "large": {"body": b"x" * 2**20},
}


async def sent(kind, options, data):
    """All that a client hears on a connection that is closed after it, but for the time."""

    async def handle(_request):
        answer = kind(**options)
        if not data.endswith(b"close\r\n\r\n"):
            answer.force_close()
        return answer

    async with Served(handle) as served:
        return re.sub(rb"Date: \w+,[^\r]*", b"Date: now", await served.until_closed(data))


@rows("asked", ASKED.values())
@rows("options", ANSWERS.values())
async def test_the_bytes_are_the_same(asked, options):
    """Whatever was asked and is answered, also where aiohttp's own way applies."""
    assert await sent(WholeAnswer, options, asked) == await sent(web.Response, options, asked)


async def test_a_control_character_is_never_sent():
    """The client hears of a failure, not of two headers."""
    heard = await sent(WholeAnswer, {"body": b"x", "headers": {"X": "a\r\nY: b"}}, ASKED["a GET"])
    assert heard.startswith(b"HTTP/1.1 502")
    assert b"Y: b" not in heard
