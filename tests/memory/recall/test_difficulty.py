"""Whether one search is enough for a question."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.difficulty import CLEAR, Hardness, hardness
from tests.support.folding import rows

CAT = ("Her cat is called Mia.", 0.8)
MIA = ("Mia was born in Oslo.", 0.7)


@rows(
    "question, found, expected",
    [
        ("What is the cat called?", [CAT], None),
        ("Wie heißt die Katze?", [CAT], None),
        ("What is the cat called?", [("The dog barks.", 0.59)], Hardness.UNSURE),
        ("What is the cat called?", [], Hardness.UNSURE),
        ("What is the cat called? And where was it born?", [CAT], Hardness.SEVERAL),
        ("猫叫什么名字？它在哪里出生？", [CAT], Hardness.SEVERAL),
        (
            "Which flights, hotels, trains, museums, meals, gifts, letters, photos, boats, cars, parks?",
            [CAT],
            Hardness.SEVERAL,
        ),
        ("Did the vet of Mia move to Bergen?", [CAT, MIA], Hardness.APART),
        ("Was the cat Mia born in Oslo?", [CAT, MIA], None),
        ("Where does the vet of the cat spend winters?", [CAT], Hardness.PARTLY),
        ("猫の医者は誰？", [("猫はミアです。", 0.8)], Hardness.PARTLY),
        ("Where do I earn my living?", [("User works at Google.", 0.8)], None),
        ("Wie heißt die Katze von Ada?", [("Adas Katze heißt Mia.", 0.9)], None),
    ],
)
def test_only_what_is_hard_is_judged(question, found, expected):
    """Simple look-ups ask no model: something sure was found, and one thing was asked for."""
    assert hardness(question, found) is expected


@given(st.text(), st.lists(st.tuples(st.text(), st.floats(0, 1))))
def test_any_text_is_read(question, found):
    """Nothing sure is never enough, whatever the texts are."""
    sure = any(score >= CLEAR for _, score in found)
    assert sure or hardness(question, found) is Hardness.UNSURE
