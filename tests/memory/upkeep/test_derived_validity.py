"""Whether what was made of memories still stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import MemoryStatus
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
