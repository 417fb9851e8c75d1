"""The language of a text, and the numbers, units and times of day in it."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import language_of, languages_of, words_of
from recollect.memory.language.detect import FALLBACK, UNKNOWN, function_words, function_words_of
from recollect.memory.language.registry import packs
from recollect.memory.language.scripts import is_all_latin
from recollect.memory.language.values import (
    ClockTime,
    clocks_of,
    composed,
    derived,
    follows,
    is_unit,
    numbers_of,
    units_of,
    values_of,
)
from tests.support.folding import rows
from tests.support.tables import tables

SENTENCES = {
    "en": ["What is my dog's name?", "I moved to Boston last year.", "User likes Python"],
    "de": ["Wie heißt mein Hund?", "Anna mag keine Pilze", "Wo arbeite ich?"],
    "es": ["¿Cómo se llama mi perro?", "Vivimos cerca de la playa", "Mi hermana se casó en junio"],
    "fr": [
        "Comment s'appelle mon chien ?",
        "Anne n'aime pas les champignons",
        "quand part son vol",
    ],
    "pt": ["Qual é o nome do meu cachorro?", "Sou alérgico a amendoim", "Onde eu trabalho?"],
    "it": ["Come si chiama il mio cane?", "Abitiamo vicino alla spiaggia", "Dove lavoro?"],
    "nl": ["Hoe heet mijn hond?", "Waar werk ik?", "Anna houdt niet van paddenstoelen"],
    "sv": ["Vad heter min hund?", "Var jobbar jag?", "Min syster gifte sig i juni"],
    "da": ["Hvad hedder min hund?"],
    "pl": ["Jak ma na imię mój pies?"],
    "tr": ["Köpeğimin adı ne?"],
    "fi": ["Mikä on koirani nimi?"],
    "ru": ["Как зовут мою собаку?", "Анна не любит грибы"],
    "uk": ["Торік я переїхав до Львова."],
    "zh": ["我的狗叫什么名字?", "我在Google工作"],
    "ja": ["私の犬の名前は何ですか?", "ユーザーはお茶が好き"],
    "ko": ["내 강아지 이름이 뭐야?", "저는 Google에서 일해요"],
    "hi": ["मेरे कुत्ते का नाम क्या है?"],
    "ar": ["ما اسم كلبي؟"],
    "fa": ["اسم سگ من چیست؟"],
    "el": ["Πώς λένε τον σκύλο μου;"],
    "he": ["מה השם של הכלב שלי?"],
    "th": ["สุนัขของฉันชื่ออะไร"],
    "und": ["", "12345", "\U0001f44d", "Foo qux", "...", "\ud800"],
}


@rows(
    "language, sentence",
    [(language, sentence) for language, some in SENTENCES.items() for sentence in some],
)
def test_language_of(language, sentence):
    """A sentence with everyday words gives its language away."""
    assert language_of(sentence) == language


def test_a_foreign_name_makes_no_foreign_text():
    """One Russian word in an English line, one English word in a Russian one."""
    assert (
        language_of(
            "We have met \u041a\u0440\u044b\u043b\u043e\u0432 at the station yesterday morning"
        )
        == "en"
    )
    assert language_of("Я работаю в Google") == "ru"


@rows(
    "text, language",
    [
        ("Mbwa wangu anaitwa Simba", UNKNOWN),
        ("ჩემს ძაღლს ბოცო ჰქვია", UNKNOWN),
        ("หมาของฉันชื่อโบโบ้", "th"),
        ("Кучето ми се казва Боцо", "ru"),
    ],
)
def test_a_language_without_a_pack_goes_by_its_script(text, language):
    """Swahili and Georgian are undetermined, Bulgarian counts as Cyrillic's main language."""
    assert language_of(text) == language


def test_latin_with_accents_is_latin():
    """Whose readers then need no tables of other scripts; a single letter of one is not."""
    assert is_all_latin("Où est-il?")
    assert not is_all_latin("Ann\u0430")


def test_packs_with_everyday_words_have_function_words():
    """Everyday words alone would never decide anything."""
    assert not [
        code
        for code, pack in packs().items()
        if (pack.words.common or pack.words.letters) and not pack.words.stop
    ]


@rows("text", ["car insurance renewal", "Son is sick", "the hat", "She'll dye it"])
def test_english_words_that_other_languages_have_stay_english(text):
    """Taken for French, "car" would be left out as a function word."""
    assert language_of(text) in {"en", UNKNOWN}


@rows(
    "text, languages",
    [
        ("Where is my sister now?", {"en"}),
        ("¿Dónde está mi hermana ahora?", {"es"}),
        ("mera kutta kahan hai", {"hi"}),
        ("私の妹はどこ", {"ja"}),
        ("我妹妹在哪里", {"zh", "ja"}),
        ("内 Anna 猫", {"zh", "ja"}),
        ("Мій пес і його ім'я", {"uk"}),
        ("Кого спитати Bob", {"ru", "uk"}),
        ("ჩემს ძაღლს", set()),
        ("12 30", set()),
        ("", set()),
    ],
)
def test_readers_of_cues_look_in_all_plausible_languages(text, languages):
    """Function words choose among the languages of a script; Latin names in Chinese are none."""
    assert languages_of(words_of(text).folded) == {"any", *languages}


