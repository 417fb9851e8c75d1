import pytest

from recollect.memory.learn.reconcile.locales import LANGUAGES, ROLES, TERMS, WIDER, Mark, pack_of

CUES = {
    "en": ("no longer", "never had", "instead", "now", "also", "plans to", "not"),
    "de": ("nicht mehr", "hatte nie", "stattdessen", "jetzt", "auch", "plant", "kein"),
    "es": ("ya no", "nunca tuvo", "en vez de", "ahora", "también", "planea", "no"),
    "fr": ("a arrêté", "n'a jamais", "au lieu de", "maintenant", "aussi", "envisage", "pas"),
    "pt": ("deixou de", "nunca teve", "em vez de", "agora", "também", "pretende", "não"),
    "zh": ("不再", "从未", "改成", "现在", "还会", "打算", "不"),
    "ja": ("やめた", "一度も", "代わりに", "現在", "また", "つもり", "ない"),
    "hi": ("छोड़ दिया", "गलत था", "के बजाय", "अब", "भी", "योजना", "नहीं"),
    "ar": ("لم يعد", "غير صحيح", "بدلا من", "الآن", "أيضا", "يخطط", "لا"),
}
"""One cue of each mark, in the order of `Mark`."""


def test_the_languages():
    """There is a pack for each language that the gate knows as well."""
    assert set(LANGUAGES) == {"en", "de", "es", "fr", "pt", "zh", "ja", "hi", "ar"} == set(CUES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pack_has_the_same_shape(language):
    """Relations have the same names everywhere, there are twelve months and seven days."""
    terms, pack = TERMS[language], pack_of(language)
    assert set(terms.kin) <= ROLES
    assert {"mother", "father", "brother", "sister", "son", "daughter"} <= set(terms.kin)
    assert set(pack.months.values()) == set(range(1, 13))
    assert set(pack.weekdays.values()) == set(range(1, 8))
    assert {"side", "order", "season", "document"} <= set(terms.contrasts)
    for name in ("user", "lead", "ceased", "changed", "added", "light", "reason", "past"):
        assert getattr(terms, name).strip(), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mark_is_found(language):
    """A cue of each kind is found in each language, and none in an empty text."""
    from recollect.memory.language.fold import fold

    pack = pack_of(language)
    for mark, cue in zip(Mark, CUES[language], strict=True):
        assert pack.marks[mark].search(fold(f" {cue} ")), (mark, cue)
        assert not pack.marks[mark].search("")


@pytest.mark.parametrize("language", [code for code in LANGUAGES if pack_of(code).spaced])
def test_cues_are_whole_words(language):
    """A cue inside another word is none."""
    pack = pack_of(language)
    for mark, cue in zip(Mark, CUES[language], strict=True):
        if " " not in cue and "'" not in cue:
            assert not pack.marks[mark].search(f"x{cue}x"), (mark, cue)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_one_relation(language):
    """No word of kinship stands for two relations."""
    words = [word for words in TERMS[language].kin.values() for word in words.split()]
    assert len(words) == len(set(words))


def test_wider_relations_are_known():
    """What a relation may also be called is a relation itself."""
    assert set(WIDER) | set(WIDER.values()) <= ROLES


def test_a_language_without_a_pack_gets_one_all_the_same():
    """Numbers and names are the same in every language."""
    assert pack_of("sv").code == "en"
