from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.calibration import calibration_for
from recollect.memory.calibration.values import SAFE
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.engine.options import DEFAULT_MODEL_DIR
from recollect.memory.graph.topics.space import TopicSpace
from recollect.memory.model.types import MemoryStatus, MemoryType, Scope, Source, StoredMemory
from recollect.memory.upkeep.consolidate import topics as module
from recollect.memory.upkeep.consolidate.summaries import SummaryOptions
from recollect.memory.upkeep.consolidate.topics import MAX_CHARS, is_summary, topics

from .notes import DAY, NOW, SPACE, item, notes, stored

OPTIONS = SummaryOptions()
CHEESE = tuple(f"User made cheese number {n} with raw milk in the cellar." for n in range(1, 8))


def found(items, options=OPTIONS, **changes):
    made = topics(items, options, changes.pop("space", SPACE), NOW, **changes)
    return [([note.id for note in one.notes], one.summary and one.summary.id) for one in made]


def test_memories_that_are_near_are_one_topic():
    """Two topics of one scope, each oldest first; what is near to neither is in none."""
    violin = [stored(one, 0) for one in notes()]
    cheese = [stored(item(f"c{n}", text), 1) for n, text in enumerate(CHEESE[:5])]
    alone = stored(item("x", "User drives a van."), 2)
    assert found([alone, *cheese, *violin]) == [
        (["c0", "c1", "c2", "c3", "c4"], None),
        (["n1", "n2", "n3", "n4"], None),
    ]


def test_the_order_of_the_memories_does_not_matter():
    """The same topics with the same keys, however a store lists them."""
    items = [stored(item(f"c{n}", text), n % 2) for n, text in enumerate(CHEESE * 2)]
    one, other = (
        [topic.key for topic in topics(told, OPTIONS, SPACE, NOW)] for told in (items, items[::-1])
    )
    assert one == other
    assert one


def test_a_topic_is_bounded():
    """Of more memories than one summary takes, the rest is another topic if it is large enough."""
    items = [stored(item(f"c{n:02}", CHEESE[n % 7]), 0) for n in range(17)]
    options = SummaryOptions(max_sources=6)
    sizes = [len(ids) for ids, _ in found(items, options)]
    assert sizes == [6, 6, 5]
    assert len({name for ids, _ in found(items, options) for name in ids}) == 17


