"""Recall with its parts: what is found, what is refused, and what must never be seen."""

import asyncio
import threading
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.language import index_terms
from recollect.memory.model.errors import EmbeddingError, StoreError
from recollect.memory.model.types import Doubt, MemoryStatus, Provenance, Scope, StoredMemory
from recollect.memory.model.visible_scope import VisibilityOptions
from recollect.memory.recall import (
    HotIndexes,
    Query,
    Recaller,
    RecallOptions,
    Shown,
    finder,
    retrieval,
)
from recollect.memory.recall.finder import IN_A_THREAD
from recollect.memory.recall.index.hot_indexes import MAX_MEMORIES
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.learn.doubles import ALICE, BOB, NOON, Angles, Breaks
from tests.memory.recall.memories import item
from tests.support.budget import examples
from tests.support.constants import recalling
from tests.support.folding import rows
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories

EMBEDDER = FakeEmbedder()
EVERYTHING = {"threshold": 0.0, "limit": 200, "token_budget": 32_000}

DAY = timedelta(days=1)


class Words:
    """Counts words, for budgets one can see."""

    def count(self, text):
        return len(text.split())


def terms(text):
    return index_terms(text).terms


async def filled(*items, embedder=EMBEDDER):
    store = InMemoryMemories(dim=embedder.dim, terms=terms)
    vectors = await embedder.embed([one.text for one in items])
    await store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])
    return store


def recaller(store, embedder=EMBEDDER, tokens=None, max_memories=MAX_MEMORIES, **options):
    built = recalling(**options)
    indexes = HotIndexes(store, dim=embedder.dim)
    indexes.max_memories = max_memories
    return Recaller(indexes, embedder, tokens or ApproximateCounter(), built, clock=lambda: NOON)


def texts(selection):
    return [hit.item.text for hit in selection.chosen]


async def test_an_explanation_names_what_is_held_back():
    """A quarantined memory that would have matched, with its reasons; never one that would not."""
    doubt = Doubt("secrecy", "tool", "hides it", "green tea")
    held = replace(
        item("green tea", id="held"),
        status=MemoryStatus.QUARANTINED,
        provenance=Provenance(flags=("secrecy",), reasons=(doubt,)),
    )
    other = replace(item("a car", id="other"), status=MemoryStatus.QUARANTINED)
    bobs = replace(held, id="bobs", scope=BOB)
    found = recaller(await filled(item("tea is fine"), held, other, bobs))
    [named] = (await found.explain(ALICE, "my green tea")).as_dict()["held_back"]
    assert (named["id"], named["memory"]) == ("held", "green tea")
    assert [(one["kind"], one["whose"]) for one in named["reasons"]] == [("secrecy", "tool")]
    assert texts(await found.recall(ALICE, "my green tea")) == ["tea is fine"]


async def test_only_the_scopes_memories():
    """Another user's, another tenant's and inactive memories are never recalled."""
    other = Scope(tenant="other", user_id="alice")
    store = await filled(
        item("green tea", BOB, id="1"),
        item("green tea", other, id="2"),
        item("green tea!", status=MemoryStatus.QUARANTINED),
        item("green tea?", status=MemoryStatus.SUPERSEDED),
    )
    selection = await recaller(store, **EVERYTHING).recall(ALICE, "green tea")
    assert (selection.chosen, selection.dropped, selection.seen) == ((), (), 0)


async def test_rendering_and_reserve_count():
    """The budget is that of what is injected: shown memories and what stands around them."""
    store = await filled(item("green tea"))
    recall = recaller(store, tokens=Words(), token_budget=16).recall
    assert texts(await recall(ALICE, "green tea", reserve_tokens=14)) == ["green tea"]
    assert texts(await recall(ALICE, "green tea", reserve_tokens=15)) == []
    assert texts(await recall(ALICE, "green tea", reserve_tokens=99)) == []

    def long_line(found):
        return Shown("", f"{'x ' * 15}{found.text}")

    def long_heading(found):
        return Shown("x " * 15, found.text)

    assert texts(await recall(ALICE, "green tea", show=long_line)) == []
    assert texts(await recall(ALICE, "green tea", show=long_heading)) == []


