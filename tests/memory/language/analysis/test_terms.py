"""The terms of documents and queries."""

from __future__ import annotations

import threading

from hypothesis import example, given
from hypothesis import strategies as st

from recollect.memory.language import index_terms, names_in, query_terms, speaker_of
from recollect.memory.language.analysis.parts import MAX_TERM
from recollect.memory.language.analysis.terms import (
    MAX_TERMS,
    IndexTerms,
    pronouns_lowered,
)
from tests.support.folding import rows

ANY = st.text(st.characters(codec=None))
HOSTILE = st.text(
    st.sampled_from("a1'.,-_#@:/ k\u0301\u200d\ud800\u00df\u0130我アข가ا\U0001f44d+"), max_size=60
)


@given(ANY | HOSTILE)
@example("\ud800\0\u202eabc")
@example("'")
@example("-'-.")
def test_any_text_has_terms(text):
    """No text fails, none gives an empty or oversized term, and the same text gives the same."""
    made = index_terms(text)
    assert made == index_terms(text)
    assert all(0 < len(term) <= MAX_TERM for term in made.terms)
    wanted = query_terms(text, ["en", "ru", "xx"])
    assert len(wanted) == len(set(wanted))
    assert all(0 < len(term) <= MAX_TERM for term in wanted)
    assert names_in(text) == names_in(text)
    assert speaker_of(text) == speaker_of(text)


@given(HOSTILE)
def test_a_text_meets_itself(text):
    """A query with a document's own words looks for every one of its terms."""
    made = index_terms(text)
    assert set(made.terms) <= set(query_terms(text, [made.language]))


def test_what_is_no_text_is_cut():
    """Neither binary data nor one endless word grows the index."""
    binary = bytes(range(256)).decode("latin-1") * 4_000
    assert len(index_terms(binary).terms) <= MAX_TERMS
    assert index_terms("x" * 1_000_000).terms == ("x" * MAX_TERM,)
    assert len(index_terms("猫" * 1_000_000).terms) <= MAX_TERMS
    assert len(query_terms("猫犬" * 1_000_000, ["zh", "ja"])) <= MAX_TERMS


@rows("unit", ["a@", "a.", "\U0001f44d", "aB", "www.a/", "'a", "1,", "\u0301", "가"])
def test_no_chunk_gives_more_than_a_text_may(unit):
    """A text without blanks is bounded, too."""
    assert len(index_terms(unit * 100_000).terms) <= MAX_TERMS
    assert len(query_terms(unit * 100_000 + "@", ["en", "de"])) <= MAX_TERMS


def test_no_languages_yet():
    """An empty index is asked in the query's own language."""
    assert query_terms("Wo sind die Häuser?", []) == index_terms_of("Wo sind die Häuser?")


def index_terms_of(text):
    """The document's terms as a list without repetition."""
    return list(dict.fromkeys(index_terms(text).terms))


def test_threads_agree():
    """Stemmers keep a buffer, so each thread has its own: the terms stay right under load."""
    words = [f"running{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}ations" for i in range(600)]
    expected = [index_terms(f"the {word} are jumping") for word in words]
    wrong: list[IndexTerms] = []

    def work() -> None:
        from recollect.memory.language.analysis.terms import _remembered

        for word, right in zip(words, expected, strict=True):
            _remembered.cache_clear()
            made = index_terms(f"the {word} are jumping")
            if made != right:
                wrong.append(made)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@rows(
    "text, language, lowered",
    [
        ("Mia sorella canta con Mia", "it", "mia sorella canta con Mia"),
        ("Canto. Mia sorella balla", "it", "Canto. mia sorella balla"),
        ("Ben geldim, Ben de geldi", "tr", "ben geldim, Ben de geldi"),
        ("Mia sings", "en", "Mia sings"),
    ],
)
def test_a_sentence_begins_with_the_pronoun(text, language, lowered):
    """In the languages in which it is one."""
    assert pronouns_lowered(text, language) == lowered


def test_a_name_does_not_vanish():
    """Neither from a question nor from a memory, in the language whose pronoun it is."""
    asked = query_terms("Quando compie gli anni la piccola Mia?", {"it"})
    told = index_terms("La figlia più piccola dell'utente si chiama Mia e ha tre anni")
    assert told.language == "it"
    assert "mia" in set(asked) & set(told.terms)
    assert "mia" not in query_terms("Dove abita la mia sorella?", {"it"})
    assert "mia" not in index_terms("Mia sorella abita a Bari con la zia").terms
