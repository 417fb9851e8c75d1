"""The language of a text, and the function words of each."""

from __future__ import annotations

from recollect.memory.language import language_of, languages_of, words_of
from recollect.memory.language.detect import FALLBACK, UNKNOWN, function_words, function_words_of
from recollect.memory.language.registry import packs
from tests.support.folding import rows

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
