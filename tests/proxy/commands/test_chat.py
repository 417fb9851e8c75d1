"""`recollect chat`: a conversation through the running proxy."""

import asyncio
import io
import json

from recollect.proxy.cli import main
from tests.proxy.wire import response
from tests.support.answering_upstream import MODEL, answering_from

from .test_explain import QUESTION, TEA, Running

REFUSAL = response(
    b'{"error": {"message": "Incorrect API key"}}',
    "Content-Type: application/json",
    status="401 Unauthorized",
)


def of_tea(text):
    """An answer that a terminal must not obey."""
    return "Green tea\x1b[2J." if TEA in text else f"I do not know. ({text.count(QUESTION)})"


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["chat", *arguments])


async def test_an_answer_and_what_was_recalled(environ, capsys):
    """The answer alone is on stdout; stderr has the outcome and each memory."""
    async with Running(environ, script=answering_from(of_tea)) as proxy:
        await proxy.remember(TEA)
        assert await command("--user", "alice", QUESTION) == 0
        told = capsys.readouterr()
        assert told.out == "Green tea [2J.\n"
        assert "[memory: injected (personal), 1 given]" in told.err
        assert f"- {TEA}" in told.err
        assert await command("--user", "alice", "--json", "--model", "m", QUESTION) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["memory"], told["answer"]) == ("injected", "Green tea\x1b[2J.")
        assert [one["memory"] for one in told["recalled"]] == [TEA]
        models = [json.loads(each.body)["model"] for each in proxy.upstream.requests if each.body]
    assert models == [MODEL, "m"]


async def test_lines_are_one_conversation(environ, capsys, monkeypatch):
    """Each message is sent with those before it; blank lines say nothing."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUESTION}\n\n{QUESTION}\n"))
    async with Running(environ, script=answering_from(of_tea)):
        assert await command("--user", "bob") == 0
    told = capsys.readouterr()
    assert told.out == "I do not know. (1)\nI do not know. (2)\n"
    assert told.err.count("[memory: ") == 2


async def test_a_refusal_is_told(environ, capsys, monkeypatch, tmp_path):
    """With what the server says and where a key belongs; the key itself is shown nowhere."""
    key = tmp_path / "key"
    key.write_text("sk-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    async with Running(environ, script=REFUSAL) as proxy:
        assert await command("--model", "m", "--key-file", str(key), QUESTION) == 1
        [sent] = [each.values("authorization") for each in proxy.upstream.requests]
        assert sent == ["Bearer sk-secret"]
        assert await command(QUESTION) == 1
        assert proxy.upstream.requests[-1].values("authorization") == ["Bearer none"]
    told = capsys.readouterr()
    assert told.err.count("Incorrect API key") == 2
    assert "see --key-file" in told.err
    assert "sk-secret" not in told.out + told.err
