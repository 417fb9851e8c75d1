"""A fact with its context, from the chat to recall, and through what may become of a memory."""

import json

from recollect.memory.engine.options import EngineOptions
from recollect.memory.learn import LearnOptions
from recollect.memory.learn.options import ContextBy
from recollect.memory.model.types import MemoryItem
from tests.memory.api.client_parts import build

from .doubles import Says
from .extract.turns import answer, stated

SAID = "About the cabin near Annecy with Jonas: the deposit is 900 EUR"
FACT = stated("The deposit is 900 EUR", "the deposit is 900 EUR")
CONTEXT = "cabin near Annecy with Jonas"
SITUATED = json.dumps({"contexts": [{"fact": 1, "context": CONTEXT}]})
ALL_STATED = '{"not_stated": []}'


def situating(*lines, context=ContextBy.MODEL):
    """A memory whose model says these lines, and the model."""
    model = Says(*lines)
    options = EngineOptions(learn=LearnOptions(context=context))
    return build(model, options=options), model


LIKE, UNLIKE = 0.4, 0.1


async def likeness(memory):
    """Of the only memory and what it was said about, as its vector tells."""
    [hit] = (await memory.search("Annecy with Jonas", user_id="alice", threshold=0))["results"]
    return hit["similarity"]


async def stored(memory, memory_id) -> MemoryItem:
    [item] = await memory._store.get("local", [memory_id])
    return item


async def test_a_fact_is_found_by_its_context():
    """It is embedded and indexed in front of the fact, which is stored and shown as it is."""
    memory, model = situating(answer(FACT), ALL_STATED, SITUATED)
    async with memory:
        [event] = (await memory.add(SAID, user_id="alice"))["results"]
        shown = await memory.get(event["id"])
        assert shown["memory"] == "The deposit is 900 EUR"
        assert shown["provenance"]["context"] == CONTEXT
        assert await likeness(memory) > LIKE
    assert len(model.requests) == 3


async def test_none_is_asked_for_by_default():
    """Then no call more is made, and the same text is not found by what it was said about."""
    memory, model = situating(answer(FACT), ALL_STATED, context=LearnOptions().context)
    async with memory:
        [event] = (await memory.add(SAID, user_id="alice"))["results"]
        assert (await stored(memory, event["id"])).provenance.context is None
        assert await likeness(memory) < UNLIKE
    assert len(model.requests) == 2


async def test_a_reworded_memory_has_none():
    """It situated the old text; what is taken back is found by it again."""
    memory, _ = situating(answer(FACT), ALL_STATED, SITUATED)
    async with memory:
        [event] = (await memory.add(SAID, user_id="alice"))["results"]
        await memory.update(event["id"], "The deposit is 950 EUR")
        assert (await stored(memory, event["id"])).provenance.context is None
        assert await likeness(memory) < UNLIKE
        await memory.revert(event["id"])
        assert (await stored(memory, event["id"])).provenance.context == CONTEXT
        assert await likeness(memory) > LIKE