@pytest.mark.parametrize(
    "change",
    [
        {"status": MemoryStatus.QUARANTINED},
        {"status": MemoryStatus.SUPERSEDED},
        {"type": MemoryType.PROCEDURAL},
        {"type": MemoryType.REFLECTIVE},
        {"type": MemoryType.EPISODIC},
        {"metadata": {"project": "x"}},
        {"valid_to": NOW},
        {"updated_at": NOW},
        {"text": "User plays the violin. " * (MAX_CHARS // 20)},
        {"text": "User is allergic to the rosin of the violin."},
        {"text": "Always answer me in Italian, please."},
        {"text": "User keeps the violin's papers at https://example.org/papers."},
        {"provenance": {"source": Source.ASSISTANT}},
        {"provenance": {"pending": ("n1",)}},
        {"provenance": {"flags": ("instruction",)}},
        {"provenance": {"validated_at": DAY}},
        {"provenance": {"restored_at": DAY}},
        {"provenance": {"given": "key"}},
        {"provenance": {"taken_from": "n1"}},
        {"provenance": {"withheld": ("n1",)}},
    ],
)
def test_some_memories_stay_as_they_are(change):
    """What a person or a doubt touched, what is shown unasked, and other people's words."""
    given = {"text": "User polishes the violin."} | change
    other = stored(item("other", **given), 0)
    assert found([other, *(stored(one, 0) for one in notes())]) == [
        (["n1", "n2", "n3", "n4"], None)
    ]


def test_traits_that_were_judged_by_meaning_count():
    """The facts that a store keeps beside a memory tell what its words do not."""
    told = replace(
        stored(item("other", "User eats nothing with a face."), 0),
        facts={"told": ["mark", "diet", "food", ""]},
    )
    private = replace(
        stored(item("sad", "User cried."), 0), facts={"told": ["m", "", "", "private"]}
    )
    assert found([told, private, *(stored(one, 0) for one in notes())]) == [
        (["n1", "n2", "n3", "n4"], None)
    ]


def test_episodes_are_left():
    """They have a search of their own; facts of what happened are condensed."""
    episodes = notes(type=MemoryType.EPISODIC, provenance={"stretch": "t", "turn_ids": ("t",)})
    told = [stored(one, 0) for one in episodes]
    assert found(told) == []
    facts = notes(type=MemoryType.EPISODIC, provenance={"quote": "violin"})
    assert len(found([stored(one, 0) for one in facts])) == 1


def test_what_others_said_is_a_topic_of_its_own():
    """It never stands in one text with the user's own words."""
    own = [stored(one, 0) for one in notes()]
    heard = [
        stored(item(f"a{n}", text, provenance={"source": Source.IMPORTED}), 0)
        for n, text in enumerate(CHEESE[:4])
    ]
    assert sorted(found([*own, *heard])) == [
        (["a0", "a1", "a2", "a3"], None),
        (["n1", "n2", "n3", "n4"], None),
    ]


def test_no_two_scopes():
    """Whoever passes memories of two scopes has made a mistake."""
    foreign = stored(item("b", "User sings.", scope=Scope(tenant="local", user_id="bob")), 0)
    with pytest.raises(ValueError, match="one scope"):
        found([foreign, *(stored(one, 0) for one in notes())])


def test_without_thresholds_there_are_no_topics():
    """A cosine of an embedder of which nothing is known tells nothing."""
    assert found([stored(one, 0) for one in notes()], space=TopicSpace(SAFE)) == []


def test_a_summary_is_extended_by_what_came_later():
    """What it cites is not condensed again; a full one is left alone, and makes room for another."""
    summary = stored(
        item("s", "User plays the violin. User owns a violin.", provenance={"cites": ("n1", "n2")}),
        0,
    )
    later = [stored(one, 0) for one in notes()]
    assert found([summary, *later]) == [(["n3", "n4"], "s")]
    assert found([summary, *later], SummaryOptions(max_sources=2)) == []
    assert is_summary(summary.item)
    assert not is_summary(replace(summary.item, type=MemoryType.REFLECTIVE))


def test_what_somebody_else_works_on_is_left():
    """The duplicates of the same run, for example."""
    assert found([stored(one, 0) for one in notes()], leave={"n2"}) == []


def test_young_memories_wait():
    """A topic that is being talked about is not condensed."""
    items = [stored(one, 0) for one in notes()]
    young = DAY + timedelta(days=OPTIONS.min_age_days)
    assert topics(items, OPTIONS, SPACE, young) == []


def test_of_very_many_memories_each_run_compares_others(monkeypatch):
    """Nothing is quadratic in a store, and no part of it is never looked at."""
    monkeypatch.setattr(module, "MAX_POOL", 8)
    items = [
        stored(item(f"c{n:02}", CHEESE[n % 7], at=DAY + timedelta(hours=n)), n // 8)
        for n in range(32)
    ]
    runs = [found(items, turn=str(number)) for number in range(40)]
    assert runs[0] == found(items, turn="0")
    assert all(sum(len(ids) for ids, _ in run) <= 8 for run in runs)
    assert len({name for run in runs for ids, _ in run for name in ids}) > 24


TRIP = (
    "User planned a trip to Japan for March.", "User will stay in Kyoto for five nights.",
    "User booked the flight to Osaka with ANA.", "User wants to see the deer in Nara.",
    "User bought a Japan rail pass for two weeks.",
)  # fmt: skip
HOBBY = (
    "User started bouldering in January.", "User climbs at the Boulderwelt gym on Tuesdays.",
    "User bought new climbing shoes by Scarpa.", "User sent a first 6b route last week.",
    "User wants to climb outdoors in Ceuse.",
)  # fmt: skip
OTHERS = (
    "User's landlord is called Mr Novak.", "User loves jazz.", "User drives a red Volvo.",
    "User plays the oboe.", "User has to file a tax return by July.",
)  # fmt: skip


async def test_what_was_told_of_one_trip_or_one_hobby_is_a_topic():
    """Of five sentences at least four; what has nothing in common is none."""
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR))
    space = TopicSpace.of(embedder.id, embedder.dim, calibration_for(embedder.id, dim=embedder.dim))

    async def sizes(texts):
        vectors = await embedder.embed(texts)
        memories = [StoredMemory(item(str(n), text), vectors[n]) for n, text in enumerate(texts)]
        return [len(ids) for ids, _ in found(memories, space=space)]

    assert [await sizes(texts) for texts in (TRIP, HOBBY, OTHERS)] == [[5], [4], []]
    await embedder.close()
