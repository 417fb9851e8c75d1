"""What one sentence of a message does."""

from recollect.memory.language import languages_of, words_of
from recollect.memory.statements.sentence import Whole, read_sentence
from tests.support.folding import rows


def part(text, *, works=False):
    return read_sentence(text, Whole(languages_of(words_of(text).folded), works))


@rows(
    "text",
    [
        "Draw a little picture of a heron, at most 8 lines",
        "put these into the right order: Rome, Athens",
        "Wypisz z tego tekstu tylko to, co jest faktem, bez lania wody.",
        "마지막 문장만 요약해 주세요.",
        "この文を英語に訳してください。",
        "把这句话改得委婉一点",
        "Proofread this testimonial:   Three versions.",
    ],
)
def test_orders_and_questions_ask(text):
    """By their first words, their last ones, or because something was handed over."""
    assert part(text).asks


@rows(
    "text",
    ["My dog needs insulin", "Mi perro toma insulina", "I got it: we moved to Oslo in May"],
)
def test_what_tells_is_personal_and_not_idle(text):
    """Also beside words that end a topic."""
    found = part(text)
    assert (found.personal, found.idle) == (True, False)


@rows("text", ["Exit Code: 137", "Terms of sale, order form", "code ERESOLVE"])
def test_words_of_everyday_life_tell_nothing_without_a_person(text):
    """In a language that says "my"."""
    assert not part(text, works=True).personal
