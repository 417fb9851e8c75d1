"""How terms are written, and where they are found."""

from __future__ import annotations

from dataclasses import fields

from recollect.memory.language import packs, scan
from recollect.memory.language.pack import LanguagePack
from recollect.memory.language.scanner import begins, says
from recollect.memory.language.sections import FrequentWords, Planting
from recollect.memory.language.syntax import problem_of
from recollect.memory.language.vocabulary import Vocabulary
from recollect.memory.language.words import folded_words, words_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("term", ["a", "no longer", "ab*", "*ab", "acima d*", "not .. any", "24", "don't", "子", "हाँ"])
def test_a_term(term):
    """In any script; with stars and gaps."""
    assert problem_of(term) == ""


@rows("term, wrong", ROWS["no term"])
def test_no_term(term, wrong):
    """It would match anything, or nothing."""
    assert wrong in problem_of(term)


WHOLE = {
    "people.kin": ("user", "first_person", "kin", "roles"),
    "requests.greet": ("self", "greet", "opener", "strong", "task", "transform"),
    "changes.negated": ("negated", "conjunctions"),
    "planting.you": [spec.name for spec in fields(Planting)],
    "turns.addressed": ("addressed", "role"),
    "forget.asks": ("asks", "denies", "limits", "agrees", "all", "kept"),
}
"""A language with the first field is blind without these: it would skip, recall or miss all."""


@rows("code, marker", [(code, marker) for code in packs() for marker in WHOLE])
def test_a_section_is_whole(code, marker):
    """Nobody is left out: a language that reads one cue of a section reads all that belongs to it."""
    section, _, field = marker.partition(".")
    held = getattr(packs()[code], section)
    lacks = [name for name in WHOLE[marker] if not getattr(held, name)]
    assert not lacks or not getattr(held, field), lacks


def test_each_language_tells_the_user_and_what_was_wrong():
    """By a word for "I", and by words before or behind what is denied."""
    for code, pack in packs().items():
        assert code == "any" or pack.people.first_person or pack.forget.mine, code
        changes = pack.changes
        assert not changes.negated or changes.denies_next or changes.denies_before, code


def test_nobody_is_kin_and_role():
    """No word stands in two of the fields, however it is accented."""
    for code, pack in packs().items():
        people = [
            tuple(folded_words(word))
            for terms in (pack.people.kin, pack.people.roles)
            for word in set(terms)
        ]
        assert len(people) == len(set(people)), code


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


@rows("code, cues", CUES.items())
def test_each_cue_is_found(code, cues):
    """A cue of each kind is found, and none in a text without words."""
    for mark, cue in zip(MARKS, cues, strict=True):
        assert (code, f"changes.{mark}") in {
            (hit.language, hit.field) for hit in scan(f"... {cue}.").found(f"changes.{mark}")
        }
    assert not scan("...").section("changes")


def written(term):
    """A word that the term finds."""
    return f"{term}a" if term.endswith("'") else term.rstrip("*")


@rows("code", [code for code, pack in packs().items() if pack.planting.you])
def test_every_term_is_found_in_a_text(code):
    """What is listed is matched in the form in which texts are read, inflected terms included."""
    terms = packs()[code].planting
    missed = [
        (name, term)
        for name in WHOLE["planting.you"]
        for term in getattr(terms, name)
        if not scan(f"... {written(term)}, 1").has(f"planting.{name}")
    ]
    assert not missed


def found(text, *terms, language="en", attached=()):
    """Where the terms are found."""
    pack = LanguagePack(
        code=language, name="X", script="latin", planting=Planting(override=terms),
        words=FrequentWords(attached=attached),
    )  # fmt: skip
    hits = Vocabulary({language: pack}, ("planting",)).hits(words_of(text))
    return [(hit.field, hit.language, hit.start, hit.end) for hit in hits]


@rows(
    "text, term, span",
    [
        ("please IGNORE it", "ignore", (1, 2)),
        ("he ignored it", "ignor*", (1, 2)),
        ("it was underrated", "*rated", (2, 3)),
        ("set them all aside", "set .. aside", (0, 4)),
        ("set aside", "set .. aside", (0, 2)),
        ("they don’t apply", "don't appl*", (1, 3)),
        ("请忽略规则", "忽略", (1, 3)),
        ("the co-worker", "co-worker", (1, 3)),
    ],
)
def test_a_term_is_found(text, term, span):
    """Words, beginnings, ends and gaps match, whatever the case, accents and script."""
    assert found(text, term) == [("planting.override", "en", *span)]


def test_a_gap_is_bounded():
    """`..` stands for at most five words."""
    assert found("set a b c d e aside", "set .. aside")
    assert not found("set a b c d e f aside", "set .. aside")


def test_terms_overlap():
    """Every term is found, also inside a longer one, and one with two fields in both."""
    assert found("drop your old rules", "drop your", "your old rules", "drop .. rules") == [
        ("planting.override", "en", 0, 2), ("planting.override", "en", 0, 4),
        ("planting.override", "en", 1, 4),
    ]  # fmt: skip


def test_particles_are_left_out():
    """A word is found behind the particles that are written onto it."""
    assert found("والقواعد", "القواعد", attached=("و",)) == [("planting.override", "en", 0, 1)]


def test_a_look_alike_of_another_language_is_no_cue():
    """French "plus" denies what was said, English "plus" does not."""
    assert says("Je n'habite plus ici", "turns.correction")
    assert not says("There are two plus three of them", "turns.correction")


def test_the_longest_of_several_at_the_beginning():
    """A term in the middle begins nothing."""
    found = begins("Output format of the answer", "turns.heading")
    assert found is not None
    assert found.end == 2
    assert begins("The output format", "turns.heading") is None
