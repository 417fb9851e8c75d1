"""Sentences that ask to forget, by their words."""

from recollect.memory.language import packs
from recollect.memory.language.message.forgetting import MOST_CHARS, Scale, forget_in
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


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


def test_every_language_can_ask_and_agree():
    """Each pack has the words, so that nobody is left out."""
    for code, pack in packs().items():
        if code == "any":
            continue
        cues = pack.forget
        assert all((cues.asks, cues.denies, cues.limits, cues.agrees, cues.all, cues.kept)), code
        assert pack.people.first_person or cues.mine, code
