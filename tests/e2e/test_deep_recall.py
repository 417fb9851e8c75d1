"""A real small model judges what a search found: whatever it answers, the bounds hold."""

from __future__ import annotations

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.api.deep_recall import NOTHING_NEW, OUT_OF_ROUNDS, UNREADABLE
from recollect.memory.embedders import FakeEmbedderOptions
from recollect.memory.engine.options import MemoryOptions
from recollect.memory.llms import OpenAIChatOptions
from recollect.memory.model.types import utc_now
from tests.support.llama import LlamaServer

KNOWN = ("Ada has a sister called Zoe.", "Zoe lives in Bergen.", "Ada owns a red bicycle.")


@pytest.mark.process
async def test_a_real_model_grades(llama: LlamaServer) -> None:
    """It answers in the asked form, names memories that are there, and is paid for by the tenant."""
    model = OpenAIChatOptions(base_url=llama.base_url, model="smollm2", timeout_seconds=120)
    options = MemoryOptions(embedder=FakeEmbedderOptions(), llm=model)
    async with await AsyncMemory.open(options) as memory:
        for text in KNOWN:
            await memory.add(text, infer=False, user_id="ada")
        assert "deep_recall" in memory.tools(user_id="ada").names
        found = await memory.deep_recall(
            "Where does the sister of Ada live? And what is she called?",
            user_id="ada",
            rounds=2,
            seconds=300,
        )
        assert {each["memory"] for each in found["results"]} <= set(KNOWN)
        assert 1 <= found["calls"] <= 2
        assert found.get("reason") in {None, NOTHING_NEW, OUT_OF_ROUNDS, UNREADABLE}
        assert found["abstained"] == ("reason" in found)
        spent = await memory._engine.parts.state.ledger.spent("local", utc_now().date())
        assert (spent.calls, spent.tokens) == (found["calls"], found["tokens"])
