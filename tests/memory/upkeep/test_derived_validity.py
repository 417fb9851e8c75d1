"""Whether what was made of memories still stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import EventKind, MemoryStatus
from recollect.memory.upkeep import derived_validity
from tests.memory.forget.parts import NOON
from tests.support.folding import rows

from .made import aside, derived, ended, fact

LATER = NOON + timedelta(hours=1)
EARLIER = NOON - timedelta(hours=1)


@rows(
    "item, holds",
    [
        (fact("a", "tea"), True),
        (aside("a", "tea", "sum"), True),
        (fact("a", "tea", status=MemoryStatus.QUARANTINED), False),
        (ended(fact("a", "tea"), "ask: a model: no longer so"), False),
        (ended(fact("a", "tea"), "duplicate: says the same as another"), True),
        (fact("a", "tea", version_of="b"), False),
    ],
)
def test_what_holds(item, holds):
    """The archive and a merge say nothing against a fact; an end and a doubt do."""
    assert derived_validity.holds(item) is holds


def test_what_ends_gives_back_what_it_stood_for():
    """And nothing that another one stands for, or that retention archived."""
    mine, other = aside("a", "tea", "d"), aside("b", "cat", "e")
    made = derived_validity.withdrawn(derived("d", "a", "b"), [mine, other, fact("c", "dog")])
    assert [(one.event, one.memory_id) for one in made] == [
        (EventKind.DELETE, "d"),
        (EventKind.RESTORE, "a"),
    ]
    assert {one.stage for one in made} == {derived_validity.STAGE}


@rows(
    "why, lost_support, releases_archive",
    [
        ("falls: what it stands on does not hold", True, True),
        ("ask: a model: replaces what is known", False, True),
        ("change: left for another place", False, True),
        ("person: not so", False, False),
        ("undo: somebody took the run back", False, False),
        ("duplicate: says the same", False, False),
    ],
)
def test_how_it_ended_tells_what_follows(why, lost_support, releases_archive):
    """Only its own fall is taken back; a person's word and an undo are left as they are."""
    item = ended(derived("d", "a", "b"), why)
    assert (derived_validity.lost_support(item), derived_validity.releases_archive(item)) == (
        lost_support,
        releases_archive,
    )
    version = replace(item, provenance=replace(item.provenance, superseded_by="x"))
    assert not derived_validity.lost_support(version)
    assert not derived_validity.releases_archive(version)


def test_the_history_is_read_only_if_a_row_was_written_since():
    """Nearly every look needs no more than the rows."""
    insight = derived("d", "a", "b")
    assert derived_validity.may_be_reworded(insight, [])
    known = replace(insight, provenance=replace(insight.provenance, recorded_at=NOON))
    old, new = fact("a", "tea"), fact("b", "cat")
    old = replace(old, provenance=replace(old.provenance, recorded_at=EARLIER))
    new = replace(new, provenance=replace(new.provenance, recorded_at=LATER))
    assert not derived_validity.may_be_reworded(known, [old])
    assert derived_validity.may_be_reworded(known, [old, new])
    assert derived_validity.may_be_reworded(ended(known, "falls: x"), [old])
