"""Cosines, and what they are worth in their language."""

import pytest

from recollect.memory.calibration import Calibration
from recollect.memory.recall.meaning import meaning
from tests.memory.recall.memories import angle, index_of, stored

CALIBRATION = Calibration(
    recall=0.2, update=1.1, same=1.1, floor=0.3, ceiling=0.7, elsewhere=0.0,
    languages={"en": 1.0, "de": 0.5},
)  # fmt: skip
IN_ENGLISH = stored("The user has a dog and it is called Rex", degrees=60)
IN_GERMAN = stored("Der Hund des Benutzers heißt Rex und ist schon alt", degrees=60)
IN_CHINESE = stored("用户的狗叫雷克斯", degrees=0)
SHORT = stored("Rex Labrador", degrees=60)


def found(language, *memories, calibration=CALIBRATION):
    return meaning(index_of(*memories), angle(0)[None], language, calibration)


def test_a_cosine_is_worth_what_its_language_is():
    """The same cosine is less in one language, and nothing in an unknown one."""
    near = found("en", IN_ENGLISH, IN_GERMAN, IN_CHINESE)
    assert near.cosine == pytest.approx([0.5, 0.5, 1.0], abs=1e-6)
    assert near.near == pytest.approx([9 / 14, 9 / 28, 0.0], abs=1e-6)
    assert near.worth.tolist() == [1.0, 0.5, 0.0]


def test_the_order_of_memories_that_are_hardly_near_is_kept():
    """The scale begins below the floor; what is a clear hit is one, however near."""
    several = [stored(f"The dog is called {d}", degrees=d) for d in (0, 46, 74, 78, 89)]
    near = found("en", *several).near.tolist()
    assert sorted(near, reverse=True) == near
    assert (near[0], near[-1]) == (1.0, 0.0)
    assert near[2] > near[3] > 0


def test_the_query_has_a_language_too():
    """Of the two, the one that the embedder knows less decides."""
    assert found("de", IN_ENGLISH).worth.tolist() == [0.5]
    assert found("zh", IN_ENGLISH, IN_GERMAN).worth.tolist() == [0.0, 0.0]


def test_a_text_too_short_to_tell_is_in_the_users_language():
    """The words "Rex Labrador" are of no language, but the other memories are English."""
    assert found("und", SHORT, IN_ENGLISH).worth.tolist() == [1.0, 1.0]
    assert found("de", SHORT).worth.tolist() == [0.5]
    assert found("und", SHORT).worth.tolist() == [1.0]


def test_without_languages_all_are_worth_the_same():
    """As measured by somebody who compared one language only, or not at all."""
    plain = Calibration(recall=0.2, update=1.1, same=1.1, floor=0.3, ceiling=0.7)
    near = found("zh", IN_CHINESE, IN_ENGLISH, calibration=plain)
    assert near.near == pytest.approx([1.0, 9 / 14], abs=1e-6)
