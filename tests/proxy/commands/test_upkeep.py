"""`recollect upkeep`: called, listed, shown and taken back."""

import asyncio
import json

import pytest

from recollect.memory.engine.engine import Engine
from recollect.proxy.cli import main
from recollect.proxy.commands.upkeep import figures, line
from tests.support.upkeep import KeepsFirst

from .test_explain import Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

USER = ("--user", "alice")
RUN = {
    "id": "consolidate:1",
    "kind": "consolidate",
    "state": "done",
    "reason": "call",
    "at": "2026-11-27T21:03:00+00:00",
    "user_id": "alice",
    "changes": [{"id": "m", "event": "DELETE"}],
    "figures": {},
}


@pytest.fixture(autouse=True)
def keeps_first(monkeypatch):
    """Every engine consolidates by keeping the first of equal memories."""
    compose = Engine._compose_upkeep

    def composed(self):
        compose(self)
        self.background.worker.upkeep.add(KeepsFirst(self.parts.store))

    monkeypatch.setattr(Engine, "_compose_upkeep", composed)
    monkeypatch.setenv("COLUMNS", "100")


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["upkeep", *arguments])


async def test_from_a_dry_run_to_its_undo(environ, capsys):
    """A plan, the run, the list, its texts, and back; each in words and as JSON."""
    async with Running(environ) as proxy:
        assert await command("run", "consolidate", *USER) == 1
        assert "nothing to look after (user alice (tenant local))" in capsys.readouterr().err
        assert await command("list", *USER) == 1
        assert "no runs (user alice (tenant local))" in capsys.readouterr().err
        for text in ("Likes tea", "likes \x1b[2J TEA", "Likes \x1b[2J tea"):
            await proxy.remember(text)
        assert await command("run", "consolidate", *USER, "--dry-run") == 0
        told = capsys.readouterr()
        assert "consolidate  planned  1 change  user alice" in told.out
        assert "(duplicate: an older memory says the same)" in told.out
        assert "\x1b" not in told.out
        assert "without --dry-run it would be" in told.err
        assert await command("run", "consolidate", *USER) == 0
        told = capsys.readouterr()
        assert "consolidate  done  1 change" in told.out
        assert "    - Likes [2J tea" in told.out
        assert "consolidate for user alice (tenant local), up to 600 s" in told.err
        assert "`recollect upkeep undo RUN` takes a run back" in told.err
        assert await command("list", *USER, "--kind", "consolidate", "--json") == 0
        name = json.loads(capsys.readouterr().out)["id"]
        assert await command("show", name) == 0
        assert "merged 1" in capsys.readouterr().out
        assert await command("undo", name) == 0
        assert "taken back: 1 of 1 changes" in capsys.readouterr().err
        assert await command("undo", name) == 0
        assert "it was taken back before; nothing was changed" in capsys.readouterr().err
        assert await command("list", *USER) == 0
        assert "consolidate  undone  1 change" in capsys.readouterr().out


def test_a_run_in_one_line():
    """When, what, how it is, whose, and its id; what a name holds commands no terminal."""
    assert line(RUN) == (
        "2026-11-27 21:03  consolidate  done  1 change  user alice  call  consolidate:1"
    )
    planned = {**RUN, "changes": [], "user_id": "a\x1bb"}
    del planned["at"]
    assert line(planned).startswith("consolidate  done  0 changes  user a b  call")
    assert "  undone  " in line({**RUN, "undone_at": "2026-11-27T22:00:00+00:00"})


def test_figures_are_for_people():
    """What is 0 says nothing, and a moment in seconds is no count."""
    counted = {"tokens_before": 1200.0, "merged": 2.0, "pending": 0.0, "asked_upto": 1.8e9}
    assert figures(counted) == "merged 2, tokens before 1,200"