async def test_each_line_must_reach_the_threshold():
    """The option is a probability, of each line; at 0 nothing is withheld, at 1 everything is."""
    embedder = Angles({"my q": 0, "near": 50, "nearer": 40, "away": 92})
    store = await filled(*map(item, ("near", "nearer", "away")), embedder=embedder)
    told = await recaller(store, embedder).rank(ALICE, "my q", most=9)
    likely = {hit.item.text: hit.evidence for hit in told.ranked}
    assert likely["nearer"] > likely["near"] > likely["away"] > 0
    every = ["nearer", "near", "away"]
    for threshold, expected in (
        (0.0, every),
        (likely["near"], every[:2]),
        (likely["near"] + 1e-6, every[:1]),
        (likely["nearer"] + 1e-6, []),
        (1.0, []),
    ):
        found = recaller(store, embedder, threshold=threshold)
        assert texts(await found.recall(ALICE, "my q")) == expected


@given(st.integers(1, 20), st.integers(0, 12))
@settings(max_examples=examples(20))
def test_nothing_is_padded_and_no_more_lines_come_than_the_limit(limit, bearing):
    """Of any store: what bears on the message, as far as there are places, and nothing else."""

    async def run():
        tea = [f"User drinks green tea number {n}" for n in range(bearing)]
        store = await filled(*map(item, (*tea, "the car is red", "it rained on the lake")))
        found = recaller(store, limit=limit, token_budget=32_000)
        shown = texts(await found.recall(ALICE, "Which green tea do I drink?"))
        assert len(shown) == min(limit, bearing)
        assert set(shown) <= set(tea)

    asyncio.run(run())


@rows("method, error", [("load", StoreError), ("embed", EmbeddingError)])
async def test_failures_are_told_and_pass(method, error):
    """Whatever failed reaches the caller, who decides what that means; the next call tries anew."""
    store = await filled(item("green tea"))
    parts = {"load": store, "embed": EMBEDDER}
    parts[method] = Breaks(parts[method], method, error("gone"))
    broken = recaller(parts["load"], parts["embed"])
    with pytest.raises(error):
        await broken.recall(ALICE, "green tea")
    assert texts(await broken.recall(ALICE, "green tea")) == ["green tea"]


HOSTILE = {
    "empty": "",
    "white space": " \t\n\u3000\u200b ",
    "long": "tea " * examples(30_000),
    "long without blanks": "x" * examples(120_000),
    "binary": "".join(map(chr, range(256))) * 4,
    "lone surrogates": "\ud83d tea \udc00",
    "right to left": "\u202e\u05ea\u05d4 \u05d9\u05e8\u05d5\u05e7 \u0634\u0627\u064a \u0623\u062e\u0636\u0631",
    "emoji": "\U0001f375\U0001f469\u200d\U0001f4bb\U0001f1e9\U0001f1ea\u2764\ufe0f",
    "code": "def f(x):\n    return {k: v**2 for k, v in x.items() if k != '\\\\' or \"||\"}",
    "combining marks": "e" + "\u0301" * 5000,
    "unspaced": "\u7dd1\u8336" * 5000,
    "dates": "in 2019 " * 5000 + "last week 99999-99-99 in 10000000 years",
}


@rows("query", HOSTILE.values())
async def test_any_text_is_a_query(query):
    """Nothing in a query makes recall fail, with memories or without, nor as a variant."""
    store = await filled(item("green tea"), item("\u7dd1\u8336", id="2"), item("Ann: \U0001f375"))
    odd = recaller(store, **EVERYTHING)
    assert (await odd.recall(ALICE, query)).seen == 3
    assert (await odd.recall(BOB, query)).seen == 0
    asked = Query("tea", variants=(query,), passages=(query,))
    assert (await odd.recall(ALICE, asked)).seen == 3
    assert (await odd.explain(ALICE, query)).as_dict()["seen"] == 3


@rows("text", HOSTILE.values())
async def test_any_text_is_a_memory(text):
    """Nothing in a memory makes recall fail, or hides the others."""
    # What a store takes: no lone surrogates, and no book.
    text = text.encode(errors="ignore").decode()[:16_000]
    store = await filled(item(text, id="odd"), item("green tea"))
    assert texts(await recaller(store).recall(ALICE, "green tea"))[0] == "green tea"


