"""The terms of every language, as the judge reads them."""

import pytest

from recollect.memory.trust.quarantine.cues import cues
from recollect.memory.trust.quarantine.lexicon import PACKS


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.language)
def test_every_field_of_every_language_has_terms(pack):
    """No language is blind to a cue that others see."""
    assert not [name for name, terms in pack.terms().items() if not terms]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.language)
def test_every_term_is_found_in_a_text(pack):
    """What is listed is matched in the form in which texts are read, inflected terms included."""
    missed = [
        (name, term)
        for name, terms in pack.terms().items()
        for term in terms
        if name not in cues(f"... {term.rstrip('*')}, 1")
    ]
    assert not missed


def test_the_languages_that_were_promised_are_there():
    """Twelve languages have a pack of their own."""
    assert {pack.language for pack in PACKS} == {
        *("en", "de", "es", "fr", "pt", "it"),
        *("nl", "zh", "ja", "hi", "ar", "ru"),
    }
