from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import MemoryStatus, MemoryType, Source
from recollect.memory.upkeep.consolidate import topics as module
from recollect.memory.upkeep.consolidate.topics import MAX_CHARS, is_summary, topics
from tests.support.folding import rows

from .notes import DAY, NOW, SPACE, item, notes, stored

CHEESE = tuple(f"User made cheese number {n} with raw milk in the cellar." for n in range(1, 8))


def found(items, **changes):
    made = topics(items, changes.pop("space", SPACE), NOW, **changes)
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


def test_a_topic_is_bounded(monkeypatch):
    """Of more memories than one summary takes, the rest is another topic if it is large enough."""
    items = [stored(item(f"c{n:02}", CHEESE[n % 7]), 0) for n in range(17)]
    monkeypatch.setattr(module, "MAX_SOURCES", 6)
    sizes = [len(ids) for ids, _ in found(items)]
    assert sizes == [6, 6, 5]
    assert len({name for ids, _ in found(items) for name in ids}) == 17


@rows(
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


def test_a_summary_is_extended_by_what_came_later(monkeypatch):
    """What it cites is not condensed again; a full one is left alone, and makes room for another."""
    summary = stored(
        item("s", "User plays the violin. User owns a violin.", provenance={"cites": ("n1", "n2")}),
        0,
    )
    later = [stored(one, 0) for one in notes()]
    assert found([summary, *later]) == [(["n3", "n4"], "s")]
    assert is_summary(summary.item)
    assert not is_summary(replace(summary.item, type=MemoryType.REFLECTIVE))
    monkeypatch.setattr(module, "MAX_SOURCES", 2)
    assert found([summary, *later]) == []


def test_what_somebody_else_works_on_is_left():
    """The duplicates of the same run, for example."""
    assert found([stored(one, 0) for one in notes()], leave={"n2"}) == []


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
