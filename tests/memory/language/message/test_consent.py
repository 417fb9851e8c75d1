"""The words of an answer to a proposal to forget."""

from recollect.memory.language.message.consent import asks_to_forget, reply_in
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

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
