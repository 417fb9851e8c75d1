"""Questions that need two facts, joined by a name that the question does not have.

The product as a process, as users run it by default: no model for learning, the real embedder. What
counts is what reaches the model. The examples are those of docs/graph.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from recollect.memory import AsyncMemory
from recollect.memory.embedders import LocalEmbedderOptions
from recollect.memory.engine.options import MemoryOptions
from tests.e2e.test_remembers import messages_of, say
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel

OTHERS = (
    "My bike needs new tyres before winter",
    "I booked two weeks off in August for the boat",
    "Our cat sleeps on the router because it is warm",
    "I met Nino in Yerevan, she sells rugs",
    "My dentist recommended a softer toothbrush",
    "The canteen is shut on Fridays now",
    "I never remember where the spare key is",
)
"""What a user also says: some of it shares words with the questions."""
EXAMPLES = {
    "What did the person I met in Tbilisi recommend?": (
        "In Tbilisi I met Giorgi, who runs a wine bar",
        "Giorgi says to take the sulphur baths early, before eight",
    ),
    "Is my manager available in July?": (
        "Viktor is my manager since spring",
        "Viktor is on leave from the 1st to the 20th of July",
    ),
}


@pytest.fixture
async def product(tmp_path: Path, models_dir: Path) -> Any:
    """Started, with what reaches the model."""
    async with ScriptedModel("I see.") as model, Recorder(model.base_url) as upstream:
        settings = {
            "upstream__base_url": upstream.base_url,
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,  # a busy test machine is not what is tested here
        }
        async with Product(tmp_path / "data", **settings) as started:
            yield started, upstream


async def tell(product: Product, *facts: str) -> None:
    """Each in a conversation of its own."""
    for fact in facts:
        await say(product, fact, user="ada")


async def deeply(product: Product, question: str) -> dict[str, Any]:
    """The answer of `POST /v1/memories/deep-recall`."""
    body = {"question": question, "user_id": "ada", "max_iterations": 2}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{product.url}/v1/memories/deep-recall", json=body) as answer,
    ):
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def test_both_facts_reach_the_model(product: Any) -> None:
    """At once, in a new conversation, without a model that extracts anything."""
    server, upstream = product
    await tell(server, *OTHERS, *(fact for facts in EXAMPLES.values() for fact in facts))
    for question, facts in EXAMPLES.items():
        _, headers = await say(server, question, user="ada")
        assert headers["x-recollect-memory"] == "injected"
        sent = messages_of(upstream.bodies[-1])[-1][1]
        assert [fact for fact in facts if fact not in sent] == []


async def test_deep_recall_has_both_facts(product: Any) -> None:
    """Over REST, without a model: found by structure, and nothing is guessed."""
    server, _ = product
    await tell(server, *OTHERS, *(fact for facts in EXAMPLES.values() for fact in facts))
    for question, facts in EXAMPLES.items():
        found = await deeply(server, question)
        told = " ".join(each["memory"] for each in found["results"])
        assert [fact for fact in facts if fact not in told] == []
    nothing = await deeply(server, "Which school did the plumber's twins attend?")
    assert (nothing["abstained"], nothing["reason"]) == (True, "not_covered")


async def test_the_library_has_both_facts(models_dir: Path) -> None:
    """The same without a server, and without a call to a model."""
    options = MemoryOptions(embedder=LocalEmbedderOptions(model_dir=models_dir))
    async with await AsyncMemory.open(options) as memory:
        for fact in (*OTHERS, *(fact for facts in EXAMPLES.values() for fact in facts)):
            await memory.add(fact, infer=False, user_id="ada")
        for question, facts in EXAMPLES.items():
            found = await memory.deep_recall(question, user_id="ada")
            assert {*facts} <= {each["memory"] for each in found["results"]}
            assert (found["abstained"], found["calls"]) == (False, 0)
