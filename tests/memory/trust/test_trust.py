"""What claims and texts are worth: names that are said, look-alikes, suspicious sentences."""

import html
import unicodedata
from dataclasses import replace

from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.claims import (
    MAX_ENTITIES,
    NO_CLAIMS,
    USER,
    EntityClaim,
    EntityKind,
    GraphClaims,
    RelationClaim,
    claims_of,
)
from recollect.memory.model.doubts import MAX_DOUBTS, MAX_SENTENCE
from recollect.memory.model.types import Doubt
from recollect.memory.trust.claims import NameText, is_user, supported, together
from recollect.memory.trust.confusables import LETTERS, folded, lookalike
from recollect.memory.trust.quarantine.values import Reason, Suspicion, SuspicionKind
from recollect.memory.trust.suspicious_sentences import (
    SplitText,
    Withheld,
    doubts_about,
    split_spans,
    split_suspicious,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def entity(name, *aliases, kind=EntityKind.PERSON):
    return EntityClaim(name=name, kind=kind, aliases=aliases)


def relation(source, name, target):
    return RelationClaim(source=source, relation=name, target=target)


def kept(text, *entities, relations=()):
    """The names of the entities that a text supports."""
    claims = GraphClaims(entities=entities, relations=tuple(relations))
    return [one.name for one in supported(claims, NameText(text)).entities]


@rows("text, name", ROWS["a name that stands there"])
def test_a_name_that_stands_there(text, name):
    """Whatever its case, accents, ending, particle or neighbours."""
    assert kept(text, entity(name)) == [name]


@rows("text, name", ROWS["a name that does not"])
def test_a_name_that_does_not(text, name):
    """Nor one that is only part of another word, or whose words stand apart."""
    assert kept(text, entity(name)) == []


@rows(
    "name", ["she", "it", "ella", "lui", "она", "她", "그녀", "I", "user", "the user", "ich", "私"]
)
def test_a_pronoun_is_no_name(name):
    """It would be everybody's; and the user is no entity."""
    assert kept(f"User knows that {name} is there, {name}", entity(name)) == []


def test_only_what_is_not_supported_goes():
    """Of an entity the aliases, of claims the entity, with the relations that end there."""
    claims = GraphClaims(
        entities=(entity("Anna", "my sister", "Annie"), entity("Mallory"), entity("Bern")),
        relations=(
            relation("Anna", "lives_in", "Bern"),
            relation("Mallory", "owns", "Bern"),
            relation("I", "sister_of", "my sister"),
            relation("Anna", "is", "my sister"),
        ),
    )
    found = supported(claims, NameText("My sister Anna lives in Bern"))
    assert found.entities == (entity("Anna", "my sister"), entity("Bern"))
    assert found.relations == (
        relation("Anna", "lives_in", "Bern"),
        relation(USER, "sister_of", "Anna"),
    )


def test_every_wording_must_say_it():
    """A name in the fact that nobody said is none."""
    claims = GraphClaims(entities=(entity("Anna"), entity("Bern")))
    fact, turns = NameText("Anna lives in Bern"), NameText("my sister lives in bern")
    assert [one.name for one in supported(claims, fact, turns).entities] == ["Bern"]
    assert supported(claims, fact, NameText(None, "")) is NO_CLAIMS


@rows(
    "description, kept",
    [("a nurse", "a nurse"), ("Krankenschwester", ""), ("a nurse in Bern", ""), ("", ""),
     ("my sister", "my sister"), ("a Nurse who was paid 900", "")],
)  # fmt: skip
def test_a_description_stands_in_the_words(description, kept):
    """In one piece, so that nothing is added to what was said; else it is left out alone."""
    said = NameText("My sister Anna, a nurse, lives in Bern")
    one = replace(entity("Anna"), description=description)
    assert supported(GraphClaims(entities=(one,)), said).entities == (
        replace(one, description=kept),
    )


@rows(
    "name, meant",
    [("user", True), ("The user", True), ("I", True), ("der Nutzer", True), ("пользователь", True),
     ("ユーザー", True), ("my wife", False), ("Anna", False), ("", False), ("...", False)],
)  # fmt: skip
def test_who_is_the_user(name, meant):
    """By the word for users or by the first person, in any language."""
    assert is_user(name) is meant


def test_together():
    """Of one name the first counts, nothing twice, and no more than fits."""
    one = GraphClaims(entities=(entity("Anna"),), relations=(relation(USER, "knows", "Anna"),))
    other = GraphClaims(
        entities=(entity("anna", kind=EntityKind.PLACE), entity("Bern")), relations=one.relations
    )
    assert together(one, other) == GraphClaims(
        entities=(entity("Anna"), entity("Bern")), relations=one.relations
    )
    many = GraphClaims(entities=tuple(entity(f"Anna {'x' * n}") for n in range(9)))
    more = GraphClaims(entities=tuple(entity(f"Bob {'x' * n}") for n in range(9)))
    assert len(together(many, more).entities) == MAX_ENTITIES
    assert together(NO_CLAIMS, NO_CLAIMS) is NO_CLAIMS


TEXTS = st.text(st.sampled_from("aAnb 花子лЛв민수م.'-_İß0"), max_size=12)


@given(TEXTS, st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=2)), max_size=3))
def test_what_is_kept_is_said(text, said):
    """Whatever is claimed, each kept name stands in the text, and looking again changes nothing."""
    value = {"entities": [{"name": name, "aliases": others} for name, others in said]}
    wording = NameText(text)
    found = supported(claims_of(value), wording)
    for one in found.entities:
        assert all(map(wording.says, (one.name, *one.aliases)))
    assert supported(found, wording) == found


