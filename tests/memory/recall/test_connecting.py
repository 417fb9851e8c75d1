"""What the first hits lead to, in the ranking."""

import pytest

from recollect.memory.model.types import Scope
from recollect.memory.recall.connecting import BELOW, MOST_TERMS
from recollect.memory.recall.ranking import is_led_to, rank
from recollect.memory.recall.signals import Signal, analysed
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, stored
from tests.memory.recall.test_ranking import CALIBRATION
from tests.support.constants import recalling
from tests.support.folding import rows

MET = "At the night market in Bergen I met a cheesemonger called Eskil"
ADVICE = "Eskil swears by brown cheese"
QUESTION = "What did the cheesemonger from my night market recommend to me?"
OTHERS = tuple(f"My garden has a row of number {n}" for n in range(9))


def ranked(*memories, query=QUESTION, hops=1, scope=ALICE, **options):
    """The hits by text."""
    index = index_of(*memories)
    found = rank(
        index,
        scope,
        analysed([query], angle(0)[None], index.languages, NOON),
        options=recalling(**options),
        calibration=CALIBRATION,
        now=NOON,
        most=100,
        hops=hops,
    )
    return {hit.item.text: hit for hit in found.ranked}


def store(**degrees):
    """The two memories among others; all are far from the question unless told."""
    return [
        stored(MET, degrees=degrees.get("met", 20)),
        stored(ADVICE, degrees=degrees.get("advice", 120)),
        *[stored(text, degrees=150) for text in OTHERS],
    ]


def test_what_a_hit_leads_to_is_recalled():
    """It has no word of the question and is not near; the explanation names the hit and the name."""
    assert not ranked(*store(), hops=0)[ADVICE].relevant
    hit = ranked(*store())[ADVICE]
    assert hit.relevant
    assert is_led_to(hit)
    assert (hit.step.seed, hit.step.by) == (MET, "Eskil")
    assert hit.signals[Signal.CONNECTED] > 0


def test_it_stands_below_the_hit_that_leads_to_it():
    """However well it matches by itself, and no other score changes."""
    found, plain = ranked(*store()), ranked(*store(), hops=0)
    assert list(found).index(MET) < list(found).index(ADVICE)
    assert found[ADVICE].score <= BELOW * found[MET].score + 1e-9
    assert {t: h.score for t, h in found.items() if t != ADVICE} == pytest.approx(
        {t: h.score for t, h in plain.items() if t != ADVICE}
    )


def test_what_matches_the_question_keeps_its_place():
    """It is noted how it hangs together, and nothing is added."""
    hit = ranked(*store(advice=30))[ADVICE]
    assert hit.step is not None
    assert not is_led_to(hit)
    assert hit.signals[Signal.CONNECTED] == 0


def test_nothing_leads_on_without_evidence():
    """A question that nothing answers brings nothing in."""
    found = ranked(*store(met=160), query="Which violin does my aunt own?")
    assert not any(hit.relevant for hit in found.values())


def test_only_what_the_scope_admits_is_reached():
    """Another user's memory of the same name is not."""
    own, other, *rest = store()
    bob = Scope(tenant="local", user_id="bob")
    foreign = stored(ADVICE, bob, degrees=120)
    assert ADVICE not in ranked(own, foreign, *rest)
    assert other.item.text not in ranked(own, foreign, *rest)


@rows(
    "query, leads",
    [
        (QUESTION, True),
        ("Eskil?", False),
        (" ".join(f"word{n}" for n in range(MOST_TERMS + 2)) + QUESTION, False),
        (MET, False),
    ],
)
def test_by_itself_it_is_for_questions_that_need_it(query, leads):
    """Not for a look-up, nor for a text, nor where one memory has all words of the question."""
    found = ranked(*store(), query=query, hops="auto")
    assert any(is_led_to(hit) for hit in found.values()) == leads


def test_a_line_of_somebody_who_is_named_is_found_by_the_name():
    """All that a speaker said is; what they name does not lead to others."""
    said = [stored(f"Caroline: {MET}", degrees=20), stored(f"Mel: {ADVICE}", degrees=120)]
    rest = [stored(text, degrees=150) for text in OTHERS]
    asked = "What did the cheesemonger of the night market recommend to Caroline?"
    assert not any(map(is_led_to, ranked(*said, *rest, query=asked, hops="auto").values()))
