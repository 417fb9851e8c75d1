"""What a message asks for: a request, to forget, an agreement, and how far it reaches."""

from datetime import UTC, datetime, timedelta

from recollect.memory.language.message.consent import asks_to_forget, reply_in
from recollect.memory.language.message.forgetting import MOST_CHARS, Scale, forget_in
from recollect.memory.language.reach import FOR_GOOD, Reach, reach_of
from recollect.memory.language.registry import use_folder
from recollect.memory.language.requests import Cue, cues_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, code", ROWS["the language is told by script and function words"])
def test_the_language_is_told_by_script_and_function_words(text, code):
    """The right language is always among those that are considered."""
    assert code in cues_of(text).languages


@rows("text, personal", ROWS["first persons are told from what looks like them"])
def test_first_persons_are_told_from_what_looks_like_them(text, personal):
    """Numerals, acronyms, titles and identifiers are no pronouns."""
    assert cues_of(text).has(Cue.SELF) is personal


def test_a_long_message_is_read_at_its_ends():
    """A paste of a megabyte costs no more than a page."""
    found = cues_of("thanks " + "x " * 500_000 + "show me")
    assert found.has(Cue.GREET)
    assert found.has(Cue.FRAME)
    assert len(found.words) < 5_000


def test_a_language_without_a_pack_has_no_cues():
    """Swahili and Georgian are of no known language, and nothing is read into them."""
    for text in ("სად არის ჩემი გასაღები", "Mji mkuu wa Ufaransa uko wapi hasa"):
        assert not cues_of(text).has(*set(Cue))


def test_other_packs_read_a_message_anew(tmp_path):
    """What was read by the packs before is not what these ones say."""
    text = "zzqzzq"
    assert not cues_of(text).has(Cue.GREET)
    own = 'code = "xx"\nname = "X"\nscript = "latin"\n[words]\nstop = "zzr"\n[requests]\ngreet = "zzqzzq"\n'
    (tmp_path / "xx.toml").write_text(own, "utf-8")
    use_folder(tmp_path)
    assert cues_of(text).has(Cue.GREET)
    use_folder(None)
    assert not cues_of(text).has(Cue.GREET)


@rows("sentence, target", ROWS["what is to be forgotten is cut out"])
def test_what_is_to_be_forgotten_is_cut_out(sentence, target):
    """The rest says what to look for."""
    asked = forget_in(sentence)
    assert asked is not None
    assert (asked.target, asked.scale) == (target, Scale.SOME)
    assert asked.orders


@rows(
    "sentence, scale",
    [
        ("Delete everything you know about me.", Scale.EVERYTHING),
        ("Wipe your memory of me", Scale.EVERYTHING),
        ("Lösch alles, was du über mich weißt.", Scale.EVERYTHING),
        ("Slet alt hvad du ved om mig", Scale.EVERYTHING),
        ("Smaž všechno, co o mně víš", Scale.EVERYTHING),
        ("私について知っていることを全部消して", Scale.EVERYTHING),
        ("Forget what I just told you.", Scale.RECENT),
        ("Forget everything you know about Anna.", Scale.SOME),
    ],
)
def test_how_much_is_to_be_forgotten(sentence, scale):
    """Everything of the user only if nothing and nobody else is named."""
    asked = forget_in(sentence)
    assert asked is not None
    assert asked.scale is scale


@rows("sentence", [
        "Forget it, let's talk about lunch.", "Never mind, forget about it.", "yes, forget it",
        "Don't forget that I hate fish.", "I keep forgetting my keys.", "I forgot my umbrella.",
        "Vergiss es, reden wir über das Essen.", "Vergiss nicht, dass ich Anna heiße.",
        "N'oublie pas que je suis végétarienne.", "Et yemediğimi unutma.", "别忘了我不吃肉。",
        'What does "forget everything about me" mean?', "I live in Berlin.", "",
        "Forget that I work there. " + "And more. " * MOST_CHARS,
    ])  # fmt: skip
def test_other_sentences_ask_for_nothing(sentence):
    """Idioms, reminders, quotations, and what people forget themselves."""
    assert forget_in(sentence) is None


def test_who_forgets_gives_no_order():
    """Who says "I" before the verb forgets: meaning decides, words do not."""
    for sentence in ("I forget my keys.", "J'oublie toujours mes clés.", "我忘了我的密码。"):
        asked = forget_in(sentence)
        assert asked is None or not asked.orders


REQUEST = "Please forget that I work at Alstom."
ASKED = 'I found: you work at Alstom. Shall I forget it? Answer "yes, forget it".'


def read(text, request=REQUEST, asked=ASKED):
    return reply_in(text, request=request, asked=asked)


@rows(
    "text, request_, asked",
    [
        ("yes", REQUEST, ASKED),
        ("yeah, go ahead and delete it", REQUEST, ASKED),
        ("Yes, forget that I work at Alstom.", REQUEST, ASKED),
        ("Ja, vergiss es.", "Vergiss, dass ich rauche.", "Soll ich das vergessen?"),
        ("de acuerdo", "Olvida que fumo.", "¿Quieres que lo olvide?"),
        ("はい、忘れてください。", "煙草のことは忘れて", "忘れてもいいですか？"),
        ("да, удали", "Забудь, что я курю.", "Забыть это?"),
        ("tak, zapomnij", "Zapomnij wszystko o mojej szefowej.", "Mam to zapomnieć?"),
        ("是的，忘掉吧", "忘掉我抽烟", "要忘掉吗？"),
    ],
)
def test_a_plain_yes_has_no_other_word(text, request_, asked):
    """In the words of the conversation's languages; one may repeat all that was asked."""
    assert read(text, request_, asked).plain


@rows("text, says", ROWS["what else an answer says"])
def test_what_else_an_answer_says(text, says):
    """A no, an exception, another matter, or that all is meant."""
    assert getattr(read(text), says)


def test_a_part_of_what_was_asked_is_named():
    """Who names one of two things means one."""
    both = "Please forget that I work at Alstom and that I smoke."
    assert read("yes, forget that I smoke", request=both).named == ("smoke",)


@rows(
    "said, asks",
    [
        (ASKED, True),
        ("Soll ich das vergessen?", True),
        ("Say yes and I delete it.", True),
        ("Done. Shall I write a letter?", False),
        ("I can forget it. Tea or coffee?", False),
        ("", False),
    ],
)
def test_the_last_question_tells_what_is_answered(said, asks):
    """Of a message without one its last sentence."""
    assert asks_to_forget(said) is asks


NOW = datetime(2026, 11, 28, 15, tzinfo=UTC)
"""A Saturday."""
HERE = Reach(here=True)


@rows("text", ROWS["what is tied to what is at hand is for its conversation"])
def test_what_is_tied_to_what_is_at_hand_is_for_its_conversation(text):
    """By words of each language, or because it ends with the day."""
    assert reach_of(text, NOW) == HERE


@rows("text", ROWS["what lasts is for good"])
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


@rows("reach", [FOR_GOOD, HERE, Reach(until=NOW), Reach(here=True, until=NOW)])
def test_it_is_read_as_it_was_written(reach):
    """For good it takes no place."""
    assert Reach.read(reach.written()) == reach
    assert bool(reach.written()) is (reach != FOR_GOOD)
