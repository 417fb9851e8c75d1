"""How far an instruction reaches: for good, until a time, or in its own conversation."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.memory.language.reach import FOR_GOOD, Reach, reach_of
from tests.support.folding import rows

NOW = datetime(2026, 11, 28, 15, tzinfo=UTC)
"""A Saturday."""
HERE = Reach(here=True)


@rows(
    "text",
    [
        "For this conversation, always answer in French.", "Just for today, call me Captain.",
        "For this story, write everything in rhyme.", "Tonight always reply in Spanish.",
        "In this chat, keep it short.", "Only for this translation: always be formal.",
        "Antworte in diesem Gespräch immer auf Englisch.", "Nur für heute: Nenn mich Käpt'n.",
        "Heute Abend nennst du mich bitte Chefin.",
        "Dans cette conversation, réponds toujours en anglais.",
        "Solo por hoy, llámame Capitán.", "Per questa storia scrivi sempre in rima.",
        "Enquanto durar o jogo, fala sempre como um robô.",
        "Antwoord in dit gesprek altijd in het Engels.", "Для этой истории всегда пиши в стихах.",
        "Tylko na dziś mów mi Kapitanie.", "Bu sohbette hep İngilizce cevap ver.",
        "في هذه المحادثة أجب دائماً بالإنجليزية.", "इस बातचीत में हमेशा हिंदी में जवाब दो।",
        "この会話では必ず英語で答えてください。", "今天先叫我船长吧。",
        "이 대화에서는 항상 영어로 대답해 주세요.",
    ],
)  # fmt: skip
def test_what_is_tied_to_what_is_at_hand_is_for_its_conversation(text):
    """By words of each language, or because it ends with the day."""
    assert reach_of(text, NOW) == HERE


@rows(
    "text",
    [
        "Always answer in French.", "Call me Captain.", "From today on, answer in German.",
        "Today I decided: always answer me in German.",
        "Always answer in this style: short, dry, no jokes.",
        "In this and all future chats, answer in French.", "Dates as 14 March 2025, please.",
        "Every Monday when I say good morning give me a haiku.",
        "Schreib mir ab heute immer per Du.", "Pour cette raison, sois toujours bref.",
        "À partir d'aujourd'hui, tutoie-moi toujours.", "Dammi sempre le dosi per una persona.",
        "A partir de hoje não uses listas.", "これからはキャプテンと呼んでください。",
        "从今天起不要用表情符号。",
    ],
)  # fmt: skip
def test_what_lasts_is_for_good(text):
    """Also where a time begins it, or stands beside it."""
    assert reach_of(text, NOW) == FOR_GOOD


@rows(
    "text, until",
    [
        ("Until Friday, answer in English.", datetime(2026, 12, 5, tzinfo=UTC)),
        ("Bis Freitag antworte auf Englisch.", datetime(2026, 12, 5, tzinfo=UTC)),
        ("Jusqu'à vendredi, réponds en anglais.", datetime(2026, 12, 5, tzinfo=UTC)),
        ("Until 3 March call me Bob.", datetime(2027, 3, 4, tzinfo=UTC)),
        ("This week call me Captain.", datetime(2026, 11, 30, tzinfo=UTC)),
        ("For the next two weeks, write formally.", datetime(2026, 12, 13, tzinfo=UTC)),
    ],
)
def test_what_has_an_end_holds_until_then(text, until):
    """The day that is named belongs to it."""
    assert reach_of(text, NOW) == Reach(until=until)


def test_where_it_holds():
    """Until its end, and what is for one conversation in that alone."""
    week = Reach(until=NOW + timedelta(days=7))
    assert week.holds(NOW, here=False)
    assert not week.holds(NOW + timedelta(days=8), here=True)
    assert HERE.holds(NOW, here=True)
    assert not HERE.holds(NOW, here=False)
    assert FOR_GOOD.holds(NOW, here=False)


def test_the_narrower_of_two_is_meant():
    """What a model wrote down may have lost it, or its quote."""
    week = Reach(until=NOW + timedelta(days=7))
    assert FOR_GOOD.narrowed(HERE) == HERE.narrowed(FOR_GOOD) == HERE
    assert week.narrowed(Reach(until=NOW)) == Reach(until=NOW)
    assert week.narrowed(HERE) == Reach(here=True, until=week.until)


@pytest.mark.parametrize("reach", [FOR_GOOD, HERE, Reach(until=NOW), Reach(here=True, until=NOW)])
def test_it_is_read_as_it_was_written(reach):
    """For good it takes no place."""
    assert Reach.read(reach.written()) == reach
    assert bool(reach.written()) is (reach != FOR_GOOD)
