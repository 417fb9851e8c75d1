"""The whole product between a raw upstream and raw clients, all of it in this process."""

from __future__ import annotations

import asyncio
import json
import tempfile

from aiohttp import web

from recollect.config import load_settings
from recollect.proxy.serve import build_runner
from tests.proxy.wire import SECONDS, RawClient, RawUpstream, Received, Seen, read_out, response
from tests.support.constants import apart, patched

ANSWER = response(b'{"from":"upstream"}', "Content-Type: application/json")
IN_MEMORY = {
    "RECOLLECT_EMBEDDER__BACKEND": "fake",
    "RECOLLECT_STORE__BACKEND": "inmemory",
    "RECOLLECT_STATE__BACKEND": "inmemory",
    "RECOLLECT_HISTORY__BACKEND": "inmemory",
    # A busy machine is not what is tested here.
    "RECOLLECT_RECALL__DEADLINE_MS": "60000",
}


class Facing:
    """`build_runner` as the command runs it.

    Options are settings by their variables' names, or constants.
    """

    def __init__(self, script=ANSWER, *, read_body=True, **options):
        self.upstream = RawUpstream(script, read_body=read_body)
        settings, constants = apart(options)
        self._constants = patched(constants)
        self._options = {f"RECOLLECT_{key.upper()}": str(value) for key, value in settings.items()}

    async def __aenter__(self):
        self._constants.__enter__()
        await self.upstream.__aenter__()
        self._folder = tempfile.TemporaryDirectory()
        environ = {
            "RECOLLECT_DATA_DIR": self._folder.name,
            "RECOLLECT_UPSTREAM__BASE_URL": self.upstream.base_url,
            "RECOLLECT_TELEMETRY__METRICS__PORT": "0",
            **IN_MEMORY,
        }
        self._runner = build_runner(load_settings(environ=environ | self._options))
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(self, *_):
        # What was captured is learned when the product stops; a script may never answer that.
        self.upstream.refuse()
        await self._runner.cleanup()
        await self.upstream.__aexit__()
        self._folder.cleanup()
        self._constants.__exit__(None, None, None)

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
