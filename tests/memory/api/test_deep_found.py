"""What a deep recall found, and what of it is shown."""

from recollect.memory.api.deep_found import COVERED, LEAST, MOST_SHOWN, DeepFound
from recollect.memory.calibration import Calibration
from recollect.memory.model.types import Scope
from recollect.memory.recall.queries import QueryHit
from tests.support.folding import rows

from ..stores.memories import memory

ALICE = Scope(tenant="local", user_id="alice")
HALF = Calibration(recall=0.2, update=0.5, same=0.9, floor=0.2, ceiling=0.6)


def hit(text, score, cosine=0.0):
    return QueryHit(memory(ALICE, text).item, score, cosine)


def test_a_chain_is_shown_before_what_is_likely():
    """And what the model named before both; what is neither is not shown to it."""
    hits = [hit("sure", 0.9), hit("likely", 0.3), hit("linked", LEAST / 2), hit("far", LEAST / 2)]
    found = DeepFound()
    assert found.add(hits)
    found.chained = (hits[2].item.id,)
    assert [item.text for item in found.shown()] == ["linked", "sure", "likely"]
    found.grounds = (hits[1].item.id,)
    assert [item.text for item in found.shown()] == ["likely", "linked", "sure"]
    assert [one.item.text for one in found.chosen()] == ["likely"]


def test_without_a_model_the_result_is_what_is_sure_or_in_a_chain():
    """With the reason why it abstained, if it did."""
    hits = [hit("sure", 0.9), hit("likely", 0.3), hit("linked", 0.01)]
    found = DeepFound()
    found.add(hits)
    found.chained = (hits[2].item.id, hits[0].item.id)
    result = found.result(None)
    assert [each["memory"] for each in result["results"]] == ["sure", "linked"]
    assert (result["abstained"], "reason" in result) == (False, False)
    assert found.result("not_covered")["reason"] == "not_covered"


def test_only_what_is_shown_now_is_new():
    """A memory that a later search is surer of counts once."""
    found, far, near = DeepFound(), hit("a", 0.01), hit("b", 0.5)
    assert not found.add([far])
    assert found.add([near])
    assert not found.add([near])
    assert found.add([QueryHit(far.item, 0.4, 0.0)])
    assert [one.item.text for one in found.ranked] == ["b", "a"]
    assert found.ranked[1].score == far.score


def test_the_model_is_shown_a_bounded_number():
    """The surest."""
    found = DeepFound()
    found.add([hit(f"n{number}", 0.5 + number / 100) for number in range(MOST_SHOWN + 5)])
    assert len(found.shown()) == MOST_SHOWN
    assert found.shown()[0].text == f"n{MOST_SHOWN + 4}"


@rows(
    "cosines, covers",
    [
        ((), False),
        ((0.2 + 0.4 * COVERED - 0.01,), False),
        ((0.0, 0.2 + 0.4 * COVERED + 0.01), True),
    ],
)
def test_the_nearest_tells_whether_a_question_is_covered(cosines, covers):
    """In spreads of the embedder, so that it means the same for each."""
    found = DeepFound()
    found.add([hit(f"n{place}", 0.5, cosine) for place, cosine in enumerate(cosines)])
    assert found.covers(HALF) is covers
