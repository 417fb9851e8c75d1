"""A chunk of text is split into words, parts of compounds and numbers."""

from __future__ import annotations

from recollect.memory.language import index_terms
from recollect.memory.language.analysis.parts import number_words, parts_of, spoken_digits
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows(
    "chunk, words",
    [
        ("what's", ["what"]),
        ("Caroline\u2019s".replace("\u2019", "'"), ["Caroline"]),
        ("don't", []),
        ("l'eau", ["eau"]),
        ("O'Brien", ["OBrien", "Brien"]),
        ("self-care,", ["selfcare", "self", "care"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("camelCase", ["camelCase", "camel", "Case"]),
        ("HTTPServer", ["HTTPServer", "HTTP", "Server"]),
        ("ledger-core", ["ledgercore", "ledger", "core"]),
        ("src/app/main.py", ["src", "app", "main.py", "main", "py"]),
        ("(C++,", ["C++"]),
        ("F#.", ["F#"]),
        ("#hiking", ["hiking"]),
        ("@caroline!", ["caroline"]),
        ("2023-05-07", ["2023", "5", "7"]),
        ("5/7/2023", ["5", "7", "2023"]),
        ("'quoted'", ["quoted"]),
        ("v2.3.5", ["v2.3.5", "2.3.5", "2", "3", "5"]),
        ("\U0001f44d\U0001f3fd", ["\U0001f44d"]),
        ("\U0001f1e9\U0001f1ea", ["\U0001f1e9\U0001f1ea"]),
        ("...", []),
    ],
)
def test_words_of_a_chunk(chunk, words):
    """Compounds whole and in parts, without punctuation, articles and genitives."""
    assert list(parts_of(chunk)) == words


def test_addresses_are_found_whole_and_by_their_parts():
    """A mail address is one term; of a link, the words that name something."""
    assert {"ann.lee@mail.example.com", "lee"} <= set(parts_of("<ann.lee@mail.example.com>"))
    link = list(parts_of("https://docs.example.org/billing/ledger?page=2"))
    assert {"docs.example.org", "example", "billing", "ledger"} <= set(link)
    assert not {"https", "org", "www"} & set(link)


@rows("spelling", ["self-care", "selfcare", "Self-Care", "self\u2010care"])
def test_spellings_of_a_compound_meet(spelling):
    """Whether a writer joins it or not."""
    assert set(index_terms("selfcare").terms) & set(index_terms(spelling).terms)


@rows("text, words", ROWS["numbers with points"])
def test_numbers_with_points(text, words):
    """Thousands are one number however they are grouped; a version stands whole and in parts."""
    assert list(number_words(text)) == words


@rows("text, words", ROWS["words with digits"])
def test_words_with_digits(text, words):
    """Ordinals, measures and days are found by their number."""
    assert spoken_digits(text) == words
