"""A scrape of the running product, read by Prometheus's own parser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from recollect.proxy.telemetry.names import METRICS
from tests.support.ports import free_port
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.workers import all_serve, through

pytestmark = pytest.mark.process

USER = "quokkazebra"
"""Of a user whose name occurs nowhere else."""
FACT = "My allotment has the number 4711, it is the one by the canal."
ASKED = "Which number does my allotment have?"


async def scraped(port: int) -> str:
    async with (
        aiohttp.ClientSession() as client,
        client.get(f"http://127.0.0.1:{port}/metrics") as answer,
    ):
        return await answer.text()


def samples(text: str) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_one_scrape_has_the_chats_of_all_workers(tmp_path: Path, models_dir: Path) -> None:
    """A chat through each of two workers counts as two, and no name of a user is told."""
    port = free_port()
    async with ScriptedModel() as upstream:
        settings: dict[str, Any] = {
            "upstream__base_url": upstream.base_url,
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,
            "listen__workers": 2,
            "telemetry__metrics__port": port,
        }
        async with Product(tmp_path / "data", **settings) as product:
            await all_serve(product.url, 2)
            async with through(product.url, 1) as one, through(product.url, 2) as two:
                await one.post("/v1/memories/", {"messages": FACT, "user_id": USER, "infer": False})
                await one.chat(ASKED, USER)
                await two.chat(ASKED, USER)
            text = await scraped(port)
    found = samples(text)
    assert found["recollect_chats_total", "injected", "personal"] == 2
    assert found["recollect_recall_seconds_count",] == 2
    assert found["recollect_injected_memories_total",] == 2
    assert found["recollect_injected_tokens_total",] > 0
    assert found["recollect_chats_in_flight",] == 0
    assert [metric.name for metric in METRICS if f"# TYPE {metric.name} " not in text] == []
    assert USER not in text
