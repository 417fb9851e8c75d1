"""What a request needs of a profile."""

import pytest

from recollect.memory.recall.profile import Need
from recollect.memory.recall.profile.need import ANY_TOPIC
from recollect.memory.recall.prototypes import MessageMeaning


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?", "Who am I?", "Was weißt du über mich?", "Que sais-tu de moi ?",
        "¿Qué sabes de mí?", "Cosa sai di me?", "O que você sabe sobre mim?", "Co o mnie wiesz?",
        "Что ты обо мне знаешь?", "Hakkımda ne biliyorsun?", "ماذا تعرف عني؟",
        "तुम मेरे बारे में क्या जानते हो?", "私について何を知っていますか？", "나에 대해 뭘 알아?",
        "关于我你知道些什么？", "Wat weet je over mij?",
        "Què saps de mi?", "Digue'm tot el que recordes sobre mi",
        "Co o mně víš?", "Kdo vlastně jsem?",
        "Hvad ved du om mig?", "Kan du huske hvem jeg er?",
        "Τι ξέρεις για μένα;", "Θυμάσαι τίποτα για εμένα;",
        "درباره من چه می‌دانی؟", "من کی هستم؟",
        "Mitä tiedät minusta?", "Kerro kaikki mitä muistat minusta",
        "Mit tudsz rólam?", "Tudod, ki vagyok?",
        "Apa yang kamu tahu tentang saya?", "Kamu masih ingat siapa aku?",
        "Hva vet du om meg?", "Hva husker du av det jeg har fortalt deg?",
        "Ce știi despre mine?", "Îți mai amintești cine sunt?",
        "Vad vet du om mig?", "Vet du vem jag är?",
        "Що ти про мене знаєш?", "Нагадай, що я тобі розповідала",
        "Bạn biết gì về tôi?", "Bạn có nhớ tôi là ai không?",
    ],
)  # fmt: skip
def test_questions_about_the_user_are_known(text):
    """In every language with a file."""
    assert Need.of(text).about_user


@pytest.mark.parametrize(
    "text",
    [
        "What should I cook tonight?",
        "Plan a weekend in Prague for us",
        "Was soll ich heute kochen?",
        "Qu'est-ce que je peux offrir à ma mère ?",
    ],
)
def test_who_speaks_of_themselves_may_need_a_constraint(text):
    """Where only words are read, whatever the topic is."""
    assert Need.of(text).topics == ANY_TOPIC


@pytest.mark.parametrize(
    "text",
    [
        "Who invented the microwave oven?",
        "When was the first passport issued?",
        "What does allergen mean?",
        "Translate 'good appetite' into Danish",
        "Why is the sky blue?",
    ],
)
def test_questions_of_knowledge_need_no_profile(text):
    """Also those that mention food or travel."""
    assert Need.of(text) == Need(about_user=False, topics=frozenset())


def test_meaning_decides_where_it_tells_anything():
    """Words are not read then."""
    assert Need.of("xyzzy", MessageMeaning(frozenset({"food"}))).topics == {"food"}
    assert Need.of("What should I cook tonight?", MessageMeaning()).topics == frozenset()


def test_meaning_tells_a_question_about_the_user_too():
    """In wordings that no list has."""
    assert Need.of("xyzzy", MessageMeaning(about_user=True)).about_user
