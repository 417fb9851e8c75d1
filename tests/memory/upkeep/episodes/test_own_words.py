from recollect.memory.upkeep.episodes.own_words import LONGEST, MOST_CHARS, in_own_words
from tests.memory.learn.extract.turns import talk, turn
from tests.support.folding import rows


def test_it_is_the_users_sentences_in_their_order():
    """Statements of the user are told word for word, with the day; questions are not."""
    turns = talk("I plan a trip to Porto.", "What is the fare? We take the night train.")
    assert in_own_words(turns) == ("2026-03-02: I plan a trip to Porto. We take the night train.")


def test_the_assistants_words_are_none():
    """Nothing that only the assistant said is told."""
    assert in_own_words([turn("ok", "You moved to Lyon with Ana last week.")]) is None


def test_what_is_said_most_is_told_first():
    """If not all fits, what most of the stretch is about is kept, and nothing twice."""
    about = [f"The trip to Porto with Ana costs {n} EUR and takes long." for n in range(20)]
    told = in_own_words(talk(*about, *about, "Bob called."))
    assert len(told) <= MOST_CHARS + len("2026-03-02: ")
    assert "Porto" in told
    assert len(set(told.split(". "))) == len(told.split(". "))


@rows("said", ["", "ok", "👍", "x" * (LONGEST + 1), "<html><body>x</body></html>", "Why me?"])
def test_nothing_to_tell(said):
    """What is no statement of a person is not told."""
    assert in_own_words(talk(said)) is None


def test_a_giant_message_is_bounded():
    """However much was said, the result is short."""
    giant = " ".join(f"Part {n} of the trip costs {n} EUR." for n in range(20_000))
    assert len(in_own_words(talk(giant))) <= MOST_CHARS + len("2026-03-02: ")