async def test_only_the_beginning_of_a_long_query_is_read():
    """What a question is about stands in it; the embedder does not get the rest either."""
    asked = []

    class Listens(FakeEmbedder):
        async def embed(self, texts):
            asked.extend(texts)
            return await super().embed(texts)

    store = await filled(item("green tea"))
    listening = recaller(store, Listens())
    assert texts(await listening.recall(ALICE, "my green tea " + "tea " * 10_000)) == ["green tea"]
    assert texts(await listening.recall(ALICE, "x " * 10_000 + "my green tea")) == []
    assert max(map(len, asked)) < 10_000


QUERIES = {
    "two words": "my tea",
    "a question": "where is my green tea?",
    "30,000 words": "where is my green tea? " + "the cellar is dark " * 10_000,
    "code": "```py\ndef tea(green):\n    return green\n```\nwhat does my tea() do with green tea?",
    "mixed scripts": "wo ist mein зелёный tea, 緑茶 green tea 🍵?",
}


@rows("query", QUERIES.values())
@rows("copies", [1, 8])
async def test_sensible_answers_of_a_store_of_one_memory_or_of_equal_ones(query, copies):
    """The memory, once; nothing for a query that has nothing to do with it."""
    same = [item("User keeps green tea in the cellar", id=f"m{n}") for n in range(copies)]
    found = recaller(await filled(*same))
    assert texts(await found.recall(ALICE, query)) == ["User keeps green tea in the cellar"]
    assert texts(await found.recall(ALICE, "my bicycle")) == []


async def test_variants_find_what_the_question_does_not():
    """A memory may be found by the words of any wording, and by its meaning."""
    store = await filled(item("green tea"), item("a red car"))
    found = recaller(store)
    assert texts(await found.recall(ALICE, Query("beverages"))) == []
    assert texts(await found.recall(ALICE, Query("beverages", ("tea",)))) == ["green tea"]

    embedder = Angles({"my q": 0, "v": 90, "other words": 90})
    found = recaller(await filled(item("other words"), embedder=embedder), embedder)
    assert texts(await found.recall(ALICE, Query("my q"))) == []
    assert texts(await found.recall(ALICE, Query("my q", ("v",)))) == ["other words"]


async def test_the_time_is_read_from_the_users_own_words():
    """What a model made of the question names no time that the user did not."""
    store = await filled(item("green tea"))
    found = recaller(store)
    named = await found.explain(ALICE, Query("tea in May 2023", ("tea",)))
    assert "date" in named.as_dict()["used"]
    invented = await found.explain(ALICE, Query("tea", ("tea in May 2023",)))
    assert "date" not in invented.as_dict()["used"]


async def test_passages_count_by_meaning_only():
    """A made-up answer moves the question's vector; no memory is found by its words."""
    embedder = Angles({"my q": 0, "green tea": 80, "the answer is green tea": 90})
    store = await filled(item("green tea"), embedder=embedder)
    found = recaller(store, embedder)
    assert texts(await found.recall(ALICE, "my q")) == []
    passage = Query("my q", passages=("the answer is green tea",))
    (hit,) = (await found.recall(ALICE, passage)).chosen  # halfway, at 45 degrees
    assert hit.cosine == pytest.approx(np.cos(np.radians(35)), abs=2e-3)
    assert hit.coverage == 0


async def test_the_time_of_asking_can_be_given():
    """What "yesterday" means depends on when it is asked; without it the clock tells."""
    store = await filled(item("tea", at=NOON.replace(day=1)), item("tea again", at=NOON))
    found = recaller(store)
    then = await found.rank(ALICE, "tea yesterday", most=2, now=NOON.replace(day=3))
    assert [hit.item.text for hit in then.ranked] == ["tea again", "tea"]
    now = await found.rank(ALICE, "tea yesterday", most=2)
    assert [hit.item.text for hit in now.ranked] == ["tea", "tea again"]


async def test_warming_finds_nothing_and_tells_what_is_missing():
    """It goes through every part with a real user; a part that does not answer is an error."""
    store = await filled(item("green tea"))
    warmed = recaller(store)
    await warmed.warm()
    assert warmed.indexes.is_warm(ALICE)
    await recaller(await filled()).warm()
    with pytest.raises(StoreError):
        await recaller(Breaks(store, "load", StoreError("gone"))).warm()


