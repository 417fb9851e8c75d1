"""The signs of planted facts, as the judge reads them."""

from dataclasses import fields

from recollect.memory.language import packs, scan
from recollect.memory.language.sections import Planting
from tests.support.folding import rows

WRITTEN = ("ar", "de", "en", "es", "fr", "hi", "it", "ja", "nl", "pt", "ru", "zh")
FIELDS = [spec.name for spec in fields(Planting)]


def written(term):
    """A word that the term finds."""
    return f"{term}a" if term.endswith("'") else term.rstrip("*")


@rows("code", WRITTEN)
def test_every_field_of_every_language_has_terms(code):
    """No language is blind to a cue that others see; not all have articles."""
    cues = [name for name in FIELDS if name not in {"article", "possessive"}]
    assert not [name for name in cues if not getattr(packs()[code].planting, name)]


@rows("code", WRITTEN)
def test_every_term_is_found_in_a_text(code):
    """What is listed is matched in the form in which texts are read, inflected terms included."""
    terms = packs()[code].planting
    missed = [
        (name, term)
        for name in FIELDS
        for term in getattr(terms, name)
        if not scan(f"... {written(term)}, 1").has(f"planting.{name}")
    ]
    assert not missed
