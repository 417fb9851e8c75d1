"""Text to terms through the package's entrance: questions meet their answers in every language."""

from recollect.memory.language import index_terms, language_of, query_terms
from recollect.memory.language.detect import function_words
from recollect.memory.language.fold import fold
from tests.support.folding import rows

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


def test_terms_are_distinct_in_a_query_and_repeated_in_a_document():
    """Term frequency is the document's."""
    assert index_terms("Tea, tea and the teas").terms == ("tea", "tea", "tea")
    assert query_terms("tea and the teas", {"en"}) == ["tea"]


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
