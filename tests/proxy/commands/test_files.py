"""Where no proxy runs the commands open the files themselves, and answer as a proxy does."""

import asyncio
import json
import shlex

import pytest

from recollect.memory.engine.engine import Engine
from recollect.proxy.cli import main
from tests.support.upkeep import KeepsFirst

from .test_explain import fill
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture


@pytest.fixture
def told(capsys, environ):
    """Runs a command line that names alice; all that it said, or the JSON that it printed."""
    environ.setenv("COLUMNS", "100")

    def run(line, status=0, *, user=True):
        words = shlex.split(line) + (["--user", "alice"] if user else [])
        assert main(words) == status, line
        seen = capsys.readouterr()
        return (
            json.JSONDecoder().raw_decode(seen.out)[0] if "--json" in words else seen.out + seen.err
        )

    return run


def test_memories(folder, told):
    """Found, added, changed, denied, taken back and erased; what is wrong is status 2 or 1."""
    asyncio.run(fill(folder))
    assert "gate: recall (personal)" in told("explain 'Which green tea do I like?'")
    assert told("explain --json 'green tea'")["chosen"] == 1
    assert told("memories search 'green tea' --json")["id"] == "tea"
    assert told("users", user=False).splitlines()[1].endswith("alice")
    assert "has a cat" in told("memories add 'Alice has a cat'")
    assert "there is no memory 'dog'" in told("memories get dog", 1, user=False)
    told("memories update tea 'Alice has coffee'", user=False)
    assert "version" in told("memories revert tea --to 9", 2, user=False)
    told("memories revert tea --to 1", user=False)
    told("memories invalidate tea --reason 'a joke'", user=False)
    assert "valid_to" in told("memories invalidate tea --valid-to soon", 2, user=False)
    assert "person: a joke" in told("memories get tea", user=False)
    assert "green tea" in told("memories list --status superseded")
    assert told("memories revert tea --json", user=False)["status"] == "active"
    assert "UPDATE" in told("memories history tea", user=False)
    told("memories validate tea", user=False)
    told("memories validate tea", 2, user=False)
    told("memories forget tea --yes", user=False)
    told("memories delete tea", 1, user=False)
    assert "nothing said is kept" in told("memories said", 1)
    assert "limit" in told("memories said --limit 0", 2)
    told("memories list --user ''", 2, user=False)
    assert "nothing is stored for user bob" in told("explain tea --user bob", 1, user=False)


def test_conflicts(folder, told):
    """Shown with what each would replace, settled by hand, and restored."""
    asyncio.run(fill(folder, "old", "new"))
    shown = told("memories conflicts")
    assert shown.index("User's rent is new") < shown.index("User's rent is old")
    assert "1 pending" in shown
    assert told("memories conflicts --json")["others"][0]["id"] == "old"
    told("memories settle new --replaces old", user=False)
    assert "nothing is pending for user alice" in told("memories conflicts", 1)
    assert "settled it by hand" in told("memories get old", user=False)
    told("memories restore old", user=False)
    assert "there is no memory 'x'" in told("memories settle new --replaces x", 1, user=False)


def test_what_is_beside_memories(folder, told, environ, tmp_path):
    """Blocks, conversations, figures, the graph, upkeep and an export, of the same folder."""
    compose = Engine._compose_upkeep

    def composed(self):
        compose(self)
        self.background.worker.upkeep.add(KeepsFirst(self.parts.store))

    environ.setattr(Engine, "_compose_upkeep", composed)
    for text in ("Anna has a boat", "anna has a BOAT"):
        told(f"memories add '{text}'")
    told("blocks define plan --value 'buy tea'")
    told("blocks replace plan tea coffee --version 1")
    assert "at version 2, not 1" in told("blocks rewrite plan x --version 1", 1)
    compiled = told("blocks compiled")
    assert "buy coffee" in compiled
    assert told("blocks compiled") == compiled
    told("blocks delete plan")
    told("blocks list", 1)
    for words in ("list", "search tea", "show x", "erase x --yes"):
        told(f"conversations {words}", 1)
    told("conversations list --limit 0", 2)
    assert "nothing was counted" in told("stats", 1, user=False)
    told("stats --days 0", 2, user=False)
    assert told("graph entities --name anna --json")["name"] == "Anna"
    assert told("graph check --json")["stale"] == 0
    told("graph relations Nobody", 1)
    run = told("upkeep run consolidate --json")
    assert (run["state"], len(run["changes"])) == ("done", 1)
    assert told(f"upkeep undo {run['id']} --json", user=False)["undone"] == 1
    told("upkeep run consolidate --wait -1", 2)
    told("upkeep list --user ''", 2, user=False)
    path = tmp_path / "memories.jsonl"
    told(f"memories export {path}")
    assert json.loads(path.read_bytes().splitlines()[1])["seal"]
    assert "same" in told(f"memories import {path}", user=False)
