"""Searching, listing, counting, exporting and deleting by a query."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory import InvalidInputError
from recollect.memory.model.types import StoredMemory
from tests.memory.api.client_parts import build, keep, tagged


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


async def test_a_filter_cannot_widen_the_scope(memory):
    """Whatever it says of other users."""
    await tagged(memory)
    for filters in (
        {"user_id": "alice"},
        {"OR": [{"user_id": "alice"}, {"NOT": {"user_id": "alice"}}]},
        {"NOT": {"tag": "nothing"}},
    ):
        assert await memory.count(user_id="bob", filters=filters) == {"count": 0}
        assert (await memory.search("tea", user_id="bob", filters=filters))["results"] == []


async def test_a_search_goes_on_from_its_best_hits(memory):
    """To what shares a rare name with them, below them; with `expand_hops` 0 it does not."""
    met, advice = "I met a cheesemonger called Eskil in Bergen", "Eskil swears by the brown one"
    for text in (met, advice, *(f"The garden has row {n}" for n in range(8))):
        await keep(memory, text)
    asked = "Which cheesemonger did I meet?"
    plain, further = [
        (await memory.search(asked, user_id="alice", threshold=0, expand_hops=hops))["results"]
        for hops in (0, 1)
    ]
    assert further[0] == plain[0]
    assert (further[0]["memory"], further[1]["memory"]) == (met, advice)
    before = next(hit["score"] for hit in plain if hit["memory"] == advice)
    assert before < further[1]["score"] < further[0]["score"]
    assert (await memory.search(asked, user_id="alice", threshold=0))["results"] == further
    with pytest.raises(InvalidInputError, match="expand_hops"):
        await memory.search(asked, user_id="alice", expand_hops=2)


async def test_what_was_true_and_what_was_known(memory):
    """A changed memory is found as it was, by lists, counts and searches."""
    [known] = await keep(memory, "lives in Oslo")
    before = (await memory.get(known))["updated_at"]
    store = memory._engine.parts.store
    [item] = await store.get("local", [known])
    hour = timedelta(hours=1)
    past = replace(
        item, created_at=item.created_at - hour, updated_at=item.updated_at - hour,
        valid_from=item.created_at - hour,
        provenance=replace(item.provenance, recorded_at=item.created_at - hour),
    )  # fmt: skip
    [vector] = await memory._engine.parts.embedder.embed([item.text])
    await store.put([StoredMemory(past, vector)])
    await memory.update(known, "lives in Rome")
    then = item.created_at - hour / 2
    for which in ({"as_of": then}, {"known_at": then}):
        found = (await memory.get_all(user_id="alice", **which))["results"]
        assert [one["memory"] for one in found] == ["lives in Oslo"]
        assert await memory.count(user_id="alice", **which) == {"count": 1}
        hits = (await memory.search("lives", user_id="alice", **which))["results"]
        assert [one["memory"] for one in hits] == ["lives in Oslo"]
    now = await memory.get_all(user_id="alice", as_of="2999-01-01")
    assert [one["memory"] for one in now["results"]] == ["lives in Rome"]
    assert (await memory.get_all(user_id="alice", as_of="2001-01-01"))["results"] == []
    assert before


async def test_the_pages_of_a_search_while_others_write(memory):
    """What is added or removed between two pages makes none of the others appear twice or never."""
    await tagged(memory)
    page = await memory.search("tea", user_id="alice", limit=3)
    first = [hit["id"] for hit in page["results"]]
    await memory.add("tea tea tea", user_id="alice", infer=False)
    await memory.delete(first[0])
    rest = await memory.search("tea", user_id="alice", limit=10, cursor=page["next"])
    ids = [hit["id"] for hit in rest["results"]]
    assert not set(ids) & set(first)
    assert len(ids) == 4
    assert rest["results"][0]["memory"] == "tea tea tea"


async def test_a_searchs_cursor_of_another_query_is_refused(memory):
    """Another text, scope or filter is another query; another limit is not."""
    await tagged(memory)
    page = await memory.search("tea", user_id="alice", limit=2)
    await memory.search("tea", user_id="alice", limit=5, cursor=page["next"])
    for query, other in (
        ("mate", {"user_id": "alice"}),
        ("tea", {"user_id": "bob"}),
        ("tea", {"user_id": "alice", "filters": {"tag": "a"}}),
        ("tea", {"user_id": "alice", "threshold": 0.1}),
    ):
        with pytest.raises(InvalidInputError, match="another query"):
            await memory.search(query, limit=2, cursor=page["next"], **other)
