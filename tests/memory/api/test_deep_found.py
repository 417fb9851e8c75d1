"""What a deep recall found, and what of it is shown."""

from recollect.memory.api.deep_found import COVERED, DeepFound
from recollect.memory.calibration import Calibration
from recollect.memory.model.types import Scope
from recollect.memory.recall.lines import QueryHit, ReaderLines
from tests.support.folding import rows

from ..memories.memories import memory

ALICE = Scope(tenant="local", user_id="alice")
HALF = Calibration(recall=0.2, update=0.5, same=0.9, floor=0.2, ceiling=0.6)


def hit(text, score, cosine=0.0):
    return QueryHit(memory(ALICE, text).item, score, cosine)


def lines(*given, ranked=(), newer=()):
    return ReaderLines(given, (*given, *ranked), {old.item.id: (new,) for new, old in newer})


def texts(hits):
    return [one.item.text for one in hits]


def test_a_chain_is_shown_before_the_lines():
    """And what the model named before both; what is neither is not shown to it."""
    given, linked, far = [hit("sure", 0.9), hit("likely", 0.3)], hit("linked", 0.05), hit("far", 0)
    found = DeepFound()
    assert found.add(lines(*given, ranked=(linked, far)))
    found.chain([linked])
    assert [item.text for item in found.shown()] == ["linked", "sure", "likely"]
    found.grounds = (given[1].item.id,)
    assert [item.text for item in found.shown()] == ["likely", "linked", "sure"]
    assert texts(found.chosen()) == ["likely"]


def test_without_a_model_the_result_is_the_lines_and_what_is_in_a_chain():
    """With the reason why it abstained, if it did; nothing pads it."""
    sure, linked, far = hit("sure", 0.9), hit("linked", 0.01), hit("far", 0.01)
    found = DeepFound()
    found.add(lines(sure, ranked=(linked, far)))
    found.chain([linked, sure])
    result = found.result(None)
    assert [each["memory"] for each in result["results"]] == ["sure", "linked"]
    assert (result["abstained"], "reason" in result) == (False, False)
    assert found.result("not_covered")["reason"] == "not_covered"


def test_a_chain_has_the_newer_of_a_matter_before_the_older():
    """So that no older one stands alone, also if only the chain has it."""
    old, new = hit("lives in Oslo", 0.01), hit("moved to Rome", 0.01)
    found = DeepFound()
    found.add(lines(ranked=(old,), newer=[(new, old)]))
    found.chain([old])
    assert texts(found.chosen()) == ["moved to Rome", "lives in Oslo"]


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
    found.add(lines(*(hit(f"n{place}", 0.5, cosine) for place, cosine in enumerate(cosines))))
    assert found.covers(HALF) is covers
