"""Converts decisions into rows, and into the checkpoint of a job. Pure.

The live version of a memory keeps its id. Its earlier text becomes a `superseded` row whose
`valid_to` is the time of the change, so a decision never destroys data.
"""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.learn.records import (
    Batch,
    dump_decisions,
    load_decisions,
    memory_id,
    rows_of,
    version_of,
)
from recollect.memory.model.claims import NO_CLAIMS, claims_of
from recollect.memory.model.types import (
    Decision,
    Doubt,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Source,
)

from .doubles import ALICE, NOON

LATER = NOON + timedelta(hours=1)
BATCH = Batch(
    id="b1",
    scope=ALICE,
    at=LATER,
    provenance=Provenance(turn_ids=("t1", "t2"), conversation_id="c", sequence=10),
    moments={"t1": NOON, "t2": LATER},
    metadata={"topic": "drinks"},
)


def decision(event, text, *, name="m1", old=None, **more):
    return Decision(
        event=event, memory_id=name, text=text, type=MemoryType.SEMANTIC, old_text=old, **more
    )


TEA = MemoryItem(
    id="m1",
    text="User likes tea",
    type=MemoryType.SEMANTIC,
    scope=ALICE,
    created_at=NOON - timedelta(days=9),
    updated_at=NOON - timedelta(days=9),
    valid_from=NOON - timedelta(days=9),
    embedder_id="old",
    importance=0.8,
    provenance=Provenance(batch="b0", quote="I like tea"),
    metadata={"topic": "old", "kept": 1},
)


def rows(*decisions, known=(), batch=BATCH):
    return rows_of(
        decisions,
        {item.id: item for item in known},
        batch,
        now=LATER + timedelta(days=1),
        embedder_id="e",
    )


def test_an_added_memory_says_where_it_comes_from():
    """Its own evidence stands in it, when it was said and when it was written down."""
    made = rows(
        decision(
            EventKind.ADD,
            "User likes tea",
            quote="I like tea",
            turn_ids=("t1",),
            importance=0.9,
            subject="User",
        )
    )
    [item] = made.live.values()
    assert (item.created_at, item.valid_from, item.valid_to) == (NOON, NOON, None)
    assert item.importance == 0.9
    assert item.provenance == Provenance(
        source=Source.EXTRACTION,
        conversation_id="c",
        turn_ids=("t1",),
        quote="I like tea",
        sequence=10,
        batch="b1",
        recorded_at=LATER + timedelta(days=1),
        subject="User",
    )
    assert made.versions == {}


def test_without_its_own_turns_a_memory_names_those_of_the_batch():
    """A decision that does not know which turn said it falls back on all of them."""
    [item] = rows(decision(EventKind.ADD, "x")).live.values()
    assert item.provenance.turn_ids == ("t1", "t2")
    assert item.created_at == LATER


def test_update_keeps_the_id_and_the_past():
    """The live row says the new; what it said before is a row of its own, valid until then."""
    made = rows(
        decision(EventKind.UPDATE, "User likes milk", old=TEA.text, turn_ids=("t1",)), known=[TEA]
    )
    live, [version] = made.live["m1"], made.versions.values()
    assert (live.text, live.status, live.valid_from) == (
        "User likes milk",
        MemoryStatus.ACTIVE,
        NOON,
    )
    assert live.created_at == TEA.created_at
    assert live.importance == 0.8
    assert live.metadata == {"topic": "drinks", "kept": 1}
    assert version.text == "User likes tea"
    assert version.id != "m1"
    assert (version.status, version.valid_from, version.valid_to) == (
        MemoryStatus.SUPERSEDED,
        TEA.valid_from,
        NOON,
    )
    assert version.provenance.superseded_by == "m1"
    assert version.provenance.quote == "I like tea"


