"""Ranks the memories of an index for a query. Pure."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.calibration import SAFE, Calibration
from recollect.memory.model.types import MemoryType, Provenance, Scope, Source
from recollect.memory.model.usage import Usage
from recollect.memory.recall.constants import TUNING
from recollect.memory.recall.hit_evidence import MOST_ASKED
from recollect.memory.recall.index.entry import ASKED, PASTED
from recollect.memory.recall.options import RecallOptions
from recollect.memory.recall.prototypes import MessageMeaning
from recollect.memory.recall.ranking import rank
from recollect.memory.recall.signals import analysed
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, stored
from tests.support.constants import recalling
from tests.support.folding import rows

CALIBRATION = Calibration(recall=0.3, update=1.1, same=0.9, floor=0.2, ceiling=0.7)
ANYTHING = Calibration(recall=-1.0, update=1.1, same=0.9, floor=-1.0, ceiling=1.0)
AGENT = Scope(tenant="local", user_id="alice", agent_id="x")


def ranking(
    index,
    query="q",
    scope=ALICE,
    *,
    most=100,
    calibration=CALIBRATION,
    only=None,
    meant=None,
    **options,
):
    asked = analysed([query], angle(0)[None], index.languages, NOON)
    return rank(
        index,
        scope,
        asked,
        options=recalling(**options),
        calibration=calibration,
        now=NOON,
        most=most,
        only=only,
        meant=meant,
    )


def names(found):
    return [hit.item.id for hit in found.ranked]


def relevant_names(found):
    return {hit.item.id for hit in found.ranked if hit.relevant}


def test_of_equals_the_newer_one_comes_first():
    """What came later into the index, whether or not all of them are wanted."""
    index = index_of(*[stored("tea", id=f"{n}", conversation=f"{n}") for n in range(9)])
    assert names(ranking(index)) == list("876543210")
    assert names(ranking(index, most=9)) == list("876543210")
    assert set(names(ranking(index, most=3))) <= set("876543210")


def test_one_type_alone():
    """Only its memories are compared; what is relevant is near and has a word in common.

    Without thresholds measured for the embedder, words must match clearly too.
    """
    how = MemoryType.PROCEDURAL
    index = index_of(
        stored("q r s t u v", id="near", degrees=20, type=how),
        stored("zebra", id="silent", degrees=20, type=how),
        stored("q", id="words", degrees=85, type=how),
        stored("q", id="other", degrees=0),
    )
    found = ranking(index, only=how)
    assert (set(names(found)), found.seen) == ({"near", "silent", "words"}, 3)
    assert relevant_names(found) == {"near"}
    assert relevant_names(ranking(index)) >= {"near", "other"}
    assert relevant_names(ranking(index, only=how, calibration=SAFE)) == {"near"}


def test_the_neighbours_of_a_hit_are_not_relevant():
    """However high they score for what was said beside them: they come after all that is."""
    hit_beside = [
        stored("we drank green tea", degrees=0, minutes=0),
        stored("that was nice of him", degrees=90, minutes=1),
    ]
    far_away = stored("it is about green tea", degrees=20, minutes=9000)
    weights = {**TUNING.weights, "dense": 0, "lexical": 0.1, "topic": 10, "dense_context": 10}
    found = ranking(index_of(*hit_beside, far_away), "my green tea", weights=weights)
    scores = {hit.item.id: hit.score for hit in found.ranked}
    assert max(scores, key=scores.get) == "that was nice of him"
    assert names(found)[-1] == "that was nice of him"
    assert relevant_names(found) == {"we drank green tea", "it is about green tea"}


def test_weak_evidence_recalls_nothing():
    """Something is always nearest: the best must be evidence that the answer is stored at all."""
    far, near = (ranking(index_of(stored("tea", degrees=d)), "my q") for d in (85, 30))
    assert not relevant_names(far)
    assert far.evidence < RecallOptions().threshold < near.evidence
    assert relevant_names(near) == {"tea"}
    free = ranking(index_of(stored("tea", degrees=85)), "my q", threshold=0.0)
    assert relevant_names(free) == {"tea"}


def test_a_query_about_nobody_needs_more():
    """The same memory is recalled for a message that speaks of the user."""
    index = index_of(stored("tea", degrees=66), *(stored(f"x{n}", degrees=90) for n in range(9)))
    assert ranking(index, "q").evidence < ranking(index, "my q").evidence


def test_what_asks_for_what_everybody_knows_is_not_personal_for_its_words():
    """As "How do I say thanks?" does; what means the user's own is personal without words."""
    index = index_of(stored("tea", degrees=66), *(stored(f"x{n}", degrees=90) for n in range(9)))
    said = [
        ranking(index, "my q", meant=MessageMeaning(anybodys=anybodys)).personal
        for anybodys in (True, False)
    ]
    assert said == [False, True]
    assert ranking(index, "q", meant=MessageMeaning(personal=True)).personal


