"""What was written in any format from 2 on opens, and nothing in it is lost."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from recollect.memory.model.format import FORMAT
from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts
from tests.upgrade.make import ANSWER, LEARNED, SETTINGS, TOLD, Client, everything

FORMATS = sorted(path.parent for path in Path(__file__).parent.glob("*/expected.json"))
NEW = {"learn__every_turns": 1000}
"""What this test says must not start a job of its own."""


def extracted(body: dict[str, Any]) -> str:
    """An extractor that finds what was told in the turns that it is shown."""
    asked = body["messages"][-1]["content"]
    return facts(*(LEARNED[user] for user, told in TOLD.items() if told in asked))


def what_was_there(now: Any, then: Any) -> Any:
    """`now` without keys that `then` does not have: later versions may tell more."""
    if isinstance(then, dict) and isinstance(now, dict):
        return {key: what_was_there(now.get(key), value) for key, value in then.items()}
    if isinstance(then, list) and isinstance(now, list) and len(now) == len(then):
        return [what_was_there(*pair) for pair in zip(now, then, strict=True)]
    return now


def test_there_is_a_folder_of_every_format():
    """A glob that finds nothing would test nothing."""
    assert [path.name for path in FORMATS] == [f"format-{n}" for n in range(2, FORMAT + 1)]


@pytest.mark.parametrize("written", FORMATS, ids=[path.name for path in FORMATS])
async def test_nothing_is_lost(written: Path, tmp_path: Path) -> None:
    """Memories, history, jobs and turns are as they were, and what was under way is learned."""
    data = tmp_path / "data"
    with tarfile.open(written / "data.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    then = json.loads((written / "expected.json").read_text("utf-8"))
    async with ScriptedModel(ANSWER) as upstream, ScriptedModel(404) as extractor:
        servers = {
            "upstream__base_url": upstream.base_url,
            "learn__llm__base_url": extractor.base_url,
            "learn__llm__model": "scripted",
        }
        # At first nothing is learned: what is there is to be seen as it was left.
        product = Product(data, **servers | SETTINGS | NEW | {"learn__in_process": False})
        async with aiohttp.ClientSession() as session, product:
            client = Client(product, session)
            now = await everything(client, tuple(then["memories"]), then["deleted"])
            before = {job["id"]: job["state"] for job in then["jobs"]}
            # Turns that wait without a job get one at the start.
            now["jobs"] = [job for job in now["jobs"] if job["id"] in before]
            # The claim of a process that is dead is given back.
            for job in (*now["jobs"], *then["jobs"]):
                job["state"] = job["state"].replace("leased", "ready")
            assert what_was_there(now, then) == then
            assert "Lizzy" not in json.dumps(now)
        extractor.replies = [extracted]
        learning = Product(data, **servers | SETTINGS | NEW)
        async with aiohttp.ClientSession() as session, learning:
            client = Client(learning, session)
            for job in then["jobs"]:
                if before[job["id"]] == "dead":
                    await client.call("POST", f"/v1/memories/jobs/{job['id']}/retry")
            for user, fact in LEARNED.items():
                await client.flush(user_id=user)
                assert [m["memory"] for m in await client.listed(user)] == [fact]
            answer = await client.say("alice", "What is the number of my allotment?", session="x")
            assert answer["x-recollect-memory"] == "injected"
