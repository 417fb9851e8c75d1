"""`recollect memories profile` and `said`."""

import asyncio
import json

from recollect.proxy.cli import main
from tests.proxy.wire import request, response
from tests.support.waiting import until

from .test_explain import Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

HERS = ["--user", "alice"]
ANSWER = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Good!"},
            "finish_reason": "stop",
        }
    ],
}
SAID = "I moved to Lisbon last week, and my sister Rosa helped me"


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["memories", *arguments])


async def said_one():
    """Whether a statement is kept by now."""
    return await command("said", *HERS) == 0


async def test_what_was_said_is_shown(environ, capsys):
    """With the id that deletes it; `--limit` is the number of the newest."""
    answer = response(json.dumps(ANSWER).encode(), "Content-Type: application/json")
    async with Running(environ, script=answer) as proxy:
        body = {"model": "m", "messages": [{"role": "user", "content": SAID}], "user": "alice"}
        data = request("POST", "/v1/chat/completions", json.dumps(body).encode())
        seen = await proxy.ask(data.replace(b"proxy.test", b"127.0.0.1"))
        assert seen.status == 200
        await until(said_one, "a statement")
        capsys.readouterr()
        assert await command("said", *HERS, "--json", "--limit", "1") == 0
        one = json.loads(capsys.readouterr().out)
        assert await command("said", *HERS) == 0
        shown = capsys.readouterr().out
        assert one["id"] in shown
        assert "Lisbon" in shown
        assert await command("delete", one["id"]) == 0
        assert await command("said", "--user", "bob") == 1
        assert "nothing said is kept (user bob" in capsys.readouterr().err
