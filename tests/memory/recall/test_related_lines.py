"""What a message is shown beside what answers it, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    Provenance,
    Source,
    StoredMemory,
)
from recollect.memory.recall.derived_hits import behind_evidence
from recollect.memory.recall.index.entry import ASKED
from recollect.memory.recall.related_lines import (
    BEST,
    MOST_SHOWN,
    NEAREST,
    RelatedLines,
    later,
    related_lines,
    with_earlier_versions,
)
from recollect.memory.recall.trait_flags import (
    READ,
    TELLS,
    is_procedure,
    trait_flags,
)
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, hit, index_of, item, stored
from tests.memory.recall.test_profile import index_of as profile_index
from tests.memory.recall.test_ranking import CALIBRATION, ranking
from tests.memory.recall.test_recaller import filled, recaller, texts
from tests.memory.upkeep.made import derived, fact


def names(index, positions):
    return [index.entries[at].item.id for at in positions]


def after(index, position=0, *, least=0.5, most=NEAREST):
    every = np.ones(len(index.entries), bool)
    near = index.vectors.alike(position, 0, len(index.vectors))
    return names(index, later(index, position, near, every, least=least, most=most))


def test_only_what_was_said_later():
    """Nothing is newer than the newest, and what was said at the same time is not newer."""
    index = index_of(
        stored("old", degrees=0, minutes=1),
        stored("first", degrees=0, minutes=0),
        stored("twin", degrees=0, minutes=1),
        stored("new", degrees=0, minutes=2),
    )
    assert after(index) == ["new"]
    assert after(index, 3) == []


def test_the_newest_of_a_group_is_first_however_far():
    """It is known to be of the same matter; the older ones of the group are left out."""

    def grouped(text, *, degrees, minutes):
        made = item(text, minutes=minutes)
        of_home = replace(made.provenance, matter="home")
        return StoredMemory(replace(made, provenance=of_home), angle(degrees))

    index = index_of(
        grouped("Berlin", degrees=0, minutes=0),
        grouped("Rome", degrees=0, minutes=1),
        grouped("Lyon", degrees=90, minutes=2),
        stored("near", degrees=5, minutes=3),
    )
    assert after(index) == ["Lyon", "near"]


def test_what_the_query_may_not_see_is_not_newer():
    """Not even as the newest of a group."""
    index = index_of(stored("old", degrees=0), stored("theirs", degrees=0, minutes=1))
    seen = np.array([True, False])
    assert later(index, 0, index.vectors.alike(0, 0, len(index.vectors)), seen, least=0.0) == []


MINE = "What do I have?"


def found(index, query=MINE):
    return related_lines(
        index,
        ranking(index, query, threshold=0),
        CALIBRATION,
        lambda ats: tuple(hit(index.entries[at].item.id, 0.0, position=at) for at in ats),
    )


def names_beside(hits):
    return [one.item.id for one in hits]


def test_a_later_statement_that_is_near_comes_with_the_earlier_one():
    """And nothing that was said before it, or is far from it."""
    index = index_of(
        stored("Berlin", degrees=10, minutes=1),
        stored("before", degrees=10, minutes=0),
        stored("Lyon", degrees=20, minutes=2),
        stored("far", degrees=100, minutes=3),
    )
    assert names_beside(found(index).later["Berlin"]) == ["Lyon"]


def test_only_the_best_are_asked_for_what_is_later():
    """However many memories bear on the message."""
    index = index_of(*[stored(f"m{n}", degrees=n % 60, minutes=n) for n in range(4 * BEST)])
    best = ranking(index, MINE, threshold=0).ranked[:BEST]
    assert set(found(index).later) == {one.item.id for one in best}


def test_a_question_says_nothing_newer():
    """It stands beside nothing, and nothing beside it."""
    ask = replace(item("Lyon?", minutes=2), provenance=Provenance(flags=(ASKED,)))
    index = index_of(
        stored("Berlin", degrees=10, minutes=1), StoredMemory(ask, angle(20)),
        stored("Turin", degrees=20, minutes=3),
    )  # fmt: skip
    assert {name: names_beside(hits) for name, hits in found(index).later.items() if hits} == {
        "Berlin": ["Turin"]
    }


def once(text, *, minutes=0, **origin):
    made = item(text, minutes=minutes, status=MemoryStatus.SUPERSEDED)
    return replace(made, provenance=replace(made.provenance, **origin))


def shown(hits, earlier):
    found = with_earlier_versions(RelatedLines(), hits, earlier)
    return {name: [one.item.id for one in lines] for name, lines in found.later.items()}


def test_a_version_is_found_by_its_matter_and_by_its_successor():
    """Newest first, and none of another matter."""
    versions = [
        once("Berlin", minutes=1, matter="Lyon"),
        once("Rome", minutes=2, superseded_by="Lyon"),
        once("tea", matter="coffee"),
    ]
    assert shown([hit("Lyon", 1.0), hit("dog", 0.5)], versions) == {"Lyon": ["Rome", "Berlin"]}


def test_only_beside_what_answers():
    """And each version once."""
    versions = [once("Berlin", matter="home")]
    assert shown([hit("home", 1.0, relevant=False)], versions) == {}
    grouped = [
        one._replace(item=replace(one.item, provenance=versions[0].provenance))
        for one in (hit("Lyon", 1.0), hit("Paris", 0.9))
    ]
    assert shown(grouped, versions) == {"Lyon": ["Berlin"]}


def test_a_thousand_changes_are_not_the_answer():
    """The last few are."""
    versions = [once(str(n), minutes=n, matter="home") for n in range(1000)]
    assert len(shown([hit("home", 1.0)], versions)["home"]) == MOST_SHOWN


def test_a_line_is_of_the_time_when_it_became_true():
    """A deleted memory's row has the time of its end."""
    ended = replace(once("Berlin", matter="home"), valid_from=NOON - timedelta(days=9))
    [line] = with_earlier_versions(RelatedLines(), [hit("home", 1.0)], [ended]).later["home"]
    assert line.item.updated_at == NOON - timedelta(days=9)
    assert line.role == "earlier"


