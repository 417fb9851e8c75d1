"""Our own failures as OpenAI clients read them."""

import asyncio
import json
import logging
import re

import pytest
from aiohttp import web

from recollect.proxy.errors import (
    MAX_FRAMES,
    ProxyError,
    error_response,
    unexpected,
    upstream_timeout,
    upstream_unreachable,
)
from tests.support.folding import rows

from .wire import Served, read_out, request

SECRET = "my-secret"


@rows(
    "error, status, code",
    [
        (upstream_unreachable(), 502, "upstream_unreachable"),
        (upstream_timeout(), 504, "upstream_timeout"),
        (ProxyError(400, "bad", "No \u00e9.", "messages"), 400, "bad"),
    ],
)
def test_the_shape(error, status, code):
    """Status, JSON, and an `error` object with all four keys; the type tells who is speaking."""
    response = error_response(error)
    assert (response.status, response.content_type) == (status, "application/json")
    body = json.loads(response.body)
    assert body == {
        "error": {
            "message": error.message,
            "type": "recollect_error",
            "param": error.param,
            "code": code,
        }
    }


@pytest.fixture
def log(caplog):
    """The lines of the log, and nothing of what a request said among them."""
    caplog.set_level(logging.DEBUG)
    yield caplog
    assert SECRET not in caplog.text


def number_in(message):
    """The number that a client was told."""
    [number] = re.findall(r"internal error ([0-9a-f]{8}): see the server's log", message)
    return number


def failing(*, begin=None, error=None):
    """A handler that may begin an answer, and fails."""

    async def handler(got):
        if begin is not None:
            response = web.StreamResponse()
            await response.prepare(got)
            if begin:
                await response.write(begin)
        raise error or ValueError(SECRET)

    return handler


@rows("error", [ValueError(SECRET), TimeoutError(SECRET), ConnectionResetError(SECRET), KeyError()])
async def test_what_nobody_expected_has_a_number(error, log):
    """500 in OpenAI's shape; the same number, the kind and the route are in the log."""
    async with Served(failing(error=error)) as served:
        seen = await served.ask(request("POST", f"/{SECRET}", SECRET.encode()))
    said = json.loads(seen.body)["error"]
    assert (seen.status, said["code"], said["param"]) == (500, "internal_error", None)
    line = f"error {number_in(said['message'])} in the route /{{path}}: {type(error).__name__}"
    [record] = [each for each in log.records if line in each.getMessage()]
    assert record.levelno == logging.ERROR
    assert "test_errors.py" in record.getMessage()
    assert SECRET not in seen.body.decode()


@rows("begin", [b"", b"begun"])
@rows("error", [None, ProxyError(502, "late", "too late")])
async def test_an_answer_that_has_begun_is_cut(begin, error, log):
    """No second head, no end of the body, and the log has a number if nobody expected it."""
    log.clear()
    async with Served(failing(begin=begin, error=error)) as served:
        got = await served.until_closed(request("GET", "/x"))
    assert got.count(b"HTTP/1.1") == 1
    assert got.startswith(b"HTTP/1.1 200 ")
    assert not got.endswith(b"0\r\n\r\n")
    assert len(re.findall("error [0-9a-f]{8} in the route", log.text)) == (error is None)


async def test_a_client_that_left_is_nobodys_defect(log):
    """A write that fails because nobody reads any more is not told as an error of ours."""
    left, seen = asyncio.Event(), asyncio.Event()

    async def handler(got):
        await left.wait()
        got.transport.close()
        seen.set()
        raise ConnectionResetError

    async with Served(handler) as served, served.client() as client:
        await client.send(request("GET", "/x"))
        left.set()
        await seen.wait()
        assert await read_out(client) == b""
    assert not [record for record in log.records if record.levelno >= logging.WARNING]


def test_an_endless_recursion_is_told_in_few_lines(log):
    """Of a thousand frames the innermost ones say where it is."""

    def deeper(left):
        return further(left) if left else 1 // left

    def further(left):
        return deeper(left - 1)

    with pytest.raises(ZeroDivisionError) as caught:
        deeper(200)
    assert unexpected(caught.value, "a test").status == 500
    assert log.text.count("in deeper") + log.text.count("in further") == MAX_FRAMES
