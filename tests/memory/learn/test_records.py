"""Converts decisions into rows, and into the checkpoint of a job. Pure.

The live version of a memory keeps its id. Its earlier text becomes a `superseded` row whose
`valid_to` is the time of the change, so a decision never destroys data.
"""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.learn.records import Batch, rows_of
from recollect.memory.model.claims import NO_CLAIMS, claims_of
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryType,
    Provenance,
)

from .doubles import ALICE, NOON, a_memory

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


TEA = a_memory(
    "m1",
    "User likes tea",
    ALICE,
    NOON - timedelta(days=9),
    valid_from=NOON - timedelta(days=9),
    embedder_id="old",
    importance=0.8,
    provenance=Provenance(batch="b0", quote="I like tea"),
    metadata={"topic": "old", "kept": 1},
)


def written(*decisions, known=(), batch=BATCH):
    return rows_of(
        decisions,
        {item.id: item for item in known},
        batch,
        now=LATER + timedelta(days=1),
        embedder_id="e",
    )


def test_history_keeps_both_times_and_the_reason():
    """A record says when it became so, when it was written, and what decided."""
    [record] = written(
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
    made = written(change, known=[before])
    assert claimed(made.live["m1"]) == ["Bob", "Ann"]
    [version] = made.versions.values()
    assert claimed(version) == ["Ann", "Harbour"]


def test_a_changed_memory_is_put_off_for_the_same_questions():
    """Learning another value says nothing of what it is wanted for; a new memory has none."""
    origin = replace(TEA.provenance, put_off=("f 0 AAAA e",))
    change = decision(EventKind.UPDATE, "User likes green tea", old=TEA.text)
    new = decision(EventKind.ADD, "User likes milk", name="m2")
    made = written(change, new, known=[replace(TEA, provenance=origin)])
    assert made.live["m1"].provenance.put_off == origin.put_off
    assert made.live["m2"].provenance.put_off == ()


def test_an_added_memory_claims_what_its_fact_or_quote_names():
    """And nothing else, whatever the decision says."""
    made = written(
        decision(EventKind.ADD, "User's sister is ill", quote="Ann is ill", claims=claims("Ann"))
    )
    assert claimed(made.live["m1"]) == ["Ann"]
    none = written(decision(EventKind.ADD, "User likes tea", claims=claims("Ann")))
    assert none.live["m1"].provenance.claims is NO_CLAIMS
