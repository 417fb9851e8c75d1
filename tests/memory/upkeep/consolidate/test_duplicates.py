"""Which of several memories that say the same stays, and what may end."""

from dataclasses import replace

from recollect.memory.model.types import MemoryStatus, MemoryType, Source
from recollect.memory.upkeep.consolidate.duplicates import (
    Compared,
    from_quotes,
    holds_all,
    is_one_time,
    may_end,
    merge_of,
    same_words,
)
from tests.memory.learn.doubles import BOB, NOON
from tests.support.folding import rows

from .items import OWN, TOLD, item

TEA = "User likes tea"


def ended(*items):
    """By id, the memory that each one ends for."""
    return {m.ends.id: m.stays.id for m in same_words(map(Compared.of, items))}


def test_the_users_own_words_stay_before_what_was_extracted_or_heard():
    """Whatever is newer or more important."""
    told = item("told", "User likes tea.", source=TOLD, days=2)
    extracted = item("extracted", TEA, days=1, importance=0.9)
    own = item("own", "I like tea", source=OWN)
    assert ended(told, extracted, own) == {"told": "own", "extracted": "own"}


def test_of_the_same_evidence_the_more_important_then_the_older_stays():
    """As in learning, where what is said again confirms what is known."""
    old, new = item("old", TEA), item("new", TEA, days=1)
    assert ended(old, new) == {"new": "old"}
    assert ended(old, replace(new, importance=0.9)) == {"old": "new"}


A, B = item("a", TEA), item("b", TEA, days=1)


def with_origin(**fields):
    return replace(A, provenance=replace(A.provenance, **fields))


@rows(
    "other",
    [
        replace(A, scope=BOB),
        replace(A, type=MemoryType.PROCEDURAL),
        replace(A, status=MemoryStatus.QUARANTINED),
        replace(A, status=MemoryStatus.ARCHIVED),
        replace(A, metadata={"folder": "x"}),
        replace(A, valid_to=NOON),
        with_origin(subject="Anna"),
        with_origin(validated_at=NOON),
        with_origin(restored_at=NOON),
        with_origin(withheld=("w",)),
        with_origin(taken_from="w"),
        with_origin(cites=("c",)),
        with_origin(source=Source.REFLECTION),
    ],
)
def test_in_doubt_a_memory_does_not_end(other):
    """What another reader could tell apart, what is derived, and what a person dealt with stays."""
    assert not may_end(other, B)
    assert may_end(A, B)


def test_hearsay_never_takes_the_place_of_the_users_word():
    """Not even if a person validated it."""
    told = item("told", TEA, source=TOLD, origin={"validated_at": NOON})
    assert not may_end(A, told)
    assert ended(A, told) == {}


def test_events_are_one_only_if_they_were_on_one_day():
    """A text that names no time may be about another time each time."""
    first, again, later = (
        item(name, "User had a migraine", days=days, type=MemoryType.EPISODIC)
        for name, days in (("a", 0), ("b", 0.1), ("c", 15))
    )
    assert is_one_time(first, again)
    assert not is_one_time(first, later)
    assert ended(first, later) == {}


def facts(*more):
    fact = item(
        "fact", "User is allergic to penicillin", origin={"quote": "penicillin gives me hives"}
    )
    return [Compared.of(one) for one in (fact, *more)]


def test_a_fact_ends_for_the_very_words_it_was_extracted_from():
    """The words are a memory of their own, and nothing else came of them."""
    own = item("own", "Penicillin gives me hives.", source=OWN)
    words = facts(own)
    fact = replace(words[0].item, text="User gets hives from penicillin")
    [merge] = from_quotes([Compared.of(fact), words[1]])
    assert (merge.ends.id, merge.stays.id) == ("fact", "own")


@rows(
    "more",
    [
        [item("own", "Penicillin gives me hives, and cats too.", source=OWN)],
        [item("own", "Penicillin gives me hives.", source=TOLD)],
        [
            item("own", "Penicillin gives me hives.", source=OWN),
            item("other", "User had hives", origin={"quote": "Penicillin gives me hives"}),
        ],
    ],
)
def test_a_fact_stays_beside_words_that_say_more_or_other_things(more):
    """What else was said with it is not told by the fact, and one of two facts is not all."""
    assert from_quotes(facts(*more)) == []


@rows(
    "text, other, held",
    [
        ("User adopted Rex in May 2021", "User adopted a dog in May 2021", True),
        ("User adopted a dog", "User adopted Rex", False),
        ("User has cats", "User has 3 cats", False),
        ("User eats meat", "User does not eat meat", False),
        ("User never eats meat", "User does not eat meat", True),
    ],
)
def test_what_ends_has_no_name_number_or_denial_that_does_not_stay(text, other, held):
    """Whatever a model says of the two."""
    assert holds_all(text, other) is held


def test_of_two_that_mean_the_same_the_one_that_says_less_ends():
    """Even if its evidence is better or it is newer."""
    full = item("full", "User adopted the dog Rex in May 2021")
    short = item("short", "User has a dog since May 2021", days=3)
    assert merge_of(short, full, "r").ends.id == "short"
    other = item("other", "User has the dog Max since May 2021")
    assert merge_of(full, other, "r") is None
