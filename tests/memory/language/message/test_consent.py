"""What an answer says to a proposal to forget."""

import pytest

from recollect.memory.language.message.consent import Consent, consent_in, may_consent
from tests.support.folding import rows

REQUEST = "Please forget that I work at Alstom."
ASKED = 'I found: you work at Alstom. Shall I forget it? Answer "yes, forget it".'


def answered(text, request=REQUEST, asked=ASKED):
    """The verdict of both steps."""
    return consent_in(text, request=request, asked=asked) if may_consent(text) else Consent.NO


@rows(
    "text",
    ["yes", "Yes, forget it.", "yeah, go ahead and delete it", "Sure, do it", "I confirm.",
     "Yes, forget that I work at Alstom."],
)  # fmt: skip
def test_a_clear_yes_agrees(text):
    """Also one that repeats all that was asked."""
    assert answered(text) is Consent.YES


@rows(
    "text, request_, asked",
    [
        ("Ja, vergiss es.", "Vergiss, dass ich rauche.", "Soll ich das vergessen?"),
        ("de acuerdo", "Olvida que fumo.", "¿Quieres que lo olvide?"),
        ("はい、忘れてください。", "煙草のことは忘れて", "忘れてもいいですか？"),
        ("да, удали", "Забудь, что я курю.", "Забыть это?"),
        ("Ja, glöm det.", "Glöm att jag röker.", "Ska jag glömma det?"),
        ("是的，忘掉吧", "忘掉我抽烟", "要忘掉吗？"),
    ],
)
def test_in_other_languages(text, request_, asked):
    """With the words of the conversation's languages."""
    assert answered(text, request_, asked) is Consent.YES


@rows(
    "text",
    ["no", "No, keep it.", "wait, not yet", "yes?", "What's the weather like?", "I like trains",
     "yes but keep the part about Bristol", "No, don't forget it", 'he said "yes, forget it"',
     "Yes, and what should I cook tonight?", "maybe", "", "> yes, forget it"],
)  # fmt: skip
def test_all_else_does_not_agree(text):
    """No, not all of it, a question, a quotation, another matter."""
    assert answered(text) is Consent.NO


@pytest.mark.parametrize("text", ["yes, forget the thing with the trains", "delete it"])
def test_what_is_not_clear_is_asked_again(text):
    """Words that nobody asked about, or no word that agrees."""
    assert answered(text) is Consent.UNSURE


def test_a_yes_to_another_question_is_none():
    """Unless it says itself what it agrees to."""
    for asked in ("Done. Shall I write a letter?", "I can forget it. Tea or coffee?", ""):
        assert answered("yes", asked=asked) is Consent.UNSURE
        assert answered("yes, forget it", asked=asked) is Consent.YES


def test_a_part_of_what_was_asked_is_no_agreement_to_all():
    """Who names one of two things means one."""
    both = "Please forget that I work at Alstom and that I smoke."
    assert answered("yes, forget that I smoke", request=both) is Consent.UNSURE
