"""Texts become terms: questions meet their answers in every language."""

from __future__ import annotations

import threading

from hypothesis import example, given
from hypothesis import strategies as st

from recollect.memory.language import (
    index_terms,
    language_of,
    names_in,
    packs,
    query_terms,
    speaker_of,
)
from recollect.memory.language.analysis.parts import MAX_TERM, number_words, parts_of, spoken_digits
from recollect.memory.language.analysis.stems import stem, stemming_language
from recollect.memory.language.analysis.terms import MAX_TERMS, IndexTerms, pronouns_lowered
from recollect.memory.language.analysis.unspaced import hangul_terms, unspaced_terms
from recollect.memory.language.detect import function_words
from recollect.memory.language.fold import fold
from tests.support.folding import rows
from tests.support.tables import tables

PAIRS = [
    (
        "en",
        "When did the children go to the museum?",
        "Melanie: Yesterday I took my child to museums.",
    ),
    ("en", "What did she buy?", "She bought a necklace"),
    ("de", "Wo stehen die Häuser meiner Eltern?", "Das Haus der Eltern steht in Ulm."),
    ("es", "¿Cuáles son las canciones que me gustan?", "Mi canción favorita es un bolero."),
    ("fr", "Quelles sont mes allergies ?", "Je suis allergique, une allergie aux arachides."),
    ("pt", "Quais são os livros que comprei?", "Ontem eu comprei um livro novo"),
    ("it", "Quali funghi non mi piacciono?", "Non mi piace il fungo porcino"),
    ("nl", "Welke boeken heb ik gelezen?", "Ik heb een boek over Rome gelezen"),
    ("sv", "Vilka hundar har jag?", "Jag har en hund och en katt"),
    ("ru", "Как зовут моих собак?", "Моя собака живёт в Казани"),
    ("zh", "我的猫叫什么名字?", "我家的猫名叫小白"),
    ("ja", "好きなコーヒーは?", "私はコーヒーが好きです"),
    ("ko", "고양이 이름이 뭐야?", "우리 고양이는 나비라고 해요"),
    ("hi", "मेरी किताबें कहाँ हैं?", "मेरी किताब मेज़ पर है"),
    ("ar", "أين تقع المدرسة؟", "تقع مدرسة ابنتي في القاهرة"),
]


@rows("language, question, answer", PAIRS)
def test_a_question_meets_its_answer(language, question, answer):
    """By words that say something, whatever their endings."""
    terms = index_terms(answer)
    assert terms.language == language
    shared = set(query_terms(question, {language})) & set(terms.terms)
    assert shared
    assert not shared & {fold(word) for word in function_words().get(language, ())}


@rows("language, question, answer", PAIRS)
def test_other_documents_take_nothing_away(language, question, answer):
    """A user who writes in several languages finds what one with a single language finds."""
    alone = query_terms(question, {language})
    assert set(alone) <= set(query_terms(question, {language, "en", "de", "und", "zh"}))


def test_another_stemmer_reads_the_query_too():
    """An English question meets a name in documents that were stemmed as Spanish."""
    document = index_terms("El cumpleaños de Joanna es en mayo")
    assert document.language == "es"
    assert "joann" in set(query_terms("When is Joanna born?", {"en", "es"})) & set(document.terms)
    assert "joann" not in query_terms("When is Joanna born?", {"en"})


def test_function_words_say_nothing():
    """They are left out of documents and of questions."""
    assert index_terms("What is it that we have been to?").terms == ()
    assert query_terms("What is it that we have been to?", {"en", "de"}) == []


def test_mixed_scripts_are_each_read_their_way():
    """English words in a Chinese text are stemmed, names beside Hangul particles are found."""
    chinese = index_terms("我喜欢running和咖啡")
    assert chinese.language == "zh"
    assert {"run", "咖啡"} <= set(chinese.terms)
    assert "iphon" in index_terms("iPhone을 샀어요").terms
    assert language_of("私はGoogleで働いています") == "ja"


def test_capitals_keep_words_that_would_be_function_words():
    """The month, the name and the country are what a memory is about."""
    assert index_terms("We met Will in May in the US").terms == ("meet", "will", "may", "us")
    assert index_terms("he will, and may, ask us").terms == ("ask",)


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


@rows("form, base", [
        ("went", "go"), ("going", "go"), ("bought", "buy"), ("ran", "running"), ("took", "takes"),
        ("thought", "think"), ("wrote", "writing"), ("children", "child"), ("people", "person"),
    ])  # fmt: skip
def test_irregular_forms_meet_their_base(form, base):
    """Chat is told in the past tense."""
    assert stem("en", form) == stem("en", base)


def test_no_base_form_is_a_form_of_another():
    """One look at the table is enough."""
    for code, pack in packs().items():
        rows = pack.words.irregular
        assert not {row[0] for row in rows} & {form for row in rows for form in row[1:]}, code


@rows("language, word, rules", ROWS["a word of another script follows its own rules"])
def test_a_word_of_another_script_follows_its_own_rules(language, word, rules):
    """The text's language decides only inside its script."""
    assert stemming_language(language, word) == rules


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


@rows("text, language, lowered", ROWS["a sentence begins with the pronoun"])
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


@rows("query", ["猫", "小白", "咖啡"])
def test_one_word_finds_a_sentence(query):
    """A single character is a word, too."""
    document = index_terms("我养了一只猫叫小白，它喜欢咖啡馆")
    assert set(query_terms(query, {document.language})) & set(document.terms)


def test_loan_words_are_whole_and_found_in_compounds():
    """Katakana is written in words; a final long vowel may be left out."""
    assert list(unspaced_terms("ハワイ")) == ["ハワイ"]
    assert set(unspaced_terms("コンピューター")) == set(unspaced_terms("コンピュータ"))
    assert "ハワイ" in unspaced_terms("ハワイアン")


def test_particles_say_nothing():
    """Pairs of function characters and endings are left out, pairs with content stay."""
    assert list(unspaced_terms("です")) == []
    assert "的了" not in unspaced_terms("我的了")
    assert "食べ" in unspaced_terms("食べました")


def test_marks_stay_with_their_letter():
    """A Thai vowel sign above is no unit of its own."""
    assert list(unspaced_terms("กินข้าว")) == ["กิน", "นข้", "ข้า", "าว"]


@rows("query, document", [("집", "집에"), ("고양이", "고양이는"), ("학교", "학교에서")])
def test_korean_particles_are_no_obstacle(query, document):
    """A noun meets itself with a particle."""
    assert set(hangul_terms(query)) & set(hangul_terms(document))
