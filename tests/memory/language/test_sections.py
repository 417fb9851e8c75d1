"""The sections of a pack, and the rules that their terms keep."""

from __future__ import annotations

from dataclasses import fields

from recollect.memory.language import packs, scan
from recollect.memory.language.sections import (
    Planting,
)
from recollect.memory.language.words import folded_words
from tests.support.folding import rows

READ = tuple(code for code, pack in packs().items() if pack.people.kin)


@rows("code", READ)
def test_everybody_is_named(code):
    """The user, whoever speaks or is spoken of, and whoever else a statement may be about."""
    people = packs()[code].people
    assert all((people.user, people.first_person, people.kin, people.roles))


@rows("code", READ)
def test_nobody_is_kin_and_role(code):
    """No word stands in two of the fields, however it is accented."""
    people = packs()[code].people
    words = [
        tuple(folded_words(word)) for terms in (people.kin, people.roles) for word in set(terms)
    ]
    assert len(words) == len(set(words))


COMPARING = tuple(code for code, pack in packs().items() if pack.changes.negated)
CUES = {
    "ar": ("لم يعد", "لا"),
    "de": ("nicht mehr", "kein"),
    "en": ("no longer", "not"),
    "es": ("ya no", "no"),
    "fr": ("ne fume plus", "pas"),
    "hi": ("अब नहीं", "नहीं"),
    "pt": ("já não", "não"),
    "zh": ("不再", "不"),
}
"""The contrary of a statement, and that something is not so."""
MARKS = ("contrary", "negated")


def test_the_languages():
    """A language that says what is not so says all else that two statements are compared by."""
    assert set(CUES) <= set(COMPARING)
    for code in COMPARING:
        changes = packs()[code].changes
        assert changes.conjunctions, code
        assert changes.denies_next or changes.denies_before


@rows("code, cues", CUES.items())
def test_each_cue_is_found(code, cues):
    """A cue of each kind is found, and none in a text without words."""
    for mark, cue in zip(MARKS, cues, strict=True):
        assert (code, f"changes.{mark}") in {
            (hit.language, hit.field) for hit in scan(f"... {cue}.").found(f"changes.{mark}")
        }
    assert not scan("...").section("changes")


WRITTEN = ("ar", "de", "en", "es", "fr", "hi", "it", "ja", "nl", "pt", "ru", "zh")
FIELDS = [spec.name for spec in fields(Planting)]


def written(term):
    """A word that the term finds."""
    return f"{term}a" if term.endswith("'") else term.rstrip("*")


@rows("code", WRITTEN)
def test_every_field_of_every_language_has_terms(code):
    """No language is blind to a cue that others see."""
    assert not [name for name in FIELDS if not getattr(packs()[code].planting, name)]


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


def test_a_persona_needs_both_its_parts():
    """The beginning of instructions says nothing without a role, and the other way round."""
    assert not [
        code for code, pack in packs().items() if pack.turns.addressed and not pack.turns.role
    ]
