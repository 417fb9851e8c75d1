"""`recollect import`: chats with other services are kept, through a running proxy and on the files."""

import asyncio
import json
import re
import shlex
import signal

import pytest
from aiohttp import ClientSession

from recollect.memory.transfer import importing
from recollect.proxy.cli import main
from recollect.proxy.commands import budgets, earlier_chats, moving
from recollect.proxy.commands.terminal import Progress
from tests.support.chat_exports import chatgpt, claude, gemini, of_years, talk, written, zipped
from tests.support.scripted import ScriptedModel, facts

from .test_explain import Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

HERS = ("--user", "alice")
SAID = chatgpt(*talk("I keep six beehives in Harlow.", "Which race?", "Buckfast.", "Gentle ones."))


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, [*arguments])


async def test_a_running_proxy_has_it_at_once(environ, tmp_path, capsys):
    """What was said is recalled without a model call; again nothing is new, later what is new."""
    path = zipped(tmp_path / "export.zip", **{"conversations.json": [SAID]})
    async with Running(environ) as proxy:
        assert await command("import", "chatgpt", str(path), *HERS) == 0
        told = capsys.readouterr().err
        assert "4 messages of 1 conversation, 2 things said by user alice" in told
        assert "2 added" in told
        assert await command("memories", "said", *HERS, "--json") == 0
        found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        texts = {each["said"] for each in found}
        assert "I keep six beehives in Harlow." in texts
        assert await command("memories", "search", "How many beehives do I keep?", *HERS) == 0
        assert "six beehives" in capsys.readouterr().out
        # A short answer has the question before it.
        assert any("Which race?" in text and "Buckfast" in text for text in texts)
        assert await command("import", "chatgpt", str(path), *HERS) == 0
        assert "2 same" in capsys.readouterr().err
        later = chatgpt(
            *talk("I keep six beehives in Harlow.", "Which race?", "Buckfast.", "", "In oak.")
        )
        zipped(path, **{"conversations.json": [later]})
        assert await command("import", "chatgpt", str(path), *HERS) == 0
        assert "1 added, 2 same" in capsys.readouterr().err
        assert not proxy.upstream.requests


