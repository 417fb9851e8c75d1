"""Searching, listing, counting, exporting and deleting by a query."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from recollect.memory import AsyncMemory, InvalidInputError, MemoryStatus, ScopeError
from recollect.memory.model.types import Scope, StoredMemory
from tests.memory.api.client_parts import build, keep, keep_each_status, texts

ALICE = Scope(tenant="local", user_id="alice")


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


async def tagged(memory, **scope):
    """Six memories: three with the tag `a`, three with `b`."""
    for number in range(6):
        await memory.add(
            f"likes tea number {number}", infer=False,
            metadata={"tag": "ab"[number % 2], "number": number},
            **(scope or {"user_id": "alice"}),
        )  # fmt: skip


async def numbers(memory, **which):
    found = await memory.get_all(user_id="alice", **which)
    return sorted(item["metadata"]["number"] for item in found["results"])


async def test_every_question_takes_the_same_arguments(memory):
    """A list, a search, a count and an export agree, in both dialects."""
    await tagged(memory)
    await tagged(memory, user_id="bob")
    for filters in ({"tag": "a"}, {"field": "tag", "operator": "eq", "value": "a"}):
        assert await numbers(memory, filters=filters) == [0, 2, 4]
        searched = await memory.search("tea", user_id="alice", filters=filters)
        assert sorted(hit["metadata"]["number"] for hit in searched["results"]) == [0, 2, 4]
        assert await memory.count(user_id="alice", filters=filters) == {"count": 3}
        exported = await memory.export(user_id="alice", filters=filters)
        assert len(exported["results"]) == 3
    assert await memory.count(user_id="alice", types=["episodic"]) == {"count": 0}


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


async def test_limits_apply_after_filters(memory):
    """Of a search too, though others are nearer."""
    await tagged(memory)
    found = await memory.search("tea number 1", user_id="alice", limit=2, filters={"tag": "a"})
    assert len(found["results"]) == 2
    assert {hit["metadata"]["tag"] for hit in found["results"]} == {"a"}


async def test_pages_are_stable_while_others_write(memory):
    """Nothing is shown twice, and nothing that was there is left out."""
    await tagged(memory)
    expected = [item["id"] for item in (await memory.get_all(user_id="alice"))["results"]]
    found, cursor = [], None
    for number in range(10):
        page = await memory.get_all(user_id="alice", limit=2, cursor=cursor)
        found += [item["id"] for item in page["results"]]
        cursor = page.get("next")
        if cursor is None:
            break
        await keep(memory, f"new {number}")
        if number == 0:
            await memory.delete(found[0])
    assert found == expected
    assert cursor is None


async def test_a_cursor_of_another_query_is_refused(memory):
    """Of other arguments, and of another scope."""
    await tagged(memory)
    page = await memory.get_all(user_id="alice", limit=2)
    for other in ({"user_id": "alice", "filters": {"tag": "a"}}, {"user_id": "bob"}):
        with pytest.raises(InvalidInputError, match="another query"):
            await memory.get_all(limit=2, cursor=page["next"], **other)


async def test_statuses(memory):
    """One, several, or the active ones."""
    await keep_each_status(memory)
    assert await texts(memory) == ["tea"]
    several = await memory.get_all(user_id="alice", statuses=["active", "archived"])
    assert {item["status"] for item in several["results"]} == {"active", "archived"}
    found = await memory.search("tea", user_id="alice", statuses=list(MemoryStatus))
    assert len(found["results"]) == len(MemoryStatus)


async def test_scores_never_rise_and_tell_nothing_from_something(memory):
    """They are shares; the cosine stands beside them."""
    await keep(memory, "likes green tea", "owns a sailing boat", "speaks Dutch")
    found = (await memory.search("green tea", user_id="alice"))["results"]
    scores = [hit["score"] for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[0] > 0.5 > scores[-1]
    assert all(-1 <= hit["similarity"] <= 1 for hit in found)
    sure = await memory.search("green tea", user_id="alice", threshold=0.5)
    assert [hit["memory"] for hit in sure["results"]] == ["likes green tea"]


async def test_other_wordings_find_too(memory):
    """Each of them may."""
    await keep(memory, "owns a sailing boat", "speaks Dutch")
    [first, *_] = (await memory.search("vessel", user_id="alice", multi_query=["sailing boat"]))[
        "results"
    ]
    assert first["memory"] == "owns a sailing boat"
    with pytest.raises(InvalidInputError, match="hyde"):
        await memory.search("vessel", user_id="alice", hyde="a boat")


async def test_fusion_of_one_search(memory):
    """Its keys replace the configured ones, for this call; wrong ones are refused by name."""
    await keep(memory, "owns a sailing boat", "speaks Dutch")
    for method in ("rrf", "weighted", "convex"):
        for which in ({}, {"statuses": ["active", "archived"]}, {"as_of": "2999-01-01"}):
            found = await memory.search(
                "sailing boat", user_id="alice", fusion={"method": method}, **which
            )
            assert found["results"][0]["memory"] == "owns a sailing boat"
    for wrong in ({"method": "best"}, {"methods": "rrf"}, "rrf"):
        with pytest.raises(InvalidInputError, match="fusion"):
            await memory.search("boat", user_id="alice", fusion=wrong)


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


class TestDeleting:
    async def test_a_dry_run_deletes_nothing(self, memory):
        """It shows what would be deleted."""
        await tagged(memory)
        shown = await memory.delete_by_query(user_id="alice", filters={"tag": "a"}, dry_run=True)
        assert (len(shown["results"]), shown["deleted"], shown["dry_run"]) == (3, 0, True)
        assert await memory.count(user_id="alice") == {"count": 6}

    async def test_what_passes_is_deleted(self, memory):
        """Of this scope, and the history stays."""
        await tagged(memory)
        await tagged(memory, user_id="bob")
        done = await memory.delete_by_query(user_id="alice", filters={"tag": "a"})
        assert (len(done["results"]), done["deleted"]) == (3, 3)
        assert await numbers(memory) == [1, 3, 5]
        assert await memory.count(user_id="bob") == {"count": 6}
        history = await memory.history(done["results"][0]["id"])
        assert [row["event"] for row in history] == ["ADD", "DELETE"]

    async def test_erasing_gives_a_receipt(self, memory):
        """Nothing of it is left anywhere."""
        await tagged(memory)
        done = await memory.delete_by_query(user_id="alice", filters={"tag": "a"}, erase=True)
        assert done["deleted"] == 3
        assert done["receipt"]["erased"]["memories"] == 3
        assert await memory.history(done["results"][0]["id"]) == []

    async def test_it_needs_a_scope_and_a_filter(self, memory):
        """So that a slip does not delete everything."""
        with pytest.raises(ScopeError):
            await memory.delete_by_query(filters={"tag": "a"})
        for which in ({}, {"filters": {}}, {"status": "active"}, {"filters": None}):
            with pytest.raises(InvalidInputError, match="filters"):
                await memory.delete_by_query(user_id="alice", **which)
        with pytest.raises(InvalidInputError, match="as_of"):
            await memory.delete_by_query(user_id="alice", as_of="2026-01-01")


async def test_the_pages_of_a_search_hold_every_hit_once(memory):
    """In whatever size they are read; the last page has no cursor."""
    await tagged(memory)
    whole = [hit["id"] for hit in (await memory.search("tea", user_id="alice"))["results"]]
    assert len(whole) == 6
    for limit in (1, 2, 4, 5, 6):
        seen, cursor = [], None
        while True:
            page = await memory.search("tea", user_id="alice", limit=limit, cursor=cursor)
            assert len(page["results"]) <= limit
            seen += [hit["id"] for hit in page["results"]]
            if (cursor := page.get("next")) is None:
                break
        assert sorted(seen) == sorted(whole)
        assert len(seen) == 6


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


class TestMem0Habits:
    """What programs that were written for mem0 say: ids in filters, `top_k`, `data`."""

    async def test_a_filter_says_whose_memories(self):
        """An exact id at the top or in AND is the scope, with the isolation of an argument."""
        async with build() as memory:
            await keep(memory, "Ada likes tea", user_id="ada")
            await keep(memory, "Bob likes tea", user_id="bob")
            for filters in (
                {"user_id": "ada"},
                {"AND": [{"user_id": "ada"}, {"type": "semantic"}]},
                {"field": "user_id", "operator": "eq", "value": "ada"},
            ):
                which = {"filters": filters}
                found = [
                    await memory.search("Who likes tea?", **which),
                    await memory.get_all(**which),
                    await memory.export(**which),
                    await memory.propose_forget("tea", **which),
                ]
                for each in found:
                    assert [one["memory"] for one in each["results"]] == ["Ada likes tea"]
                assert await memory.count(**which) == {"count": 1}
            nobody = {"filters": {"user_id": "ada", "memory": "no such text"}}
            assert (await memory.answer("Who likes tea?", **nobody))["citations"] == []
            gone = {"filters": {"user_id": "ada", "memory": {"contains": "tea"}}}
            assert (await memory.delete_by_query(**gone))["deleted"] == 1
            assert await texts(memory, user_id="bob") == ["Bob likes tea"]

    async def test_only_one_exact_id_is_a_scope(self):
        """Anything cleverer is refused by name, and nothing is read."""
        async with build() as memory:
            for unclear in (
                {"user_id": ["ada"]},
                {"OR": [{"user_id": "ada"}, {"user_id": "bob"}]},
                {"NOT": {"user_id": "ada"}},
                {"user_id": "*"},
            ):
                with pytest.raises(ScopeError, match="user_id is"):
                    await memory.get_all(filters=unclear)
            with pytest.raises(InvalidInputError, match="user_id"):
                await memory.get_all(filters={"user_id": "ada", "AND": [{"user_id": "bob"}]})
            with pytest.raises(InvalidInputError, match="delete_all"):
                await memory.delete_by_query(filters={"user_id": "ada"})

    async def test_beside_an_argument_a_filter_only_narrows(self):
        """The scope is that of the argument; a filter never leads out of it."""
        async with build() as memory:
            await keep(memory, "Ada likes tea", user_id="ada")
            found = await memory.get_all(user_id="bob", filters={"user_id": "ada"})
            assert found["results"] == []

    async def test_a_view_of_one_user_stays_one(self):
        """Whoever may only see one user sees nobody else's, whatever the filter says."""
        async with build() as memory:
            await keep(memory, "Ada likes tea", user_id="ada")
            own = AsyncMemory(memory._engine, only_user="bob")
            assert (await own.get_all(filters={"user_id": "ada"}))["results"] == []

    async def test_top_k_is_limit(self):
        """Both at once are refused, and each is checked by its own name."""
        async with build() as memory:
            await keep(memory, "likes tea", "likes coffee", user_id="ada")
            ada = {"user_id": "ada"}
            assert len((await memory.search("What?", **ada, top_k=1))["results"]) == 1
            assert len((await memory.get_all(**ada, top_k=1))["results"]) == 1
            for ask in (memory.get_all, partial(memory.search, "x"), partial(memory.answer, "x")):
                with pytest.raises(InvalidInputError, match=r"top_k: .*limit"):
                    await ask(**ada, top_k=1, limit=1)
                with pytest.raises(InvalidInputError, match=r"^top_k: expected a whole number"):
                    await ask(**ada, top_k=0)

    async def test_data_is_text(self):
        """Of an update; both at once are refused."""
        async with build() as memory:
            [name] = await keep(memory, "likes tea", user_id="ada")
            assert (await memory.update(name, data="likes coffee"))["memory"] == "likes coffee"
            with pytest.raises(InvalidInputError, match=r"data: .*text"):
                await memory.update(name, "a", data="b")

    async def test_an_unknown_argument_has_a_nearest_one(self):
        """Also those of a call that say nothing about which memories are meant."""
        async with build() as memory:
            for wrong, near in (("userid", "user_id"), ("limits", "limit"), ("filter", "filters")):
                with pytest.raises(InvalidInputError, match=f"^{wrong}: .*{near!r}"):
                    await memory.search("x", user_id="a", **{wrong: 1})
