"""Whose memories a call means: what programs for mem0 say with ids in filters, `top_k`, `data`."""

from functools import partial

import pytest

from recollect.memory import AsyncMemory, InvalidInputError, ScopeError
from recollect.memory.model.errors import ForbiddenError
from tests.memory.api.client_parts import build, keep, texts


async def test_a_filter_says_whose_memories():
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


async def test_an_addition_is_kept_where_its_filters_say():
    """Beside ids or without; where nothing is compared nothing but exact ids is taken."""
    async with build() as memory:
        await memory.add("a", infer=False, filters={"user_id": "ada"})
        await memory.add("b", infer=False, user_id="ada", filters={"AND": [{"run_id": "r"}]})
        assert await texts(memory, user_id="ada", run_id="r") == ["b"]
        assert len(await texts(memory, user_id="ada")) == 2
        for filters in (
            {"user_id": "ada", "tag": "x"},
            {"OR": [{"user_id": "ada"}, {"user_id": "bob"}]},
            {"user_id": "*"},
            {"user_id": {"in": ["ada"]}},
            [],
            "ada",
        ):
            with pytest.raises(InvalidInputError, match="filters"):
                await memory.add("c", infer=False, filters=filters)
        with pytest.raises(InvalidInputError, match="user_id"):
            await memory.add("c", infer=False, user_id="bob", filters={"user_id": "ada"})
        for filters in ({}, None):
            with pytest.raises(ScopeError):
                await memory.add("c", infer=False, filters=filters)
        assert len(await texts(memory, user_id="ada")) == 2
        assert await texts(memory, user_id="bob") == []


async def test_filters_of_an_addition_widen_no_credential():
    """A view of one user stores for nobody else, however that is said."""
    async with build() as memory:
        bobs = AsyncMemory(memory._engine, only_user="bob")
        with pytest.raises(ForbiddenError):
            await bobs.add("c", infer=False, filters={"user_id": "ada"})
        await bobs.add("c", infer=False, filters={"run_id": "r"})
        assert await texts(memory, user_id="bob", run_id="r") == ["c"]


async def test_only_one_exact_id_is_a_scope():
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


async def test_top_k_is_limit():
    """Both at once are refused, and each is checked by its own name."""
    async with build() as memory:
        await keep(memory, "likes tea", "likes coffee", user_id="ada")
        ada = {"user_id": "ada"}
        assert len((await memory.search("What?", **ada, top_k=1, threshold=0))["results"]) == 1
        assert len((await memory.get_all(**ada, top_k=1))["results"]) == 1
        for ask in (memory.get_all, partial(memory.search, "x"), partial(memory.answer, "x")):
            with pytest.raises(InvalidInputError, match=r"top_k: .*limit"):
                await ask(**ada, top_k=1, limit=1)
            with pytest.raises(InvalidInputError, match=r"^top_k: expected a whole number"):
                await ask(**ada, top_k=0)


async def test_data_is_text():
    """Of an update; both at once are refused."""
    async with build() as memory:
        [name] = await keep(memory, "likes tea", user_id="ada")
        assert (await memory.update(name, data="likes coffee"))["memory"] == "likes coffee"
        with pytest.raises(InvalidInputError, match=r"data: .*text"):
            await memory.update(name, "a", data="b")


async def test_an_unknown_argument_has_a_nearest_one():
    """Also those of a call that say nothing about which memories are meant."""
    async with build() as memory:
        for wrong, near in (("userid", "user_id"), ("limits", "limit"), ("filter", "filters")):
            with pytest.raises(InvalidInputError, match=f"^{wrong}: .*{near!r}"):
                await memory.search("x", user_id="a", **{wrong: 1})