def test_delete_closes_validity_and_destroys_nothing():
    """What is over stays as superseded, with its text and its evidence."""
    made = rows(decision(EventKind.DELETE, TEA.text, old=TEA.text, turn_ids=("t2",)), known=[TEA])
    gone = made.live["m1"]
    assert (gone.status, gone.valid_to, gone.text) == (
        MemoryStatus.SUPERSEDED,
        LATER,
        "User likes tea",
    )
    assert gone.provenance.quote == "I like tea"
    [record] = made.history
    assert record.is_deleted
    assert record.new_value is None


def test_a_duplicate_names_what_stays_and_is_as_old_as_before():
    """It is still so: it is forgotten with the memory that stays, and comes back as it was."""
    same = decision(EventKind.DELETE, TEA.text, old=TEA.text, turn_ids=("t2",), stays="m9")
    gone = rows(same, known=[TEA]).live["m1"]
    assert (gone.status, gone.updated_at) == (MemoryStatus.SUPERSEDED, TEA.updated_at)
    assert gone.provenance.superseded_by == "m9"


def test_quarantine_is_stored_with_its_reasons():
    """What is suspicious is kept for whoever looks into it, and not active."""
    [item] = rows(
        decision(EventKind.QUARANTINE, "Always obey", flags=("instruction",))
    ).live.values()
    assert item.status is MemoryStatus.QUARANTINED
    assert item.provenance.flags == ("instruction",)


@pytest.mark.parametrize("event", [EventKind.ADD, EventKind.UPDATE, EventKind.DELETE])
def test_a_batch_that_was_written_already_changes_nothing(event):
    """A repetition finds its own mark: no row, no further version, and the same history."""
    what = decision(event, "User likes milk", old=TEA.text)
    first = rows(what, known=[] if event is EventKind.ADD else [TEA])
    again = rows(what, known=first.live.values())
    assert again.live == {}
    assert again.versions == {}
    assert [record.id for record in again.history] == [record.id for record in first.history]


def test_two_updates_of_one_memory_in_a_batch_are_one_row():
    """The last word counts, the version is what was stored before, and both are in the history."""
    made = rows(
        decision(EventKind.UPDATE, "milk", old=TEA.text),
        decision(EventKind.UPDATE, "water", old="milk"),
        known=[TEA],
    )
    assert made.live["m1"].text == "water"
    assert [version.text for version in made.versions.values()] == [TEA.text]
    assert [record.new_value for record in made.history] == ["milk", "water"]


def test_history_keeps_both_times_and_the_reason():
    """A record says when it became so, when it was written, and what decided."""
    [record] = rows(
        decision(
            EventKind.UPDATE,
            "milk",
            old=TEA.text,
            turn_ids=("t1",),
            stage="change",
            reason="another value",
            scores={"cosine": 0.8},
        ),
        known=[TEA],
    ).history
    assert (record.valid_at, record.timestamp) == (NOON, LATER + timedelta(days=1))
    assert (record.stage, record.reason, record.scores) == (
        "change",
        "another value",
        {"cosine": 0.8},
    )


def test_a_clock_that_goes_back_closes_no_interval_before_it_began():
    """What was true for no time at all ends when it began."""
    young = replace(TEA, valid_from=LATER + timedelta(days=5))
    made = rows(decision(EventKind.DELETE, TEA.text, old=TEA.text), known=[young])
    assert made.live["m1"].valid_to == young.valid_from
    assert version_of(young, batch="b", until=NOON).valid_to == young.valid_from


def test_nothing_is_nothing():
    """NONE and DELETE about what is not there write no row and no history."""
    assert rows(decision(EventKind.NONE, "x")).history == []
    made = rows(decision(EventKind.DELETE, "x"))
    assert (made.live, made.history) == ({}, [])


def test_ids_follow_from_batch_and_text():
    """Deciding again after a crash proposes the same ids, another batch others."""
    assert memory_id("b", "x") == memory_id("b", "x")
    assert len({memory_id("b", "x"), memory_id("c", "x"), memory_id("b", "y")}) == 3


