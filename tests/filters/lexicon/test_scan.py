"""One pass over a message finds its words, languages and cues."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.lexicon import Cue, Lexicon, scan
from recollect.filters.lexicon.fold import fold, split
from recollect.filters.lexicon.index import build_index
from recollect.filters.lexicon.scan import HEAD_WORDS, TAIL_WORDS
from recollect.filters.lexicon.table import LEXICONS


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("where is the key of the shed", "en"),
        ("wo ist der Schlüssel für den Schuppen", "de"),
        ("¿dónde está la llave de los vecinos?", "es"),
        ("où est la clé de la maison avec les volets", "fr"),
        ("onde está a chave da casa com o portão", "pt"),
        ("chabi kahan hai aur kiske paas hai", "hi"),
        ("钥匙在哪里", "zh"),
        ("鍵はどこですか", "ja"),
        ("चाबी कहाँ है", "hi"),
        ("أين المفتاح", "ar"),
    ],
)
def test_the_language_is_told_by_script_and_function_words(text, code):
    """The right language is always among those that are considered."""
    assert code in scan(text).languages


@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("where did I put it", True),
        ("WHERE DID I PUT IT", True),
        ("which US states border Canada", False),
        ("when did Charles I lose his head", False),
        ("who sang My Sweet Lord", False),
        ("variable my_name and our_team", False),
        ("what is the deepest gold mine", False),
        ("is that book mine", False),
        ("die Schule ist unser Thema", True),
    ],
)
def test_first_persons_are_told_from_what_looks_like_them(text, personal):
    """Numerals, acronyms, titles and identifiers are no pronouns."""
    assert scan(text).has(Cue.SELF) is personal


def test_a_wrapper_hides_its_pronoun():
    """The words "tell me" are a request, not the user speaking of themselves."""
    assert not scan("Can you tell me what tin is?").has(Cue.SELF)
    assert scan("Can you tell me what my name is?").has(Cue.SELF)


def test_case_accents_and_vowel_signs_do_not_matter():
    """What people leave out when typing is left out of the comparison."""
    assert fold("Émigré") == "emigre"
    assert fold("شُكْرًا") == fold("شكرا")
    assert fold("स्कूल") == "स्कूल"


def test_words_are_split_at_elisions_and_genitives():
    """A noun is found whatever is attached to it."""
    assert split("l'autre chat d'Anna") == ["l'", "autre", "chat", "d'", "Anna"]
    assert split("Ben's can't") == ["Ben", "'s", "can't"]
    assert split("猫は3匹") == ["猫", "は", "3", "匹"]


@given(st.text())
def test_any_text_can_be_scanned(text):
    """Cues lie within the words, and words are bounded."""
    found = scan(text)
    assert len(found.raw) == len(found.words) <= HEAD_WORDS + TAIL_WORDS
    assert all(0 <= hit.start < hit.end <= len(found.words) for hit in found.hits)


@pytest.mark.parametrize("phrase", ["", "| ", ".. word", "ab*"])
def test_a_broken_phrase_is_refused(phrase):
    """A mistake in a language pack shows at import, not in a verdict."""
    with pytest.raises(ValueError, match=r"phrase|short"):
        build_index([Lexicon(code="xx", stop="", cues={Cue.SELF: f"fine|{phrase}"})])


@pytest.mark.parametrize("code", sorted(set(LEXICONS) - {"any"}))
def test_every_language_can_tell_every_important_cue(code):
    """A pack that lacks one of these would skip or recall everything."""
    needed = {Cue.SELF, Cue.GREET, Cue.OPENER, Cue.STRONG, Cue.TASK, Cue.ADVICE, Cue.TRANSFORM}
    assert needed <= set(LEXICONS[code].cues)