def test_on_the_files(environ, tmp_path, capsys):
    """Without a proxy the folder is opened; each service adds its own conversations, with dates."""
    assert environ
    exports = {
        "chatgpt": [SAID],
        "claude": [claude("I row on the Forth.", "Nice.")],
        "gemini": [gemini("Prompted My boat is called Petrel.", 1, "<p>Aye.</p>")],
    }
    for service, value in exports.items():
        path = written(tmp_path / f"{service}.json", value)
        assert main(["import", service, str(path), *HERS]) == 0
        assert " added" in capsys.readouterr().err
    assert main(["conversations", "list", *HERS, "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(each["turns"] for each in found) == [1, 1, 2]
    assert {each["user_id"] for each in found} == {"alice"}
    begun = {each["started_at"][:16] for each in found}
    assert exports["claude"][0]["created_at"][:16] in begun


def test_what_is_refused_leaves_nothing(environ, tmp_path, capsys):
    """A file that is cut off, or not there, is named; nothing of its beginning is kept."""
    assert environ
    path = written(tmp_path / "conversations.json", [SAID, SAID])
    path.write_bytes(path.read_bytes()[:-1])
    assert main(["import", "chatgpt", str(path), *HERS]) == 2
    assert "conversations.json: ends after entry 2" in capsys.readouterr().err
    assert main(["import", "chatgpt", str(tmp_path / "none.zip"), *HERS]) == 1
    assert "none.zip" in capsys.readouterr().err
    main(["conversations", "list", *HERS])
    assert "Harlow" not in capsys.readouterr().out


def test_what_was_forgotten_stays_forgotten(environ, tmp_path, capsys):
    """An erased conversation does not come back with the same export."""
    assert environ
    path = written(tmp_path / "conversations.json", [SAID])
    assert main(["import", "chatgpt", str(path), *HERS]) == 0
    capsys.readouterr()
    main(["conversations", "list", *HERS, "--json"])
    [one] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main(["conversations", "erase", one["id"], *HERS, "--yes"]) == 0
    capsys.readouterr()
    assert main(["import", "chatgpt", str(path), *HERS]) == 0
    assert "2 forgotten" in capsys.readouterr().err
    assert main(["conversations", "list", *HERS]) == 1


MANY = [
    chatgpt(*talk(f"I keep {n} beehives in Harlow.", "Nice.", first=9 * n), name=f"c{n}")
    for n in range(1, 5)
]


def reading(environ, model, **more):
    for name, value in {"BASE_URL": model.base_url, "MODEL": "m", "API_KEY": "k"}.items():
        environ.setenv(f"RECOLLECT_LEARN__LLM__{name}", value)
    environ.setenv("RECOLLECT_LEARN__VERIFY", "false")
    for name, value in more.items():
        environ.setenv(name, value)


def of_bees(body):
    """The fact in the transcript; a verdict on two of them is not given."""
    found = re.findall(r"I keep (\d) beehives", str(body["messages"][-1]))
    return facts(*(f"User keeps {n} beehives in Harlow" for n in found))


async def learned(environ, path, capsys, *before):
    """What is told by a budget of 2 calls, and then by one for the rest."""
    assert await command("import", "chatgpt", str(path), *HERS, "--budget", "2 calls", "--yes") == 0
    told = capsys.readouterr().err
    assert "all 4 things said in 4 conversations: about 4 calls and" in told
    assert "at most 2 calls, newest conversations first: 50 % of it, 2 things said" in told
    assert "left unread: --learn with another --budget goes on" in told
    assert await command("import", "--learn", *HERS, "--budget", "20", "--yes") == 0
    assert re.search(r"learned: \d memories of [23] things said", capsys.readouterr().err)
    assert await command("import", "--learn", *HERS, "--budget", "20", "--yes") == 0
    assert "a model has read all of it" in capsys.readouterr().err


async def test_a_budget_on_the_files(environ, tmp_path, capsys):
    """The cost is told before it is spent, and the calls are no more than were given."""
    path = written(tmp_path / "conversations.json", MANY)
    async with ScriptedModel(of_bees) as model:
        reading(environ, model)
        refused = ["import", "chatgpt", str(path), *HERS, "--budget", "2"]
        assert await command(*refused) == 2
        assert "say --yes" in capsys.readouterr().err
        assert not model.requests
        await learned(environ, path, capsys)
        assert await command("memories", "list", *HERS, "--kinds", "memory") == 0
        assert "4 beehives" in capsys.readouterr().out


def interrupted(_seconds):
    raise KeyboardInterrupt


class Interrupted(Progress):
    """Somebody presses Ctrl-C when it has begun."""

    def __call__(self, done, total):
        super().__call__(done, total)
        if done:
            raise KeyboardInterrupt


async def test_a_budget_that_was_stopped_goes_on(environ, tmp_path, capsys, monkeypatch):
    """Without a question, and with what was left: what was learned is not paid for again."""
    path = written(tmp_path / "conversations.json", MANY)
    async with ScriptedModel(of_bees) as model:
        reading(environ, model)
        with monkeypatch.context() as patch:
            patch.setattr(budgets, "Progress", Interrupted)
            given = ["import", "chatgpt", str(path), *HERS, "--budget", "9", "--yes"]
            assert await command(*given) == 130
        capsys.readouterr()
        before = len(model.requests)
        assert await command("import", "--learn", *HERS, "--budget", "9") == 0
        told = capsys.readouterr().err
        left = int(re.search(r"being spent already, (\d) calls? left: it goes on", told)[1])
        # One that was being made is counted, whether it came to be or not.
        assert before <= 9 - left <= before + 1
        asked = [str(each["messages"]) for each in model.requests]
        read = [one for each in asked for one in re.findall(r"I keep (\d) beehives", each)]
        assert ({*read}, len(model.requests) <= 9) == ({*"1234"}, True)


class PressesCtrlC(Progress):
    """Somebody presses Ctrl-C, once, as soon as something is kept."""

    pressed = False

    def __call__(self, done, total):
        super().__call__(done, total)
        if done and self._what == "keeping" and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)


@pytest.fixture
def heeding_ctrl_c():
    """As in a terminal: what a shell starts in the background ignores the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_ctrl_c")
def test_ctrl_c_on_the_files_tells_what_is_kept(environ, tmp_path, capsys, monkeypatch):
    """With the page that was being written; the same file goes on behind it."""
    path = written(tmp_path / "conversations.json", [*of_years(400)])
    given = ["import", "chatgpt", str(path), *HERS]
    with monkeypatch.context() as patch:
        patch.setattr(importing, "PAGE", 20)
        patch.setattr(earlier_chats, "Progress", PressesCtrlC)
        assert main(given) == 130
    told = capsys.readouterr().err
    kept = int(re.search(r"stopped; \d+ read: (\d+) added", told)[1])
    assert "what was kept stays, and the same file goes on" in told
    assert main(["conversations", "list", *HERS, "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert 0 < kept == sum(each["turns"] for each in found) < 200
    assert main(given) == 0
    assert f"{200 - kept} added, {kept} same" in capsys.readouterr().err


async def test_who_stops_waiting_for_a_proxy(environ, tmp_path, capsys, monkeypatch):
    """The import and the budget go on there; how to look and to stop is told, and is true."""
    path = written(tmp_path / "conversations.json", MANY)

    async def asked(line):
        """What the proxy answers to the curl of such a line."""
        told = next(one for one in capsys.readouterr().err.splitlines() if line in one)
        _, url, *data = shlex.split(told.split(line)[1])
        body = data[1].encode() if data[:1] == ["-d"] else None
        async with ClientSession() as session:
            answer = await session.request("POST" if data else "GET", url, data=body)
            assert answer.ok, await answer.text()
            return await answer.json()

    async with ScriptedModel(of_bees) as model:
        reading(environ, model)
        learn = {"llm": {"base_url": model.base_url, "model": "m", "api_key": "k"}, "verify": False}
        async with Running(environ, learn=learn):
            with monkeypatch.context() as patch:
                patch.setattr(moving.time, "sleep", interrupted)
                assert await command("import", "chatgpt", str(path), *HERS) == 130
            task = await asked("look: ")
            assert task["kind"] == "import"
            assert await command("import", "chatgpt", str(path), *HERS) == 0
            capsys.readouterr()
            with monkeypatch.context() as patch:
                patch.setattr(budgets.time, "sleep", interrupted)
                given = ["import", "--learn", *HERS, "--budget", "4", "--yes"]
                assert await command(*given) == 130
            assert (await asked("stop: "))["left"] == 0


async def test_a_budget_of_a_running_proxy(environ, tmp_path, capsys):
    """The proxy spends it; the command waits, and tells what came of it."""
    path = written(tmp_path / "conversations.json", MANY)
    async with ScriptedModel(of_bees) as model:
        reading(environ, model)
        learn = {"llm": {"base_url": model.base_url, "model": "m", "api_key": "k"}, "verify": False}
        async with Running(environ, learn=learn):
            await learned(environ, path, capsys)


async def test_the_last_call_of_a_budget_is_waited_for(environ, tmp_path, capsys, monkeypatch):
    """What it taught is told, although nothing is left of the budget while it is made."""
    path = written(tmp_path / "conversations.json", MANY)
    monkeypatch.setattr(budgets, "POLL_SECONDS", 0.05)

    async def slowly(body):
        await asyncio.sleep(1)
        return of_bees(body)

    async with ScriptedModel(slowly) as model:
        reading(environ, model)
        learn = {"llm": {"base_url": model.base_url, "model": "m", "api_key": "k"}, "verify": False}
        async with Running(environ, learn=learn):
            given = ["import", "chatgpt", str(path), *HERS, "--budget", "1", "--yes"]
            assert await command(*given) == 0
            assert "learned: 1 memory of 1 thing said" in capsys.readouterr().err


def test_budgets_that_are_none(environ, tmp_path, capsys):
    """Each is refused by the name of what is wrong, before anything is read."""
    assert environ
    for given in ("0 calls", "many", "-5", "1000000 calls"):
        with pytest.raises(SystemExit):
            main(["import", "chatgpt", "x.zip", *HERS, f"--budget={given}"])
        assert "--budget" in capsys.readouterr().err
    assert main(["import", "--learn", *HERS]) == 2
    assert main(["import", "chatgpt", *HERS]) == 2
    assert main(["import", *HERS]) == 2


def test_an_export_of_ours_keeps_that_no_model_reads_it(environ, tmp_path, capsys):
    """Elsewhere it waits for a budget too, and not for thousands of calls."""
    assert environ
    path, ours = written(tmp_path / "conversations.json", MANY), str(tmp_path / "ours.jsonl")
    there = (*HERS, "--tenant", "there")
    assert main(["import", "chatgpt", str(path), *HERS]) == 0
    assert main(["memories", "export", ours, *HERS]) == 0
    assert main(["memories", "import", ours, *there]) == 0
    assert "4 added" in capsys.readouterr().err
    assert main(["import", "--learn", *there, "--budget", "9"]) == 2
    assert "all 4 things said in 4 conversations" in capsys.readouterr().err
