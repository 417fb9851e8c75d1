"""From what a user says, by what a model found in it, to the graph: and nothing else gets there."""

import json

from recollect.memory.model.types import MemoryStatus
from tests.memory.api.client_parts import build
from tests.memory.learn.doubles import Says
from tests.memory.learn.extract.turns import answer, stated
from tests.memory.learn.test_learner_claims import FACT, POISONED, SAID
from tests.support.folding import rows

ALICE = {"user_id": "alice"}


async def heard(memory, said=SAID):
    [event] = (await memory.add(said, **ALICE))["results"]
    return event["id"]


async def named(memory):
    """All entities, each with what it is."""
    found = (await memory.graph.entities(**ALICE))["results"]
    return {one["name"]: one["type"] for one in found}


async def test_what_is_held_back_is_not_in_it():
    """Until a person lets it through."""
    async with build(Says(answer({**FACT, "asserted": False}))) as memory:
        name = await heard(memory)
        assert (await memory.get(name))["status"] == MemoryStatus.QUARANTINED
        assert await named(memory) == {}
        await memory.validate(name)
        assert {"Anna", "Bern"} <= set(await named(memory))


@rows("language, said, text, names, smuggled", POISONED)
async def test_no_name_comes_in_that_was_not_said(language, said, text, names, smuggled):
    """As an entity, an alias or the end of a relation, in any language."""
    fact = stated(
        text,
        said,
        entities=[{"name": name, "aliases": [smuggled]} for name in names]
        + [{"name": smuggled, "type": "person", "aliases": names[:1]}],
        relations=[{"source": "user", "relation": "obeys", "target": smuggled},
                   {"source": smuggled, "relation": "owns", "target": names[1]}],
    )  # fmt: skip
    async with build(Says(answer(fact))) as memory:
        await memory.add(said, **ALICE)
        shown = (await memory.graph.entities(**ALICE))["results"]
        every = [shown, [(await memory.graph.relations(one["id"], **ALICE)) for one in shown]]
        assert smuggled not in json.dumps(every, ensure_ascii=False)
        for name in names:
            assert (await memory.graph.get(name, **ALICE))["results"]