def test_what_is_far_behind_the_best_is_not_recalled_beside_it():
    """Though alone it would be: who has the answer needs no guess."""
    guess, answer = stored("guess", degrees=62), stored("my green tea", degrees=0)
    assert relevant_names(ranking(index_of(guess), "my green tea")) == {"guess"}
    assert relevant_names(ranking(index_of(guess, answer), "my green tea")) == {"my green tea"}
    free = ranking(index_of(guess, answer), "my green tea", threshold=0)
    assert relevant_names(free) == {"guess", "my green tea"}


def test_a_hit_is_never_surer_than_a_better_one():
    """By the order of the scores, which other things move too."""
    index = index_of(*(stored(f"m{n}", degrees=n % 90, minutes=-9000 * n) for n in range(40)))
    found = ranking(index, "my q", recency=0.5)
    right = [hit.right for hit in found.ranked]
    assert right == sorted(right, reverse=True)
    assert all(hit.right <= hit.evidence for hit in found.ranked)
    assert found.ranked[0].right == found.ranked[0].evidence


class Told:
    """A background that gives all memories the same nearness and theme."""

    def __init__(self, question, line, theme):
        self._told = question, line, theme

    def of_lines(self, lines):
        return np.zeros((len(lines), 1), np.float32)

    def nearness(self, asked, lines, known):
        assert asked.shape[1] == lines.shape[1]
        assert len(lines) == len(known)
        return tuple(np.full(len(lines), told) for told in self._told)


def test_what_is_usual_is_told_by_the_background():
    """Where there is one: a memory that is near to every question is no answer to this one."""
    index = index_of(stored("tea", degrees=30))
    asked = analysed(["my q"], angle(0)[None], index.languages, NOON)
    given = {"options": RecallOptions(), "calibration": CALIBRATION, "now": NOON, "most": 9}
    likely = {
        told: rank(index, ALICE, asked, background=Told(*told), **given).evidence
        for told in ((5.0, 5.0, 0.0), (5.0, -1.0, 0.0), (-1.0, 5.0, 0.0), (5.0, 5.0, -1.0))
    }
    best = likely.pop((5.0, 5.0, 0.0))
    assert best > max(likely.values())
    guessed = rank(index, ALICE, asked, **given).evidence
    part = rank(index, ALICE, asked, background=Told(5.0, 5.0, 0.0), whole=False, **given)
    assert part.evidence == guessed  # of candidates of a store only the cosine is known
    empty = rank(index_of(), ALICE, asked, background=Told(5.0, 5.0, 0.0), **given)
    assert (empty.evidence, empty.ranked) == (0.0, ())


def test_another_scopes_memories_make_nothing_clear():
    """What a user told one agent does not open the door to what others were told."""
    index = index_of(
        stored("a", degrees=0, minutes=0), stored("b", AGENT, degrees=100, minutes=900)
    )
    for n in range(2, 20):
        index.add(stored(f"x{n}", AGENT, minutes=1000 * n, degrees=100))
    assert relevant_names(ranking(index, "my q")) == {"a"}
    assert relevant_names(ranking(index, "my q", scope=AGENT)) == set()


def test_a_name_of_another_scope_speaks_of_nobody():
    """What one agent was told does not lower what another needs."""
    mine = stored("the tea is green", degrees=60)
    theirs = stored("Ann: hello", AGENT, degrees=90, minutes=9000)
    alone = ranking(index_of(mine), "does Ann brew").evidence
    assert ranking(index_of(mine, theirs), "does Ann brew").evidence > alone
    only_mine = Scope(tenant="local", user_id="alice", agent_id="y")
    other = index_of(stored("the tea is green", only_mine, degrees=60), theirs)
    assert ranking(other, "does Ann brew", only_mine).evidence == pytest.approx(alone)


def same(index, found, one, other):
    by_name = {hit.item.id: hit for hit in found.ranked}
    return found.same(by_name[one], by_name[other])


def test_what_says_the_same():
    """One text, or the same words and a near vector; numbers are words."""
    index = index_of(
        stored("likes green tea", id="a", degrees=0),
        stored("Green tea likes!", id="b", degrees=5),
        stored("tea green likes", id="c", degrees=80),
        stored("likes green tea", id="g", degrees=85),
        stored("likes black tea", id="d", degrees=0),
        stored("a budget of 10,000", id="e", degrees=0),
        stored("a budget of 15,000", id="f", degrees=0),
    )
    found = ranking(index)
    assert same(index, found, "a", "b")
    assert same(index, found, "b", "a")
    assert same(index, found, "a", "g")
    for one, other in (("a", "c"), ("a", "d"), ("e", "f")):
        assert not same(index, found, one, other)


