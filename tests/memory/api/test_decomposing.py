"""Questions are taken apart by their structure, in any script."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.api.decomposing import (
    MOST_PARTS,
    REST_CHARS,
    filled_in,
    named_apart,
    parts_of,
    restated,
)
from tests.support.folding import rows


@rows(
    "question, parts",
    [
        ("Where does Ada live?", ()),
        ("Where does Ada live? And what is her street?", ("Where does Ada live?", "And what is her street?")),
        ("I moved. Where does Ada live?", ()),
        ("猫叫什么名字？它在哪里出生？", ("猫叫什么名字？", "它在哪里出生？")),
        ("a? " * 9, ("a?",) * MOST_PARTS),
    ],
)  # fmt: skip
def test_several_questions_are_its_parts(question, parts):
    """One question has none, and a statement is none."""
    assert parts_of(question) == parts


@rows(
    "question, apart",
    [
        ("Does Anna know my dentist?", ()),
        ("Do Anna and Boris sing?", ("Do Anna and sing?", "Do and Boris sing?")),
    ],
)
def test_names_are_searched_apart(question, apart):
    """Each without the others, if there are two."""
    assert named_apart(question) == apart


@rows(
    "question, text, name, other",
    [
        (
            "What did the person I met in Tbilisi recommend?",
            "I met Giorgi in Tbilisi",
            "Giorgi",
            "What did the person I Giorgi recommend?",
        ),
        (
            "Is my manager available in July?",
            "Viktor is my manager",
            "Viktor",
            "Is my Viktor available in July?",
        ),
        (
            "我在杭州茶馆认识的那位推荐我去哪里看茶园？",
            "上个月在杭州一家茶馆认识了龚阿姨，聊了一下午",
            "龚阿姨",
            "我在龚阿姨的那位推荐我去哪里看茶园？",
        ),
        ("Welches Auto fährt mein Zahnarzt?", "Mein Zahnarzt heißt Krug", "Krug",
         "Welches Auto fährt mein Krug?"),
        ("Who is my dentist?", "Krug is my dentist", "Krug", None),
        ("Who sells tea?", "Krug is my dentist", "Krug", None),
    ],
)  # fmt: skip
def test_a_name_stands_for_its_description(question, text, name, other):
    """The description is what the text says too; nothing is asked again if nothing else is left."""
    assert restated(question, text, name) == other


def test_what_was_found_fills_the_question():
    """The names that a text adds; of a text without names all that it adds; nothing twice."""
    asked = "What did the person I met in Tbilisi recommend?"
    texts = ["I met Giorgi in Tbilisi", "I met an old baker in Tbilisi", "Rain again"]
    found = filled_in(asked, texts, [], most=5)
    assert found == [
        "What did the person I Giorgi recommend?",
        "What did the person I an old baker recommend?",
    ]
    assert filled_in(asked, texts, [found[0].upper()], most=5) == found[1:]
    assert filled_in(asked, texts, [], most=1) == found[:1]


@given(st.text(max_size=60), st.text(max_size=200), st.integers(0, 4))
def test_any_texts_are_read(question, text, most):
    """What is searched for is bounded by what was said."""
    found = filled_in(question, [text], [question], most=most)
    assert len(found) <= most
    longest = len(question) + max(REST_CHARS, len(text))
    assert all(len(one) <= longest for one in (*found, *named_apart(question)))
    assert len(parts_of(question)) <= MOST_PARTS
