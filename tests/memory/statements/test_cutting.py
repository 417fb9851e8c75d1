"""The user's own text in passages: as written, ended where a sentence or an item ends."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.statements.cutting import LONGEST, cut, pieces
from tests.memory.language.test_any_text import calls
from tests.support.budget import sampled
from tests.support.folding import rows

WISH = "Always answer in German."


def texts(text):
    return [one.text for one in cut(text)]


@rows(
    "text",
    [
        "My allergies are:\n- nuts\n- cats",
        "I have two dogs:\n1. Rex\n2. Bo",
        "Shopping\n• milk\n• bread",
        "买的东西：\n1、牛奶\n2、面包",
        "Name: Jonas\nCity: Graz\nAllergies: penicillin",
        "To pack:\n- a tent\n  with pegs\n- a stove",
    ],
)
def test_a_list_stays_with_the_line_that_opens_it(text):
    """So does a form; what stands before and behind it is apart."""
    assert texts(f"I moved.\n{text}\n\nI have a cat.") == ["I moved.", text, "I have a cat."]


def test_of_a_long_list_each_part_has_its_heading():
    """And no item is lost or cut."""
    items = [f"- item number {n} is something" for n in range(60)]
    found = texts("\n".join(["My things:", *items]))
    assert len(found) > 3
    assert all(one.startswith("My things:\n") and len(one) <= LONGEST for one in found)
    assert [line for one in found for line in one.split("\n")[1:]] == items


def test_one_item_is_no_list():
    """A dash may begin a sentence."""
    assert texts("I moved.\n- it rained") == ["I moved.\n- it rained"]


def test_sentences_are_as_few_passages_as_possible():
    """A long story becomes several, each of whole sentences."""
    told = [f"I have lived in house number {n} with my brother for years." for n in range(12)]
    found = texts(" ".join(told))
    assert 1 < len(found) <= 3
    assert " ".join(found) == " ".join(told)
    assert all(one.endswith("years.") for one in found)


def test_a_sentence_without_an_end_is_cut_at_a_word():
    """Dictation, and scripts without spaces."""
    spoken = " ".join(f"and then {n}" for n in range(80))
    found = texts(spoken)
    assert " ".join(found) == spoken
    assert all(len(one) <= LONGEST for one in found)
    assert "".join(texts("我" * 1200)) == "我" * 1200


def test_a_number_with_a_full_stop_ends_no_sentence():
    """As dates are written in some languages."""
    long = "Ich wohne seit vielen Jahren in einem alten Haus am Rand der Stadt Graz. " * 6
    assert any("am 15. Mai geboren" in one for one in texts(f"{long}Ich bin am 15. Mai geboren."))


@rows(
    "text, passages",
    [
        (f"I live in Oslo. {WISH} My dog is Rex.", ["I live in Oslo.", WISH, "My dog is Rex."]),
        (f"Write a haiku about fog. {WISH}", ["Write a haiku about fog.", WISH]),
        ("I work at Alstom. Stop using emojis. All of them. I have a cat.",
         ["I work at Alstom.", "Stop using emojis. All of them.", "I have a cat."]),
        (f"My things:\n- a\n- b\n\n{WISH}", ["My things:\n- a\n- b", WISH]),
    ],
)  # fmt: skip
def test_a_wish_stands_alone(text, passages):
    """It goes with every message, and what else was said does not."""
    assert texts(text) == passages


def test_a_wish_in_somebody_elses_text_stays_there():
    """What stands around it shows whose it is."""
    text = f"Rice is a cereal grain that feeds the world. {WISH} It is grown in Asia."
    assert texts(text) == [text]


@rows(
    "text, asks, of_nobody",
    [
        ("What is rice? How do I cook it?", True, True),
        ("Write a haiku about fog.", True, True),
        ("Thanks! Bye.", True, True),
        ("What should I buy:\n- milk\n- bread", True, False),
        ("Can you help my sister?", True, False),
        ("I have 10K spare. Is that enough for a week in Thailand?", False, False),
        ("I live in Oslo.", False, False),
        ("The Falcon ships in July.", False, False),
        (WISH, False, False),
    ],
)
def test_what_only_asks(text, asks, of_nobody):
    """Questions, orders and small talk; beside a fact they are one passage with it."""
    [one] = cut(text)
    assert (one.asks, one.of_nobody) == (asks, of_nobody)


def test_a_long_question_is_apart_from_what_is_told():
    """Together they would be found by neither."""
    told = "I have lived in an old house at the edge of the town for about eleven years now."
    asked = "What is the best way to paint the walls of a bathroom that has no window at all?"
    assert [one.asks for one in cut(f"{told} {asked}")] == [False, True]


WORDS = st.sampled_from(
    ["I live in Oslo. ", "What is rice? ", "Thanks! ", "My list:", "\n- a", "\n- b", "\n1. c",
     "\nName: Kim", "\n\n", "\n", "x" * 300, "word " * 90, "我住在奥斯陆。", "15. ", "👍", "\ud800", "\r\n", "\t"],
)  # fmt: skip


@given(st.one_of(st.lists(WORDS, max_size=20).map("".join), st.text(max_size=40)))
def test_any_text_is_kept_as_written(text):
    """In order, in passages that are short; only headings are told again."""
    found = texts(text)
    assert all(0 < len(one) <= LONGEST for one in found)
    told = iter("".join("".join(found).split()))
    assert all(one in told for one in "".join(text.split()))


SHORT = WORDS.filter(lambda one: len(one) < 40)


@given(st.lists(st.one_of(SHORT, st.just(f"{WISH} ")), max_size=20).map("".join))
def test_what_stands_around_a_wish_is_not_lost(text):
    """Though it is not told again beside it."""
    found = ["".join(one.split()) for one in texts(text)]
    assert all(len(one) <= LONGEST for one in found)
    for sentence in ("I live in Oslo.", "What is rice?", WISH):
        assert (sentence in text) <= any("".join(sentence.split()) in one for one in found)


@given(st.lists(WORDS, max_size=20).map("".join))
def test_material_is_kept_as_written(text):
    """Its lines are not read."""
    found = list(pieces(text))
    assert all(0 < len(one) <= LONGEST for one in found)
    assert "".join("".join(found).split()) == "".join(text.split())


NASTY = {
    "numbers": "1. ", "items": "- a\n", "fields": "a: b\n", "headings": "a:\n", "words": "a ",
    "one word": "a", "sentences": "I am. ", "questions": "a? ", "wishes": f"{WISH} ", "no spaces": "我",
    "blank lines": "a\n\n",
}  # fmt: skip


@rows("kind", sampled([*NASTY]))
def test_work_grows_with_the_text(kind):
    """Four times the text is about four times the work, but for a few rules of short texts."""
    short, long = ((NASTY[kind] * most)[:most] for most in (5_000, 20_000))
    calls(cut, short)
    few, many = calls(cut, short), calls(cut, long)
    assert many <= 4.8 * few + len(long) / 4