def test_it_stays_what_it_was_when_the_index_changes():
    """A ranking made in a thread is looked at later: writes in between break nothing."""
    many = [stored(f"tea {n}", id=f"{n}", minutes=n, degrees=n / 9) for n in range(200)]
    twins = [stored("green tea", id=name, degrees=0, minutes=500) for name in ("a", "b")]
    index = index_of(*many, *twins)
    found = ranking(index, "green tea", most=3, calibration=ANYTHING)
    assert set(names(found)) >= {"a", "b"}
    for n in range(200):
        index.remove(f"{n}")
    assert len(index.entries) < 100
    assert same(index, found, "a", "b")


def test_of_equals_the_one_that_people_speak_against_comes_last():
    """And the one they speak for first; each tells how much of its score that is."""
    memories = [stored("tea", id=name, degrees=10) for name in ("bad", "plain", "good")]
    for order in (memories, memories[::-1]):
        index = index_of(*order)
        before = ranking(index, neighbours=0.0)
        index.note_usage({"bad": Usage(negative=10), "good": Usage(positive=10)})
        found = ranking(index, neighbours=0.0)
        assert names(found) == ["good", "plain", "bad"]
        good, plain, bad = (hit.feedback for hit in found.ranked)
        assert bad < plain == 0 < good
        score = pytest.approx(before.ranked[0].score)
        assert [hit.score - hit.feedback for hit in found.ranked] == [score] * 3


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_feedback_makes_an_answer_less_relevant_or_less_sure(positive, negative):
    """A troll moves a memory behind others like it; alone, it answers as before."""
    index = index_of(stored("tea", degrees=10))
    [before] = ranking(index).ranked
    index.note_usage({"tea": Usage(positive=positive, negative=negative)})
    [after] = ranking(index).ranked
    assert after._replace(score=before.score, feedback=0.0) == before
    assert after.score >= (1 - TUNING.feedback) * before.score


def test_being_recalled_moves_nothing():
    """An older fact that was shown a hundred times stays behind the newer one."""
    index = index_of(
        stored("old", degrees=10, minutes=-60 * 24 * 40), stored("new", degrees=10, minutes=-60)
    )
    before = ranking(index)
    index.note_usage({"old": Usage(recalled=100, last_recalled=NOON)})
    assert names(ranking(index)) == names(before) == ["new", "old"]
    assert ranking(index).scores.tolist() == before.scores.tolist()


def said(text, *flags, degrees=0):
    """Something that a user said, right beside the query."""
    one = stored(text, degrees=degrees)
    origin = Provenance(source=Source.SAID, turn_ids=("t",), flags=flags)
    return replace(one, item=replace(one.item, provenance=origin))


CHAIR, ASKS = "the chair has 4 legs", "how many legs has the chair"


@rows(
    "text, flags, query, relevant",
    [
        (CHAIR, (), f"{ASKS}?", True),
        (f"{ASKS}?", (ASKED,), f"{ASKS}?", False),
        (CHAIR, (PASTED,), f"{ASKS}?", True),
        (CHAIR, (), CHAIR, False),
        (CHAIR, (PASTED,), CHAIR, False),
    ],
)
def test_what_the_message_has_already_is_no_evidence(text, flags, query, relevant):
    """The question that was asked before, and what is said again; what was pasted may answer."""
    index = index_of(said(text, *flags))
    assert bool(relevant_names(ranking(index, query))) is relevant


def among_questions(*memories):
    """An index of these, and of thirty questions that are like the message."""
    asks = [said(f"q w{n} x{n} y{n}?", ASKED) for n in range(30)]
    return index_of(*memories, *asks)


def test_questions_take_no_place_of_what_answers():
    """Of those that are like the message few are shown, and what was told is weighed as without."""
    told = stored("my q", degrees=30)
    index = among_questions(told)
    found = relevant_names(ranking(index, "my q"))
    assert "my q" in found
    assert len(found) == 1 + MOST_ASKED
    assert len(relevant_names(ranking(index, "my q", threshold=0))) == 1 + MOST_ASKED


def test_nothing_untold_is_compared_unless_it_is_wanted():
    """Who searches memories is not given questions, and none of these lowers a hit."""
    index, other = among_questions(stored("my q", degrees=30)), index_of(said("my q z", PASTED))
    asked = analysed(["my q"], angle(0)[None], index.languages, NOON)
    given = {"options": RecallOptions(), "calibration": CALIBRATION, "now": NOON, "most": 9}
    assert names(rank(index, ALICE, asked, untold=False, **given)) == ["my q"]
    assert names(rank(other, ALICE, asked, untold=False, **given)) == []


def test_what_is_searched_for_is_found_by_its_own_words():
    """Nobody says it again."""
    index = index_of(said(CHAIR))
    asked = analysed([CHAIR], angle(0)[None], index.languages, NOON)
    given = {"options": RecallOptions(), "calibration": CALIBRATION, "now": NOON, "most": 9}
    assert relevant_names(rank(index, ALICE, asked, sought=True, **given)) == {CHAIR}
