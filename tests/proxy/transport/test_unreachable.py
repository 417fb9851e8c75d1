"""The reason of a failed connection in words."""

import asyncio
import logging

import aiohttp
import pytest
from multidict import CIMultiDict

from recollect.config.server import UpstreamOptions
from recollect.proxy.errors import ProxyError
from recollect.proxy.transport.unreachable import why
from recollect.proxy.transport.upstream import Upstream
from tests.support.ports import free_port


async def failure(url):
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientError) as raised:
            await session.get(url)
    return raised.value


async def test_words_for_what_happens_often():
    """A refused connection and a name that does not exist; anything else by its type."""
    assert why(await failure(f"http://127.0.0.1:{free_port()}")) == "connection refused"
    assert "name" in why(await failure("http://nowhere.invalid"))
    assert why(aiohttp.ServerDisconnectedError()) == "ServerDisconnectedError"
    assert why(asyncio.IncompleteReadError(b"", 1)) == "IncompleteReadError"


async def test_the_log_names_the_upstream_and_its_setting(caplog):
    """Who reads it can tell which server is meant, without the address's credentials."""
    caplog.set_level(logging.WARNING)
    port = free_port()
    upstream = Upstream(UpstreamOptions(base_url=f"http://127.0.0.1:{port}/v1"))
    with pytest.raises(ProxyError):
        await upstream.send("GET", "/v1/models", CIMultiDict())
    await upstream.close()
    assert f"127.0.0.1:{port}" in caplog.text
    assert "upstream.base_url" in caplog.text
    assert "connection refused" in caplog.text
