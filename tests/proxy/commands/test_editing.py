"""`recollect memories search`, `add`, `update`, `delete` and `forget`."""

import asyncio
import json

from recollect.proxy.cli import main

from .test_explain import PLANTED_TEXT, TEA, Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

HERS = ["--user", "alice"]


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["memories", *arguments])


async def added(capsys, *arguments):
    """The id of what it stored."""
    assert await command("add", *arguments, *HERS, "--json") == 0
    return json.loads(capsys.readouterr().out)["id"]


async def test_a_memory_is_added_found_changed_and_removed(environ, capsys):
    """Through the running proxy; its history stays."""
    async with Running(environ):
        memory_id = await added(capsys, TEA)
        assert await command("search", "green tea", *HERS) == 0
        assert TEA in capsys.readouterr().out
        assert await command("update", memory_id, "Alice has coffee every morning") == 0
        assert await command("search", "coffee", *HERS, "--json") == 0
        told = capsys.readouterr()
        assert json.loads(told.out)["memory"] == "Alice has coffee every morning"
        assert "the old text is kept" in told.err
        assert await command("delete", memory_id) == 0
        assert "its history is kept" in capsys.readouterr().err
        assert await command("history", memory_id) == 0
        assert await command("search", "coffee", *HERS) == 1
        assert "nothing matches (user alice" in capsys.readouterr().err


async def test_what_is_not_stored_is_told(environ, capsys):
    """A text that is there already, and why one is held back."""
    async with Running(environ):
        assert await command("add", TEA, *HERS) == 0
        assert await command("add", TEA, *HERS) == 1
        assert "nothing was stored: duplicate" in capsys.readouterr().err
        assert await command("add", PLANTED_TEXT, *HERS) == 0
    told = capsys.readouterr().out
    assert told.startswith("QUARANTINE")
    assert "Held back: It " in told


async def test_forgetting_is_asked_about(environ, capsys, monkeypatch):
    """Without a terminal only with --yes; a no erases nothing, and the receipt is shown."""
    asked = []
    monkeypatch.setattr(
        "recollect.proxy.commands.editing.confirmed", lambda text: bool(asked.append(text))
    )
    async with Running(environ):
        memory_id = await added(capsys, TEA)
        assert await command("forget", memory_id) == 2
        assert "say --yes" in capsys.readouterr().err
        assert await command("get", memory_id) == 0
        assert await command("forget", memory_id, "--yes") == 0
        told = capsys.readouterr().err
        assert await command("get", memory_id) == 1
    assert memory_id in asked[0]
    assert "erased: 1 memories" in told
    assert "nothing of it is found any more" in told


async def test_an_unknown_id_and_a_blank_text_are_refused(environ, capsys):
    """With what is wrong, and nothing is changed."""
    async with Running(environ):
        memory_id = await added(capsys, TEA)
        for arguments in (("update", "none", "x"), ("delete", "none"), ("forget", "none", "--yes")):
            assert await command(*arguments) == 1
        assert await command("update", memory_id, " ") != 0
        assert await command("add", " ", *HERS) != 0
        assert await command("get", memory_id, "--json") == 0
    assert json.loads(capsys.readouterr().out)["memory"] == TEA


def test_the_first_memory_of_a_new_folder(environ, tmp_path, capsys):
    """Reading finds no memories and makes nothing; adding makes the folder and all that is in it."""
    environ.setenv("RECOLLECT_STORE__BACKEND", "qdrant")
    assert main(["memories", "search", "tea", *HERS]) == 1
    assert "there are no memories yet" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
    assert main(["memories", "add", TEA, *HERS]) == 0
    assert main(["blocks", "define", "todo", *HERS]) == 0
    assert main(["memories", "list", *HERS]) == 0
    assert TEA in capsys.readouterr().out
