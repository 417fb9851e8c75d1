"""What a message is shown of what was found."""

from dataclasses import replace

import numpy as np

from recollect.memory.recall import RecallOptions, Shown
from recollect.memory.recall.beside import Beside
from recollect.memory.recall.choosing import NO_WISH, choose
from recollect.memory.recall.finding import FoundLines
from recollect.memory.recall.rank import Ranking
from recollect.memory.recall.select import Drop
from recollect.memory.recall.standing import Standing
from tests.memory.recall.memories import hit, signals_of


def found_of(*hits, **parts):
    ranking = Ranking(
        ranked=hits, seen=len(hits), evidence=1.0, same=lambda one, other: False,
        personal=True, terms=frozenset(), signals=signals_of(),
        scores=np.zeros(1),
    )  # fmt: skip
    return FoundLines(ranking, **parts)


def chosen(found, visible=frozenset(), **options):
    selection = choose(
        found, RecallOptions(**options), reserve_tokens=0, visible=visible,
        show=lambda item: Shown("", item.text), count_tokens=lambda _: 1,
    )  # fmt: skip
    return [one.item.id for one in selection.chosen], [
        (one.item.id, why) for one, why in selection.dropped
    ]


def test_the_newest_comes_before_the_older():
    """Whatever the budget is, the older statement is never alone."""
    found = found_of(hit("Berlin", 0.9), beside=Beside({"Berlin": (hit("Lyon", 0.0),)}))
    assert chosen(found)[0] == ["Lyon", "Berlin"]
    assert chosen(found, limit=1) == (["Lyon"], [("Berlin", Drop.LIMIT)])


def test_the_fill_comes_last_and_never_alone():
    """It takes what is left of the budget, beside what answers."""
    fill = Beside(fill=(hit("new", 0.0), hit("answer", 0.0)))
    assert chosen(found_of(hit("answer", 0.9), beside=fill))[0] == ["answer", "new"]
    assert chosen(found_of(hit("far", 0.9, relevant=False), beside=fill))[0] == []


def test_what_is_private_must_be_evidence_itself():
    """Else it is left out, also of what would stand beside it."""
    told = found_of(hit("debts", 0.9), hit("dog", 0.8), private=frozenset({"debts"}))
    assert chosen(told) == (["dog"], [("debts", Drop.PRIVATE)])
    beside = Beside({"dog": (replace(hit("debts", 0.0), role="fill"),)})
    near = found_of(hit("dog", 0.8), beside=beside, private=frozenset({"debts"}))
    assert chosen(near)[0] == ["debts", "dog"]


def test_what_was_contradicted_is_not_shown():
    """Neither for its score nor for its role."""
    stands = Standing((hit("wish", 0.0),))
    found = found_of(hit("a", 0.9), standing=stands, contradicted=frozenset({"a", "wish"}))
    assert chosen(found) == ([], [("a", Drop.CONTRADICTED)])


def test_what_the_conversation_says_itself_is_not_told_again():
    """If all of it is said there."""
    told = hit("a", 0.9)
    said = replace(told.item, provenance=replace(told.item.provenance, turn_ids=("1", "2")))
    found = found_of(replace(told, item=said))
    assert chosen(found, visible=frozenset({"1", "2"})) == ([], [("a", Drop.VISIBLE)])
    assert chosen(found, visible=frozenset({"1"}))[0] == ["a"]


def test_what_is_unsafe_is_shown_in_no_chat():
    """However well it matches, and whatever its role is."""
    told = found_of(hit("leak", 0.9), hit("dog", 0.8), unsafe=frozenset({"leak"}))
    assert chosen(told) == (["dog"], [("leak", Drop.UNSAFE)])


def test_an_instruction_that_nobody_validated_is_marked():
    """Whoever reads it is told that it is no wish."""
    found = found_of(hit("obey", 0.9), hit("dog", 0.8), unfit=frozenset({"obey"}))
    selection = choose(
        found, RecallOptions(), reserve_tokens=0, visible=frozenset(),
        show=lambda item: Shown("", item.text), count_tokens=lambda _: 1,
    )  # fmt: skip
    flags = {one.item.id: one.item.provenance.flags for one in selection.chosen}
    assert flags == {"obey": (NO_WISH,), "dog": ()}