def test_a_language_without_any_has_those_of_the_fallback():
    """Swahili has no pack, and Chinese has function characters instead."""
    assert function_words_of("sw") == function_words_of("zh") == function_words_of(FALLBACK)
    assert "zh" not in function_words()


@rows(
    "text",
    [
        "Customer subscribed to Pro plan on 2023-04-15.",
        "We renamed the table user_events_v3 to events_v4.",
    ],
)
def test_names_prove_no_language(text):
    """A capital inside a sentence, or a digit, makes a name: a text with no other proof has none."""
    assert language_of(text) in {FALLBACK, UNKNOWN}


ROWS = tables(__file__)


@rows(
    "text, value",
    [
        ("10,000 EUR", 10_000),
        ("10.000 EUR", 10_000),
        ("1 234 567", 1_234_567),
        ("1,234,567", 1_234_567),
        ("1.234,50", Fraction(2469, 2)),
        ("3,5 km", Fraction(7, 2)),
        ("Python 3.11", Fraction(311, 100)),
        ("twelve years", 12),
        ("fifty-five", 55),
        ("zwei Katzen", 2),
        ("四千", 4000),
        ("三十二万", 320_000),
        ("32万", 320_000),
        ("二〇二三年", 2023),
        ("两只猫", 2),
        ("十二桌", 12),
        ("१२", 12),
        ("the 5th", 5),
        ("130/85", 85),
        ("12.03.2023", 2023),
    ],
)
def test_forms_of_a_number(text, value):
    """Groups, fractions, other digits, number words and han numerals are one number."""
    assert Fraction(value) in values_of(text)


@rows(
    "fact, said",
    [("1800", "mil 1.800"), ("32000", "32 bin"), ("10k", "10,000"), ("1974", "'74"), ("1", "")],
)
def test_what_follows(fact, said):
    """A number follows from itself, from thousands, from a short year; one and none from anything."""
    assert all(follows(one, values_of(said)) for one in numbers_of(fact))


def test_what_a_reader_counts():
    """Sums, differences, products and how many there are; words with an unknown scale."""
    counted = derived([Fraction(2008), Fraction(4)])
    assert {Fraction(2012), Fraction(2004), Fraction(2)} <= counted
    assert {Fraction(250), Fraction(130), Fraction(32_000)} <= composed(
        [Fraction(n) for n in (2, 50, 1, 30, 32)]
    )


@given(st.integers(0, 10**12))
def test_a_number_in_any_writing_is_itself(number):
    """With any grouping, in any digits, a number is its own value."""
    grouped = f"{number:,}"
    arabic = str(number).translate({ord(str(n)): chr(0x660 + n) for n in range(10)})
    for form in (
        str(number),
        grouped,
        grouped.replace(",", "."),
        grouped.replace(",", " "),
        arabic,
    ):
        assert Fraction(number) in values_of(f"it is {form} now"), form


@given(st.text())
def test_any_text(text):
    """No text breaks it, and no number of a text is unsaid in it."""
    said = values_of(text)
    assert all(one.readings <= said for one in numbers_of(text))
    derived(sorted(said))
    list(units_of(text))
    clocks_of(text, bare=True)


@rows("text, unit", ROWS["one unit in many forms"])
def test_one_unit_in_many_forms(text, unit):
    """Signs, codes and names of a unit are the same, before and behind the number."""
    [(_, found)] = units_of(text)
    assert unit in found


def test_a_name_of_two_units():
    """Pounds are a weight and a currency, so neither stands against it; unknown words say nothing."""
    [(_, found)] = units_of("900 pounds")
    assert found == {"lb", "gbp"}
    assert list(units_of("900 gold")) == []
    assert is_unit("eur")
    assert not is_unit("anna")


@rows(
    "text, clock",
    [
        ("15:00", ClockTime(15, 0)),
        ("3 PM", ClockTime(3, 0, "p")),
        ("6.30 a.m.", ClockTime(6, 30, "a")),
        ("18h30", ClockTime(18, 30)),
    ],
)
def test_times_of_day(text, clock):
    """Times are read with and without minutes, in both halves of the day."""
    assert [found for _, found in clocks_of(text)] == [clock]


def test_two_writings_of_a_time():
    """15:00 is 3 PM, and 7 am is not 7 pm; without am or pm it may be either."""
    assert ClockTime(15, 0).is_like(ClockTime(3, 0, "p"))
    assert ClockTime(3, 0).is_like(ClockTime(15, 0))
    assert ClockTime(7, 0, "a").is_against(ClockTime(7, 0, "p"))
    assert not ClockTime(7, 0, "a").is_like(ClockTime(8, 0, "a"))
