"""`recollect whatif`: which memory changed the answer."""

import asyncio
import json

from recollect.proxy.cli import main
from tests.support.answering_upstream import answering_from

from .test_explain import QUESTION, TEA, Running

ASK = ["whatif", "--user", "alice", "--model", "m", "--max-calls", "6"]
ANSWER = {
    "base": "Tea \x1b[2J",
    "again": {"answer": "Chai", "same": False, "distance": 0.4},
    "steady": False,
    "reason": "personal",
    "without": [
        {"memory_id": "1", "memory": TEA, "answer": "Milk", "same": False, "distance": 0.5},
        {"memory_id": "2", "memory": "茶", "answer": "Tea", "same": True, "distance": 0.0},
    ],
    "not_tried": [{"memory_id": "3", "memory": "Cat", "why": "max_calls"}],
    "calls": 4,
    "tokens": 1_200,
}


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, [*ASK, *arguments])


async def test_the_answers_are_shown(environ, capsys, tmp_path):
    """With the credential of a file, which is in no argument and no output."""
    key = tmp_path / "key"
    key.write_text("sk-secret\n")
    script = answering_from(lambda text: "Green tea." if TEA in text else "I do not know.")
    async with Running(environ, script=script) as proxy:
        await proxy.remember(TEA)
        assert await command("--key-file", str(key), QUESTION) == 0
        sent = {tuple(each.values("authorization")) for each in proxy.upstream.requests}
        assert sent == {("Bearer sk-secret",)}
        told = capsys.readouterr()
        assert "1 of 1 memories changed the answer." in told.out
        assert "I do not know." in told.out
        assert "3 requests, 30 tokens" in told.out
        assert "sk-secret" not in told.out + told.err
        assert await command(QUESTION, "--json") == 0
        assert json.loads(capsys.readouterr().out)["without"][0]["memory"] == TEA


async def test_what_cannot_be_asked_is_told(environ, capsys):
    """Nothing recalled, a number that is refused, a key that is not there, no proxy."""
    async with Running(environ, script=answering_from(lambda _: "Hello.")) as proxy:
        assert await command(QUESTION) == 1
        assert "Nothing was recalled (no_memories)" in capsys.readouterr().out
        assert await command(QUESTION, "--max-calls", "1") == 2
        assert "max_calls: expected a whole number from 2 to 16" in capsys.readouterr().err
        assert len(proxy.upstream.requests) == 1
        assert await command(QUESTION, "--key-file", "/nowhere/key") == 2
        assert "--key-file /nowhere/key" in capsys.readouterr().err
    assert await command(QUESTION) == 1
    assert "start it with `recollect serve`" in capsys.readouterr().err