async def test_who_tells_of_a_day_is_given_nothing_else_of_it():
    """Who asks about it is, whatever the words are; and who searches for it."""
    found = recaller(await filled(*(item(text, at=NOON - DAY) for text in ("tomatoes", "dentist"))))
    told, asked = "I bought a boat yesterday.", "What did I do yesterday?"
    assert texts(await found.recall(ALICE, told)) == []
    assert len(texts(await found.recall(ALICE, asked))) == len(["tomatoes", "dentist"])


async def test_many_memories_are_ranked_in_a_thread(monkeypatch):
    """Many memories do not hold the event loop up, and are all looked at; a few stay on it."""
    threads, weigh = [], retrieval.weighing_of

    def spying(*args, **kwargs):
        threads.append(threading.current_thread() is threading.main_thread())
        return weigh(*args, **kwargs)

    monkeypatch.setattr(retrieval, "weighing_of", spying)
    monkeypatch.setattr(finder, "IN_A_THREAD", 3)
    many = [item(f"green tea {n}", id=str(n)) for n in range(3)]
    found = recaller(await filled(*many, item("few", BOB)))
    seen = [(await found.recall(*asked)).seen for asked in [(BOB, "few"), (ALICE, "my green tea")]]
    assert (seen, threads) == ([1, 3], [True, False])


async def test_changes_while_many_memories_are_ranked():
    """Writes that come while a thread ranks wait for it or come after it; nothing breaks."""
    inner = await filled(*[item(f"tea number {n}", id=str(n)) for n in range(IN_A_THREAD + 100)])
    options = RecallOptions()
    indexes = HotIndexes(inner, dim=EMBEDDER.dim)
    store = indexed(inner, indexes)
    found = Recaller(indexes, EMBEDDER, ApproximateCounter(), options)
    (vector,) = await EMBEDDER.embed(["tea"])

    async def write():
        for n in range(60):
            await store.put([StoredMemory(item(f"new tea {n}", id=f"new {n}"), vector)])
            await store.delete(ALICE.tenant, [str(n)])
            await asyncio.sleep(0)

    await found.recall(ALICE, "tea")
    *seen, _ = await asyncio.gather(*[found.recall(ALICE, "my tea") for _ in range(5)], write())
    assert {len(selection.chosen) for selection in seen} <= {options.limit}
    assert (await found.recall(ALICE, "tea")).seen == IN_A_THREAD + 100


NAMES = st.sampled_from([None, "a", "b"])
SCOPES = st.builds(
    lambda tenant, user, agent, run: (tenant, user, agent, run),
    st.sampled_from(["t", "u"]),
    NAMES,
    NAMES,
    NAMES,
).filter(lambda parts: any(parts[1:]))


def scope_of(parts):
    tenant, user, agent, run = parts
    return Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)


@given(
    st.lists(SCOPES, max_size=12),
    SCOPES,
    st.sampled_from([1, 3, 1000]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=examples(150))
def test_isolation(owners, asking, max_memories, warm, separate):
    """Whatever the scopes and the way: recalled is what the sight admits, all of it, no more."""

    async def run():
        store = InMemoryMemories(dim=EMBEDDER.dim, terms=terms)
        options = recalling(**EVERYTHING)
        indexes = HotIndexes(store, dim=EMBEDDER.dim)
        indexes.max_memories = max_memories
        followed = indexed(store, indexes)
        visible_scope = VisibilityOptions(agents="separate" if separate else "shared").visible_scope
        found = Recaller(indexes, EMBEDDER, ApproximateCounter(), options)
        found.visible_scope = visible_scope
        if warm:
            for parts in {*owners, asking}:
                await found.recall(scope_of(parts), "tea")
        memories = [
            item(f"Ann: tea {n}", scope_of(parts), id=str(n)) for n, parts in enumerate(owners)
        ]
        vectors = await EMBEDDER.embed([memory.text for memory in memories])
        await followed.put([StoredMemory(m, v) for m, v in zip(memories, vectors, strict=True)])
        selection = await found.recall(scope_of(asking), "what tea does Ann like?")
        explained = (await found.explain(scope_of(asking), "what tea does Ann like?")).as_dict()
        admitted = {m.id for m in memories if visible_scope(scope_of(asking)).admits(m.scope)}
        assert {hit.item.id for hit in selection.chosen} == admitted
        assert {memory["id"] for memory in explained["memories"]} == admitted
        assert selection.seen == len(admitted)

    asyncio.run(run())
