"""The gate's verdicts, on sentences written for these tests."""

from recollect.filters.gate import decide
from recollect.filters.gate.options import GateOptions
from recollect.filters.gate.reasons import GateReason
from recollect.memory.model.types import Message
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

ON = GateOptions()


def user(text, *earlier):
    """The verdict on one user message after `earlier` (role, text) pairs."""
    before = [Message(role=role, content=content) for role, content in earlier]
    return decide([*before, Message(role="user", content=text)], ON)


@rows("text", ROWS["general knowledge is skipped as a fact"])
def test_general_knowledge_is_skipped_as_a_fact(text):
    """A complete, impersonal question needs no memory, in any supported language."""
    assert user(text) is GateReason.FACT


@rows("text", ROWS["what a tool answers alone is skipped"])
def test_what_a_tool_answers_alone_is_skipped(text):
    """Calculations and transformations with everything stated."""
    assert user(text) is GateReason.TOOL


@rows("text", ROWS["small talk is skipped as a greeting"])
def test_small_talk_is_skipped_as_a_greeting(text):
    """Greetings, thanks and acknowledgements have nothing to answer."""
    assert user(text) is GateReason.GREETING


@rows("text", ROWS["the users own life is recalled"])
def test_the_users_own_life_is_recalled(text):
    """First persons (also without a pronoun), own people and "the usual" need memory."""
    assert user(text) is GateReason.PERSONAL


@rows("text", ROWS["whatever may depend on the user is recalled"])
def test_whatever_may_depend_on_the_user_is_recalled(text):
    """Shaped like a fact or a tool call, but only memory knows; unknown languages too."""
    assert user(text).recall


def test_a_tool_result_at_the_end_is_a_continuation():
    """The caller reuses the turn's recall."""
    messages = [Message(role="user", content="hi"), Message(role="tool", content="3 files")]
    assert decide(messages, ON) is GateReason.CONTINUATION


def test_a_tool_result_alone_has_nothing_to_search_with():
    """What began the turn is upstream, and what was injected with it."""
    messages = [Message(role="assistant", content=""), Message(role="tool", content="3 files")]
    assert decide(messages, ON) is GateReason.EMPTY


@rows("text", ["yes please", "ok", "👍", "great, thanks"])
def test_an_answer_to_a_question_is_searched(text):
    """What it needs is what was asked; after a statement it may be small talk."""
    assert user(text, ("assistant", "Shall I write the toast for Eva?")) is GateReason.DEFAULT
    assert user("thanks", ("assistant", "Here is the toast.")) is GateReason.GREETING


@rows("text", ROWS["what no person wrote is skipped"])
def test_what_no_person_wrote_is_skipped(text):
    """Tool results in a user's turn and a client's housekeeping prompts."""
    assert user(text) is GateReason.TOOL


def test_context_a_client_adds_is_not_the_users_question():
    """First persons inside an injected block do not make a fact personal."""
    block = "<env>\nuser_name: me\nnote: my machine\n</env>\n"
    assert user(block + "What is the capital of Mongolia?") is GateReason.FACT


@rows("messages", [[], [Message(role="system", content="Be brief.")]])
def test_no_user_message_is_empty(messages):
    """There is nothing to search with."""
    assert decide(messages, ON) is GateReason.EMPTY


@rows("text", ["", "   \n\t", "\u3000"])
def test_blank_text_is_empty_even_if_the_gate_is_off(text):
    """An empty query finds nothing."""
    off = GateOptions(enabled=False)
    assert decide([Message(role="user", content=text)], off) is GateReason.EMPTY


def test_a_gate_that_is_off_recalls_everything_else():
    """`enabled: false` judges nothing."""
    off = GateOptions(enabled=False)
    assert decide([Message(role="user", content="hi")], off) is GateReason.DEFAULT


def test_the_last_user_message_is_judged_not_the_last_message():
    """A client may add a system message after the user's."""
    messages = [
        Message(role="user", content="Where did I park?"),
        Message(role="system", content="Answer briefly."),
    ]
    assert decide(messages, ON) is GateReason.PERSONAL


def test_which_reasons_recall():
    """Every reason either skips memory or searches it, and nothing else decides that."""
    skipped = {reason for reason in GateReason if not reason.recall}
    assert skipped == {GateReason.FACT, GateReason.TOOL, GateReason.GREETING, GateReason.EMPTY}
