"""The protocol on standard input and output, with the official client and with garbage."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.support.waiting import HANG_SECONDS

from .serving import MODES, serving

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[3]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


def environ(tmp_path, **more):
    """Of a command with the fewest parts, and files of its own."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT")},
        "PYTHONPATH": str(ROOT),
        "RECOLLECT_DATA_DIR": str(tmp_path / "files"),
        "RECOLLECT_EMBEDDER__BACKEND": "fake",
        "RECOLLECT_LISTEN__PORT": "9",
        **more,
    }


def command(*arguments):
    return [sys.executable, "-m", "recollect", "mcp", "--user", "ada", *arguments]


@asynccontextmanager
async def connected(env, *arguments, mode="legacy"):
    """The official client, which starts the command."""
    program, *rest = command(*arguments)
    server = StdioServerParameters(command=program, args=rest, env=env)
    async with Client(server, mode=mode, read_timeout_seconds=HANG_SECONDS) as client:
        yield client


async def used(client):
    """Remember, search and read; the fact that was found."""
    await client.call_tool("fact_remember", {"text": "Ada likes tea."})
    found = await client.call_tool("fact_search", {"query": "Who likes tea?"})
    [resource, *_] = (await client.list_resources()).resources
    await client.read_resource(resource.uri)
    assert (await client.call_tool("fact_search", {})).is_error
    [fact] = found.structured_content["facts"]
    return fact["fact"]


async def test_it_opens_the_files_where_no_proxy_runs(tmp_path):
    """And makes them if there are none."""
    async with connected(environ(tmp_path)) as client:
        assert await used(client) == "Ada likes tea."
    async with connected(environ(tmp_path), "--read-only", mode=MODES[1]) as client:
        names = [each.name for each in (await client.list_tools()).tools]
        assert "fact_search" in names
        assert "fact_remember" not in names


async def test_it_asks_the_proxy_that_runs(tmp_path):
    """What it remembers is there at once, for the proxy and for a second one beside it."""
    async with serving(tmp_path) as proxy:
        env = environ(tmp_path, RECOLLECT_LISTEN__PORT=proxy.base.rsplit(":", 1)[1])
        async with connected(env) as client, connected(env, mode=MODES[1]) as other:
            assert await used(client) == "Ada likes tea."
            assert await used(other) == "Ada likes tea."
        [row] = (await proxy.memory().get_all(user_id="ada"))["results"]
        assert row["memory"] == "Ada likes tea."
    assert not (tmp_path / "files").exists()


@pytest.fixture
def talk(tmp_path):
    """Start the command; what is sent, a line each, and what it answers, a line each."""
    started = []

    def start(*lines, ends=True, env=None, arguments=()):
        process = subprocess.Popen(
            command(*arguments),
            env=env or environ(tmp_path),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        sent = b"".join(line + b"\n" for line in lines)
        if not ends:
            process.stdin.write(sent)
            process.stdin.flush()
            return process
        out, err = process.communicate(sent, timeout=HANG_SECONDS)
        return process.returncode, [json.loads(line) for line in out.splitlines()], err.decode()

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_garbage_is_answered_and_it_goes_on(talk):
    """No JSON, no message, bytes, depth: an error of JSON-RPC each; nothing for an empty line."""
    wrong = (b"garbage", b"\xff\xfe", b"[1]", b'{"jsonrpc":"2.0"}', b"[" * 10_000, b"", b"{")
    status, answers, _ = talk(*wrong, json.dumps(HELLO).encode())
    assert status == 0
    codes = [each["error"]["code"] for each in answers if "error" in each]
    assert codes == [-32700, -32700, -32600, -32600, -32700, -32700]
    assert all(each["id"] is None for each in answers if "error" in each)
    [hello] = [each for each in answers if "result" in each]
    assert hello["result"]["serverInfo"]["name"] == "recollect"


def test_a_signal_ends_it_and_its_logs_go_to_standard_error(talk, tmp_path):
    """As a host does that does not close the pipe; at any level, messages alone are answered."""
    env = environ(tmp_path, RECOLLECT_TELEMETRY__LOG_LEVEL="debug")
    process = talk(json.dumps(HELLO).encode(), ends=False, env=env)
    assert json.loads(process.stdout.readline())["id"] == 1
    process.send_signal(signal.SIGTERM)
    out, logged = process.communicate(timeout=HANG_SECONDS)
    assert (process.returncode, out) == (0, b"")
    assert b"DEBUG" in logged


def test_what_cannot_be_opened_is_said(talk, tmp_path):
    """On standard error, with status 1; standard output stays empty."""
    (tmp_path / "file").write_text("no folder")
    env = environ(tmp_path, RECOLLECT_DATA_DIR=str(tmp_path / "file"))
    status, answers, told = talk(json.dumps(HELLO).encode(), env=env)
    assert (status, answers) == (1, [])
    assert "database (database.url)" in told
