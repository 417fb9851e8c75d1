"""What the dashboard reads, of the running product with two workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until
from tests.support.workers import all_serve, through

pytestmark = pytest.mark.process

FACT = "My allotment has the number 4711, it is the one by the canal."
ASKED = "Which number does my allotment have?"


async def test_any_worker_tells_of_all_and_a_switch_turns_all(
    tmp_path: Path, models_dir: Path
) -> None:
    """Chats of both are listed by each, figures count both, and a switch survives a restart."""
    async with ScriptedModel() as upstream:
        settings: dict[str, Any] = {
            "upstream__base_url": upstream.base_url,
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,
            "listen__workers": 2,
        }
        async with Product(tmp_path / "data", **settings) as product:
            await all_serve(product.url, 2)
            async with through(product.url, 1) as one, through(product.url, 2) as two:
                await one.post(
                    "/v1/memories/", {"messages": FACT, "user_id": "ada", "infer": False}
                )
                await one.chat(ASKED, "ada")
                await two.chat(ASKED, "bob")
                for worker in (one, two):
                    told = await worker.get("/v1/memories/recent")
                    chats = {chat["user_id"]: chat for chat in told["exchanges"]}
                    assert (chats["ada"]["outcome"], set(chats)) == ("injected", {"ada", "bob"})
                    assert chats["ada"]["recalled"][0]["memory"] == FACT
                    state = await worker.get("/v1/memories/state")
                    assert state["memories"] == {"semantic": {"active": 1}}
                    assert (state["hot"], state["index"]["memories"]) == (2, 1)
                await one.post("/v1/memories/switches", {"recall": False})
                for worker in (one, two):
                    assert (await worker.get("/v1/memories/settings"))["switches"][
                        "recall"
                    ] is False
        async with Product(tmp_path / "data", **settings) as product:
            await all_serve(product.url, 2)
            async with through(product.url, 1) as one:

                async def still_off() -> bool:
                    told = await one.get("/v1/memories/settings")
                    return told["switches"] == {"recall": False, "learn": True}

                await until(still_off, "the switch that was kept")
