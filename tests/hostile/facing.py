"""The whole product between a raw upstream and raw clients, all of it in this process."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import itertools
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from recollect.config import load_settings
from recollect.proxy.app import HANDLERS
from recollect.proxy.serve import build_runner
from tests.proxy.wire import (
    SECONDS,
    RawClient,
    RawUpstream,
    Received,
    Seen,
    answering,
    read_out,
    response,
)
from tests.support.constants import apart, patched
from tests.support.waiting import until

ANSWER = response(b'{"from":"upstream"}', "Content-Type: application/json")
IN_MEMORY = {
    "RECOLLECT_EMBEDDER__BACKEND": "fake",
    "RECOLLECT_INDEX__BACKEND": "exact",
    "RECOLLECT_DATABASE__URL": ":memory:",
    # A busy machine is not what is tested here.
    "RECOLLECT_RECALL__DEADLINE_MS": "60000",
}


class Upstream(RawUpstream):
    """One that may be had anew, at the same address."""

    async def _serve(self, reader, writer):
        # The loop would log that a connection's task was cancelled.
        with contextlib.suppress(asyncio.CancelledError):
            await super()._serve(reader, writer)

    async def anew(self, script, *, read_body):
        """No request of before is known, and no connection of before is open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._script = script if callable(script) else answering(script)
        self._read_body = read_body
        self.requests, self.connections, self.hung_up = [], 0, asyncio.Event()


class Running:
    """A product that runs, and its upstream."""

    async def open(self, options):
        self.upstream = await Upstream(ANSWER).__aenter__()
        self._folder = tempfile.TemporaryDirectory()
        environ = {
            "RECOLLECT_DATA_DIR": self._folder.name,
            "RECOLLECT_UPSTREAM__BASE_URL": self.upstream.base_url,
            "RECOLLECT_TELEMETRY__METRICS": "localhost:0",
            **IN_MEMORY,
        }
        self.runner = build_runner(load_settings(environ=environ | options))
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        return self

    async def rest(self):
        """Return when nobody is connected to either side."""
        self.upstream.refuse()
        await until(lambda: not self.runner.server.connections, "the clients' end")
        await self.upstream.anew(ANSWER, read_body=True)
        await until(lambda: not self.connected, "the upstream's end")

    @property
    def connected(self):
        """The connections to the upstream, those that are kept for later requests too."""
        pool = self.runner.app[HANDLERS].passthrough._upstream._connector
        kept = [each for each, _ in itertools.chain.from_iterable(pool._conns.values())]
        return [each for each in (*kept, *pool._acquired) if each.is_connected()]

    async def close(self):
        # What was captured is learned when the product stops; a script may never answer that.
        self.upstream.refuse()
        await self.runner.cleanup()
        await self.upstream.__aexit__()
        self._folder.cleanup()


KEPT: dict[object, Running] | None = None
"""Products that no `Facing` has at the moment, by their settings; None: none is kept."""


@asynccontextmanager
async def keeping() -> AsyncIterator[None]:
    """Within, a product serves one `Facing` after the other, if they want the same settings.

    What a use has stored is there for the next one.
    """
    global KEPT  # noqa: PLW0603 - one test runs at a time
    KEPT = {}
    try:
        yield
    finally:
        kept, KEPT = KEPT, None
        for each in kept.values():
            await each.close()


class Facing:
    """`build_runner` as the command runs it.

    Options are settings by their variables' names, or constants. Who breaks the product, or wants
    nothing stored, takes a `fresh` one.
    """

    def __init__(self, script=ANSWER, *, read_body=True, fresh=False, **options):
        self._script, self._read_body = script, read_body
        settings, constants = apart(options)
        self._constants = patched(constants)
        self._options = {f"RECOLLECT_{key.upper()}": str(value) for key, value in settings.items()}
        self._key = None if fresh else tuple(sorted((self._options | constants).items()))

    async def __aenter__(self):
        self._constants.__enter__()
        running = None if self._key is None or KEPT is None else KEPT.pop(self._key, None)
        self._running = running or await Running().open(self._options)
        self.upstream, self._runner = self._running.upstream, self._running.runner
        await self.upstream.anew(self._script, read_body=self._read_body)
        self.port = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(self, *_):
        if self._key is None or KEPT is None or self._key in KEPT:
            await self._running.close()
        else:
            # What the upstream has seen may be looked at afterwards.
            self.upstream = copy.copy(self.upstream)
            await self._running.rest()
            KEPT[self._key] = self._running
        self._constants.__exit__(None, None, None)

    @property
    def handlers(self):
        return self._runner.app[HANDLERS]

    @property
    def lines(self):
        """The request lines that the upstream saw."""
        return [received.line for received in self.upstream.requests]

    def client(self):
        return RawClient(self.port)

    async def ask(self, data):
        """One request on a connection of its own, and its answer."""
        async with self.client() as client:
            await client.send(data)
            return await client.answer()

    async def until_closed(self, *parts):
        """All that comes back until we close the connection; `parts` are sent one by one."""
        async with self.client() as client, asyncio.timeout(SECONDS):
            for number, part in enumerate(parts):
                if number:
                    # What was sent so far is to arrive on its own.
                    await asyncio.sleep(0.05)
                client.writer.write(part)
            return await read_out(client)


def parsed(raw):
    """The single answer in some bytes."""
    head, _, body = raw.partition(b"\r\n\r\n")
    seen = Seen(Received(head), body, ended=True)
    assert int(seen.head.values("content-length")[0]) == len(body), raw
    return seen


def error_code(seen):
    """The code of an error in OpenAI's shape, which it has to have; Ollama's clients read a text."""
    body = json.loads(seen.body)
    error = body["error"]
    if isinstance(error, str):
        assert set(body) == {"error", "code"}
        return body["code"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "recollect_error"
    return error["code"]