async def test_a_question_about_a_change_reaches_what_was_before():
    """The whole chain of a matter, with each end; any other question gets the newest alone."""
    homes = [
        item("User lived in Rome", minutes=1, status=MemoryStatus.SUPERSEDED),
        item("User lived in Berlin", minutes=2, status=MemoryStatus.SUPERSEDED),
        item("User lived in Lyon", minutes=3),
    ]
    homes = [
        replace(home, provenance=replace(home.provenance, matter="User lived in Rome"))
        for home in homes
    ]
    found = recaller(await filled(*homes))
    await found.prepare()
    asked = texts(await found.recall(ALICE, "Where did I live before?"))
    assert sorted(asked) == sorted(home.text for home in homes)
    assert texts(await found.recall(ALICE, "Where do I live?")) == ["User lived in Lyon"]


@dataclass(frozen=True)
class Hit:
    """A place in a ranking."""

    item: MemoryItem


def order(*items):
    return [hit.item.id for hit in behind_evidence([Hit(item) for item in items])]


def test_a_conclusion_moves_behind_the_last_that_it_cites():
    """And those behind it keep their order; what is not among the hits does not count."""
    tea, cat, dog = fact("a", "tea"), fact("b", "cat"), fact("c", "dog")
    assert order(derived("d", "a", "b", "x"), tea, dog, cat) == ["a", "c", "b", "d"]
    assert order(tea, derived("d", "a"), cat) == ["a", "d", "b"]
    assert order(derived("d", "x"), tea) == ["d", "a"]


@given(st.lists(st.lists(st.integers(0, 9), max_size=3), max_size=10))
def test_any_ranking(cites):
    """Each hit is there once, and nothing that cites only earlier rows stands above them."""
    rows = [derived(str(n), *(str(c) for c in some if c < n)) for n, some in enumerate(cites)]
    rows.reverse()
    found = order(*rows)
    assert sorted(found) == sorted(row.id for row in rows)
    for row in rows:
        for cited in row.provenance.cites:
            assert found.index(cited) < found.index(row.id)


ALLERGY = "User is allergic to peanuts"


def noted(index, prototypes=None):
    return trait_flags(index, np.arange(len(index.entries)), prototypes).tolist()


def test_what_others_told_tells_nothing():
    """And how an agent does its task is a procedure that no user said."""
    index = profile_index(ALLERGY, source=Source.TOOL)
    assert noted(index) == [READ]
    assert not is_procedure(index.entries[0].item)


def test_what_a_model_tells_of_turns_or_memories_tells_nothing_until_it_is_validated():
    """An episode, a summary: what they are made of says its own."""
    for made in ({"stretch": "t1"}, {"cites": ("a", "b")}):
        index = profile_index(ALLERGY, source=Source.EXTRACTION, **made)
        assert not noted(index)[0] & TELLS
        index = profile_index(ALLERGY, source=Source.EXTRACTION, validated_at=NOON, **made)
        assert noted(index)[0] & TELLS