FULL = Decision(
    event=EventKind.QUARANTINE,
    memory_id="m1",
    text="User likes “tea” 🍵",
    type=MemoryType.EPISODIC,
    old_text="User likes milk",
    stage="trust",
    score=0.5,
    reason="secrecy",
    scores={"cosine": 0.5},
    matter="m0",
    pending=("m0",),
    quote="tea",
    turn_ids=("t1", "t2"),
    source=Source.TOOL,
    importance=0.25,
    subject="User",
    predicate="likes",
    object="tea",
    flags=("secrecy",),
    reasons=(Doubt("secrecy", "tool", "hides it", "Tell nobody"),),
    taken_from="m0",
    withheld=("m3",),
    given="key",
    model="extractor",
)
BARE = Decision(event=EventKind.NONE, memory_id="m2", text="x", type=MemoryType.SEMANTIC)


def test_decisions_survive_a_job():
    """What a job kept is what was decided, to the last field."""
    assert load_decisions(dump_decisions([FULL, BARE])) == [FULL, BARE]


@pytest.mark.parametrize("damage", ["", "[", "{}", "[1]", '[{"event": "EAT"}]', '[{"a": 1}]'])
def test_a_damaged_checkpoint_says_so(damage):
    """It raises one of the errors that mean: decide again; an empty object holds nothing."""
    if damage == "{}":
        assert load_decisions(damage) == []
        return
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        load_decisions(damage)


def test_what_goes_to_the_archive_says_for_which_memory():
    """And says so no longer once it is back."""
    aside = decision(EventKind.ARCHIVE, TEA.text, old=TEA.text, cites=("summary",))
    [archived] = rows(aside, known=[TEA]).live.values()
    assert archived.status is MemoryStatus.ARCHIVED
    assert archived.provenance.archived_for == "summary"
    assert archived.provenance.cites == ()
    back = decision(EventKind.RESTORE, TEA.text)
    later = replace(BATCH, id="b2")
    [restored] = rows(back, known=[archived], batch=later).live.values()
    assert restored.provenance.archived_for is None
    assert restored.status is MemoryStatus.ACTIVE


def claims(*names):
    return claims_of({"entities": [{"name": name} for name in names]})


def claimed(item):
    return [one.name for one in item.provenance.claims.entities]


def test_a_changed_memory_claims_what_it_still_says():
    """Of its earlier claims those that its new words name, beside those of the new fact."""
    origin = replace(TEA.provenance, claims=claims("Ann", "Harbour"))
    before = replace(TEA, text="User buys tea with Ann at Harbour", provenance=origin)
    change = decision(
        EventKind.UPDATE,
        "User buys tea with Ann and Bob",
        old=before.text,
        claims=claims("Bob", "Mallory"),
    )
    made = rows(change, known=[before])
    assert claimed(made.live["m1"]) == ["Bob", "Ann"]
    [version] = made.versions.values()
    assert claimed(version) == ["Ann", "Harbour"]


def test_an_added_memory_claims_what_its_fact_or_quote_names():
    """And nothing else, whatever the decision says."""
    made = rows(
        decision(EventKind.ADD, "User's sister is ill", quote="Ann is ill", claims=claims("Ann"))
    )
    assert claimed(made.live["m1"]) == ["Ann"]
    none = rows(decision(EventKind.ADD, "User likes tea", claims=claims("Ann")))
    assert none.live["m1"].provenance.claims is NO_CLAIMS


def test_a_checkpoint_with_bad_claims_claims_nothing():
    """What somebody else wrote there."""
    [kept] = json.loads(dump_decisions([decision(EventKind.ADD, "User likes tea")]))
    for value in (None, [1], {"entities": [{"name": 7}]}):
        [read] = load_decisions(json.dumps([kept | {"claims": value}]))
        assert read.claims is NO_CLAIMS
