"""What the library refuses that no other surface lets through: by the name of the argument."""

import pytest

from recollect.memory import InvalidInputError, NotFoundError
from recollect.memory.query.filter_json import MAX_PARTS
from tests.memory.api.client_parts import build, keep, texts
from tests.support.folding import rows

OWN = {"user_id": "alice"}


@rows(
    "field, call",
    [
        ("as_of", lambda m: m.delete_by_query(as_of="2026-01-01", **OWN)),
        ("filters", lambda m: m.propose_forget("tea", filters={}, **OWN)),
        ("filters", lambda m: m.add("x", filters={"AND": [OWN] * (MAX_PARTS + 1)})),
        ("filters", lambda m: m.add("x", filters={**OWN, "memory": {"near": 1}})),
        ("filters", lambda m: m.add("x", infer=False, filters={**OWN, "memory": "tea"})),
        ("replaces", lambda m: m.settle("x", replaces="x")),
        ("question", lambda m: m.deep_recall("  ", **OWN)),
        ("cursor", lambda m: m.episodes(cursor="x", **OWN)),
        ("cursor", lambda m: m.episodes("x", cursor="x", **OWN)),
        ("reason", lambda m: m.procedures.outcome("x", "success", reason=7)),
        ("embed", lambda m: m.import_file("none", embed="perhaps")),
        ("on_error", lambda m: m.import_file("none", on_error="go on")),
        ("to", lambda m: m.shares.detach("x", {"team_id": "x"}, **OWN)),
        ("value", lambda m: m.blocks.rewrite("plan", 5, **OWN)),
        ("author", lambda m: m.blocks.rewrite("plan", "x", author="other", **OWN)),
    ],
)
async def test_bad_input_names_the_argument(field, call):
    """And nothing is done: nobody, for one, says of themselves that they are another author."""
    async with build() as memory:
        await keep(memory, "Likes tea")
        plan = await memory.blocks.define("plan", value="one", **OWN)
        with pytest.raises(InvalidInputError) as raised:
            await call(memory)
        assert raised.value.field == field
        assert await texts(memory) == ["Likes tea"]
        assert await memory.blocks.get("plan", **OWN) == plan


async def test_a_memory_of_somebody_else_is_not_settled():
    """It replaces nothing and is replaced by nothing: it does not exist."""
    async with build() as memory:
        [own], [hers] = await keep(memory, "tea"), await keep(memory, "hers", user_id="bob")
        for memory_id, replaces in ((own, [hers]), (hers, [own])):
            with pytest.raises(NotFoundError):
                await memory.settle(memory_id, replaces=replaces, **OWN)
        assert await texts(memory, user_id="bob") == ["hers"]
        assert await texts(memory) == ["tea"]
