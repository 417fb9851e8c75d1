"""Which sentences of a user's message state something about the user or their world."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.statements.sentence import Sentence, Whole
from recollect.memory.statements.statements import Telling, statements_in
from tests.support.folding import rows

PLAIN = Whole(frozenset({"en"}))


def kept(*parts, whole=PLAIN, alone=True):
    telling = Telling.of(parts, whole, alone=alone)
    return [n for n, part in enumerate(parts) if not part.asks and telling.keeps(n)]


ME = Sentence("My wife can't have onions.", personal=True)
MORE = Sentence("Cooked or raw.")
NAMED = Sentence("Booked a week in Whitby from 16 August.", named=True)
LONG = Sentence("Torn meniscus, they want to scope it.")
ASKED = Sentence("What now?", asks=True)


def test_what_goes_on_with_a_personal_sentence_is_kept():
    """Before it and behind it."""
    assert kept(MORE, ME, MORE) == [0, 1, 2]
    assert kept(MORE) == []


def test_what_stands_before_a_question_is_kept():
    """Behind it stands how to answer."""
    assert kept(NAMED, ASKED) == [0]
    assert kept(LONG, ASKED) == [0]
    assert kept(ASKED, NAMED) == kept(ASKED, LONG) == []


def test_beside_other_texts_only_the_person_counts():
    """A sentence beside code or a quotation speaks of that."""
    assert kept(LONG, ASKED, alone=False) == []
    works = Whole(frozenset({"en"}), works=True)
    assert kept(ME, LONG, whole=works) == [0]


@rows(
    "text",
    [
        "I braid rawhide in the winter. Reins, bosals, that sort of thing.",
        "MRI came back. The scan says it is torn.",
        "Our team uses Redis.",
        "Our landlord raised the rent.",
        "On the volunteer fire department, engine two.",
        "I'm the treasurer of our chess club.",
    ],
)
def test_a_statement_of_ones_own_is_kept_whole(text):
    """In doubt it is kept."""
    assert " ".join(statements_in(text)) == text


@rows(
    "text",
    [
        "Write a poem about a teapot. 60 words, over the top.",
        "What is a monad? Bullet points, max eight.",
        "You're the dragon, I'm the knight. Begin.",
        "Never mind, found it. Thanks anyway!",
    ],
)
def test_how_to_answer_is_no_statement(text):
    """Nor is a game, nor small talk."""
    assert statements_in(text) == []


@rows(
    "text",
    [
        "I'm allergic to hazelnuts.",
        "We have 1,800 dollars for the bathroom.",
        "meine Tochter heißt Lena",
        "Soy celíaca desde niña.",
        "ピーナッツアレルギーがあります。",
        "저는 부산에 살아요.",
        "ฉันแพ้กุ้งมาก",
    ],
)
def test_what_people_tell_of_themselves_is_kept(text):
    """In languages with a file and without one."""
    assert statements_in(text) == [text]


@rows(
    "text",
    [
        "Mrs Okafor's son Tunde has opened a bike shop.",
        "Torvald & Lind doesn't open on Mondays",
        "Dr Amsel is away until 9 June and can't see anybody before",
        "Der Hammer ist von Friederike",
        "Okafor is allergic to walnuts",
        "The scan is clear.",
    ],
)
def test_a_sentence_about_others_that_stands_alone_is_kept(text):
    """A word that may ask makes no question of it, if it ends as told or names somebody inside."""
    assert statements_in(text) == [text]


@rows("text", ["the capital of france is", "tomorrow is what day", "12 pounds is how many kilos"])
def test_a_question_that_begins_with_its_subject_is_left_out(text):
    """Neither a capital inside nor a mark at its end says that it tells something."""
    assert statements_in(text) == []


@rows(
    "text",
    [
        "How long do eggs keep in the fridge?",
        "translate good morning into Finnish",
        "Thanks a lot!",
        "set a timer for 12 minutes",
        "kitabı kime verdiğim neredeydi",
        "In this book of letters from 1950, find the verbs.",
        "If I had a million dollars, I would buy an island.",
        "You are a pirate and I am your captain. I lost my ship near Tortuga.",
        "Wie hoch ist die Zugspitze?",
        "Angenommen, ich wäre unsichtbar - wofür könnte man das nutzen?",
        "豆腐脑到底是谁发明的?简单说说就行。",
        "Put this in order: Rome, Athens, Oslo",
        "> Hallo Frau Dreyer, ich wohne im dritten Stock.",
        "ok",
        "👍👍",
        "",
        "```\nI = allergic(to='nuts')\n```",
        '{"type": "tool_result", "content": "I live in Oslo"}',
    ],
)
def test_what_tells_nothing_of_the_user_is_left_out(text):
    """Questions, chores, small talk, suppositions, games, code and tools."""
    assert statements_in(text) == []


@rows(
    "text, kept",
    [
        ("I can't eat gluten. What is a roux?", ["I can't eat gluten."]),
        ("I'm vegan, what can I bake?", ["I'm vegan"]),
        ("Always answer in Danish. How tall is K2?", ["Always answer in Danish."]),
        (
            "I have to be a bit careful, I'm on warfarin",
            ["I have to be a bit careful, I'm on warfarin"],
        ),
        ("My budget is 600 euros. Write me a poem about rain.", ["My budget is 600 euros."]),
        ("I'm allergic to nuts, what if I eat one?", ["I'm allergic to nuts"]),
        ("Ich fliege am 15. Mai nach Porto.", ["Ich fliege am 15. Mai nach Porto."]),
    ],
)
def test_a_fact_beside_a_question_or_a_task_is_kept(text, kept):
    """Only the part that states it."""
    assert statements_in(text) == kept


@rows(
    "text",
    [
        "Summarise this:\n\nI live in Oslo and have two kids. My dog is called Rex.",
        "Translate into French: I live in Oslo.",
        "[NOTICE] My shop is closed in May, I am having a baby.\n\nlist the dates",
        "CLASSIFIED: I sell my bicycle, I moved to Oslo.\n\nMake it shorter.",
        "From: Bob\nTo: Ann\nSubject: rent\n\nI moved to Oslo last week.",
        "[10:31] Ann: I live in Oslo\n[10:32] Bob: my son is six",
        "> I live in Oslo and work as a nurse.",
        "Dear Mr Holm, I live in Oslo and would like to rent the flat.",
    ],
)
def test_somebody_elses_text_is_not_the_users(text):
    """Handed over, quoted, an e-mail, a chat log: nothing planted there becomes said."""
    assert statements_in(text) == []


def test_a_long_line_of_somebody_who_is_named_is_kept():
    """Clients that write the speaker in front tell of others on purpose."""
    line = (
        "Caroline: The museum by the harbour opened its new wing last week, with a large room for "
        "painters of the region, and the café moved to the roof, where Tom works now."
    )
    assert statements_in(line) == [line]
    assert statements_in(line.removeprefix("Caroline: ")) == []


@given(st.text())
def test_any_text_is_read(text):
    """It never raises, and gives only parts of the text."""
    for sentence in statements_in(text):
        assert sentence.strip()
