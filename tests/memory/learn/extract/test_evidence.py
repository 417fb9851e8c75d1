import pytest

from recollect.memory.learn.extract.evidence import Known, evidence_of
from recollect.memory.types import Source

from .turns import fact, said, turn

NOTHING = Known([])
TALK = said(
    turn("Hello there. I live in Porto, with two dogs!", "Nice. Porto is rainy. Are you vegan?"),
    turn("yes", "Noted: no meat for you.", n=2),
    turn("ok", "", n=3, steps=[("crm", "Customer since 2019: Zeta Corp")]),
    turn("My sister Ana lives in Porto too", n=4),
    turn("Do I like to swim? I do not eat fish. My aunt Eva lives in Faro.", n=5),
)


def found(text, quote=None, *, talk=TALK, known=NOTHING, **details):
    evidence = evidence_of(fact(text, quote, **details), talk, known)
    if isinstance(evidence, str):
        return evidence
    return evidence.part.turn.id, evidence.quote, evidence.part.source


def test_the_original_words():
    """The evidence is the passage as it stands in the turn, whatever the model made of it."""
    expected = ("t1", "I live in Porto, with two dogs", Source.EXTRACTION)
    assert found("User lives in Porto", "i live in porto with two dogs.", turn=1) == expected


@pytest.mark.parametrize("number", [None, 1, 4, 99])
def test_the_number_of_the_turn_is_only_a_hint(number):
    """Where the quote stands decides; a number that was never shown changes nothing."""
    assert found("User's sister is Ana", "My sister Ana", turn=number)[0] == "t4"


def test_the_named_turn_comes_first():
    """A quote that stands in several turns is looked for in the named one first."""
    talk = said(turn("I like tea", n=1), turn("I like tea", n=2))
    assert found("User likes tea", "I like tea", talk=talk, turn=2)[0] == "t2"


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("I live in Porto", Source.EXTRACTION),
        ("Porto is rainy", Source.ASSISTANT),
        ("Customer since 2019", Source.TOOL),
    ],
)
def test_who_said_it(quote, source):
    """What only the assistant or only a tool said is theirs."""
    assert found(f"User knows: {quote} so so so so", quote)[2] is source


def test_what_a_tool_said_first():
    """What the assistant repeats of a tool's answer is the tool's."""
    talk = said(turn("look", "They are Zeta Corp.", steps=[("crm", "They are Zeta Corp.")]))
    assert found("User's customer is Zeta Corp", "They are Zeta Corp", talk=talk)[2] is Source.TOOL


def test_lesson_2_an_echo_is_no_evidence():
    """What the assistant made up is marked as the assistant's, however often it says so."""
    talk = said(turn("Hi", "Hi Sparky!"), turn("Thanks", "Welcome, Sparky!", n=2))
    assert found("User's nickname is Sparky", "Hi Sparky", talk=talk)[2] is Source.ASSISTANT


def test_a_repetition_leads_to_what_was_repeated():
    """If the assistant is quoted with what the user said, the user's sentence is the evidence."""
    talk = said(turn("Well, I work at Zeta Corp.", "So you work for Zeta Corp."))
    assert found("User works at Zeta Corp", "you work for Zeta Corp", talk=talk) == (
        "t1",
        "Well, I work at Zeta Corp.",
        Source.EXTRACTION,
    )


@pytest.mark.parametrize("quote", [None, "User lives in Porto with dogs", "I live at sea"])
def test_a_sentence_stands_in(quote):
    """Without a true quote, a sentence of the user with nearly all of the fact's words will do."""
    assert found("User lives in Porto with two dogs", quote)[1] == (
        "I live in Porto, with two dogs!"
    )


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("User is a doctor in Porto and plays chess", None),
        ("User is a doctor", "I am a doctor"),
        ("User is a doctor", "I"),
        ("User is a doctor", "with"),
        ("User is a doctor", "yes"),
        ("User is a doctor", ""),
        ("User likes chess", "chess"),
        ("User likes to swim", None),
        ("User eats fish", None),
        ("User lives in Faro", None),
    ],
)
def test_lesson_1_no_evidence(text, quote):
    """A fact whose quote is invented, or so short that it stands everywhere, is not believed.

    Nor does a question, a denial or a sentence about somebody else stand in for the quote.
    """
    assert found(text, quote) == "no_evidence"


def test_yes_is_evidence_of_what_was_asked():
    """A short answer counts for a fact that the question before it speaks of."""
    assert found("User is vegan", "yes", turn=2) == ("t2", "yes", Source.EXTRACTION)


def test_short_quotes_of_other_scripts():
    """In scripts without blanks few letters say much."""
    talk = said(turn("我叫王小明，住在北京"))
    assert found("用户住北京", "住在北京", talk=talk)[1] == "住在北京"


def test_lesson_1_memories_are_no_evidence():
    """Text that is a memory already proves nothing; said in other words it does."""
    known = Known(["I live in Porto, with two dogs", "Porto is rainy."])
    quote = "I live in Porto"
    assert found("User lives in Porto", quote, known=known) == "known"
    assert found("It rains in Porto a lot and often", "Porto is rainy", known=known) == "known"
    assert found("User's sister is Ana", "My sister Ana", known=known)[0] == "t4"


@pytest.mark.parametrize(
    ("user", "text", "quote"),
    [
        ("The weather is awful, I stay in", "User is a nurse and plays chess", "I stay in"),
        ("今天天气不好", "用户是护士", "今天天气不好"),
    ],
)
def test_lesson_1_a_true_quote_of_something_else(user, text, quote):
    """Words that were said do not show a fact they have nothing to do with."""
    talk = said(turn(user))
    assert found(text, quote, talk=talk) == "no_evidence"
    unrelated = evidence_of(fact(text, quote), talk, NOTHING, related=False)
    assert not isinstance(unrelated, str)


@pytest.mark.parametrize(
    ("user", "text", "quote"),
    [
        ("We have two kids", "User has 2 children", "We have two kids"),
        (
            "I work nights. It wears me out.",
            "User is worn out by working nights",
            "It wears me out",
        ),
        ("Я живу в Москве", "User lives in Moscow", "Я живу в Москве"),
    ],
)
def test_other_words_for_the_same(user, text, quote):
    """A number, a word of the turn, or another script is enough to let a true quote count."""
    assert found(text, quote, talk=said(turn(user)))[1] == quote
