"""Requests made from the API's own document, a few of them; `make fuzz-api` makes 20,000."""

from __future__ import annotations

import asyncio

from tests.support.budget import FACTOR, WHOLE, examples
from tests.support.scripted import ScriptedModel

from .facing import Facing

SEED = 13
CASES = 60
SHARE = 1 if FACTOR >= WHOLE else 4
"""To every so manieth operation."""


async def test_every_answer_is_as_described():
    """No 5xx, no status and no shape that the document does not know; what it refuses is refused."""
    # It imports half a second of schemathesis.
    from tests.support.fuzzing import MODEL_REPLY, Fuzzer, told

    # For mem0's clients an addition without a model is a 503.
    async with (
        ScriptedModel(MODEL_REPLY) as model,
        Facing(learn__llm__base_url=model.base_url) as facing,
    ):
        fuzzer = Fuzzer(f"http://127.0.0.1:{facing.port}", seed=SEED)
        found = await asyncio.to_thread(fuzzer.run, examples(CASES), share=SHARE)
    assert found.cases >= examples(CASES)
    assert found.server_errors == 0, told(found)
    assert not found.failures, told(found)
    assert {200, 400} <= set(found.statuses)
