"""A data folder of every released version opens, and nothing in it is lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts
from tests.upgrade.make import ANSWER, LEARNED, SETTINGS, TOLD, Client, everything

RELEASES = sorted(path.parent for path in Path(__file__).parent.glob("*/expected.json"))
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


async def agents_begin(client: Client) -> None:
    """A folder without blocks and attachments gets its first ones."""
    found = await client.call("GET", "/v1/memories/blocks", params={"user_id": "alice"})
    shares = await client.call("GET", "/v1/memories/shares", params={"user_id": "alice"})
    assert (found["results"], shares["results"]) == ([], [])
    plan = {"label": "plan", "value": "Buy tea", "user_id": "zoe"}
    await client.call("POST", "/v1/memories/blocks", json=plan)
    to = {"to": {"user_id": "yan"}, "user_id": "zoe"}
    await client.call("POST", "/v1/memories/blocks/plan/attach", json=to)
    seen = await client.call("GET", "/v1/memories/blocks/plan", params={"user_id": "yan"})
    assert (seen["value"], seen["shared"]) == ("Buy tea", True)


def test_there_is_a_folder_of_every_release():
    """The first release at least; a glob that finds nothing would test nothing."""
    assert "0.1.0" in {path.name for path in RELEASES}


@pytest.mark.parametrize("release", RELEASES, ids=[path.name for path in RELEASES])
async def test_nothing_is_lost(release: Path, tmp_path: Path) -> None:
    """Memories, history, jobs and turns are as they were, and what was under way is learned."""
    data = tmp_path / "data"
    shutil.copytree(release / "data", data)
    then = json.loads((release / "expected.json").read_text("utf-8"))
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
            await agents_begin(client)
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
