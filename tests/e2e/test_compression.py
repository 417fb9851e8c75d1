"""A long conversation through the product as a process, with the real client and embedded parts."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_forgets import chat
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.waiting import HANG_SECONDS

TURNS = 8
IDLE = "It was a long and quiet day in the old house by the river. " * 3
SECRET = f"My boat is called Marigold and lies in Setúbal. {IDLE}"


def said(number: int) -> str:
    return SECRET if number == 1 else f"Parcel number{number} went to town{number}. {IDLE}"


@pytest.fixture
def short(settings: dict[str, Any], extractor: ScriptedModel) -> dict[str, Any]:
    """Without a model that learns; old turns go early."""
    extractor.replies = ["I see."]
    kept = {name: value for name, value in settings.items() if not name.startswith("learn__llm")}
    return kept | {
        "upstream__base_url": extractor.base_url,
        "learn__every_turns": 100,
        "recall__compress__enabled": "true",
        "recall__compress__after_tokens": 0,
        "recall__compress__keep_turns": 2,
        "recall__compress__step_turns": 3,
    }


def grown(turns: int, question: str = "") -> list[str]:
    texts = [text for number in range(turns) for text in (said(number), "I see.")]
    return texts[:-1] if not question else [*texts, question]


def sent(model: ScriptedModel) -> str:
    """The request that reached the model server last."""
    return json.dumps(model.requests[-1]["messages"], ensure_ascii=False)


def forget(product: Product, user: str) -> None:
    path = f"{product.url}/v1/memories/?user_id={user}"
    request = urllib.request.Request(path, method="DELETE")
    with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:
        assert answer.status == 200


async def test_old_turns_go_and_come_back_as_lines(
    tmp_path: Path, short: dict[str, Any], extractor: ScriptedModel
) -> None:
    """Also after `kill -9`, byte for byte; and once they are forgotten, no word comes back."""
    product = Product(tmp_path / "data", **short).start()
    try:
        for turns in range(1, TURNS + 1):
            headers = await chat(product, *grown(turns))
        question = "How is my boat called?"
        headers = await chat(product, *grown(TURNS, question))
        assert headers["x-recollect-compressed"] == "6"
        before = sent(extractor)
        assert "Marigold" in before
        assert said(3) not in before
        assert said(7) in before

        product.kill()
        product.start()
        headers = await chat(product, *grown(TURNS, question))
        assert headers["x-recollect-compressed"] == "6"
        assert sent(extractor) == before

        forget(product, "alice")
        headers = await chat(product, *grown(TURNS, question))
        assert headers["x-recollect-compressed"] == "6"
        assert "Marigold" not in sent(extractor)
        assert "Setúbal" not in sent(extractor)
        assert question in sent(extractor)
    finally:
        product.kill()