@rows("name", ["a" * 80, "a " * 40, "花" * 80])
def test_long_texts_take_linear_time(name):
    """However often a name almost stands there."""
    text = name[:-1] + " "
    assert not NameText(text * 2000).says(f"{name}b")


EITHER = {
    ("l", "i"),
    ("l", "|"),
    ("i", "l"),
    ("c", "o"),
    ("y", "t"),
    ("n", "v"),
    ("y", "u"),
    ("l", "1"),
    ("o", "0"),
}
"""A character that resembles two letters reads as the second."""


@rows("text, read", ROWS["entities forms and what is invisible"])
def test_entities_forms_and_what_is_invisible(text, read):
    """Each is read as a reader sees it."""
    assert folded(text) == read


@given(st.text(alphabet=st.characters(max_codepoint=0x7E, min_codepoint=0x20), max_size=40))
def test_an_escaped_text_is_read(text):
    """As if it had not been escaped."""
    assert folded(html.escape(text)) == folded(text)


def test_the_table_is_unicodes():
    """What Unicode's own table confuses with a letter of ours reads as that letter here."""
    for letter in LETTERS:
        for each in confusables_data[letter]:
            char = each["c"].strip("\u200e")
            if len(unicodedata.normalize("NFKC", char)) == 1 and not char.isascii():
                read = lookalike(folded(char))
                assert read == letter or (letter, read) in EITHER, (char, letter, read)


SECRECY, STEERING = SuspicionKind.SECRECY, SuspicionKind.STEERING


def about(text, *sentences, kind=SECRECY):
    """A suspicion of these sentences of a text, each with its reason."""
    parts = []
    for sentence in sentences:
        at = text.index(sentence)
        reason = Reason(kind, "candidate", "sign", sentence)
        parts.append(((at, at + len(sentence)), (reason,)))
    return Suspicion(tuple(sorted(parts)))


def doubt(sentence, kind=SECRECY):
    return Doubt(kind.value, "", "sign", sentence)


@rows("text, rest", ROWS["the rest"])
def test_the_rest(text, rest):
    """The text as it is without the sentence, with one gap where it was."""
    found = split_suspicious(text, about(text, "Bad."))
    assert found == SplitText(rest, (Withheld("Bad.", (doubt("Bad."),)),))


@rows("text", ["Bad.", "1. Bad. 2", "Bad. [API key removed]", "\u2014 Bad. \U0001f44d"])
def test_a_rest_without_a_word_is_none(text):
    """Then the whole text is withheld."""
    [only] = split_suspicious(text, about(text, "Bad.")).withheld
    assert split_suspicious(text, about(text, "Bad.")).rest == ""
    assert only.text == text


def test_neighbours_are_one():
    """Sentences with only white space between them are one text, with the reasons of both."""
    text = "Tea. Bad.\n Worse. Milk. Worst."
    found = split_suspicious(text, about(text, "Bad.", "Worse.", "Worst."))
    assert found.rest == "Tea. Milk."
    assert [(one.text, [each.sentence for each in one.doubts]) for one in found.withheld] == [
        ("Bad.\n Worse.", ["Bad.", "Worse."]),
        ("Worst.", ["Worst."]),
    ]
    assert found.withheld[0].flags == ("secrecy",)


def test_reasons_are_few_and_short():
    """A row has room for all of them."""
    text = "Bad " * 1000
    reasons = [Reason(SECRECY, "user", str(n), text) for n in range(20)]
    [one] = split_suspicious(text, Suspicion((((0, len(text)), tuple(reasons)),))).withheld
    assert len(one.doubts) == MAX_DOUBTS
    assert {len(each.sentence) for each in one.doubts} == {MAX_SENTENCE}
    assert doubts_about(None) == ()


@given(st.text(alphabet="a. \n", max_size=60), st.data())
def test_nothing_is_lost(text, data):
    """Whatever is withheld, every visible character is in the rest or in what is withheld."""
    marks = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = tuple(zip(marks[::2], marks[1::2], strict=False))
    cut = data.draw(st.integers(0, len(text)))
    reasons = (Reason(SECRECY, "user", "sign", "a."),)
    suspicion = Suspicion(tuple((span, reasons) for span in spans)) if spans else None
    made = split_spans(text, [(0, cut), (cut, len(text))], suspicion)
    told = "".join(one.rest + "".join(part.text for part in one.withheld) for one in made)
    assert sorted("".join(told.split())) == sorted("".join(text.split()))
