"""The gate's verdicts: on sentences in many languages, and on text that nobody foresaw."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Exchange, Outcome, Verdict
from recollect.filters.gate import decide
from recollect.filters.gate.filter import Gate
from recollect.filters.gate.options import GateOptions
from recollect.filters.gate.reasons import GateReason
from recollect.memory.language.message import WHOLE_CHARS, bound, take_apart
from recollect.memory.model.types import MemoryType, Message, Scope
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


def verdict(text):
    """The verdict on a first message."""
    return decide([Message(role="user", content=text)], GateOptions())


@rows("text", ROWS["what an unlisted person did is searched"])
def test_what_an_unlisted_person_did_is_searched(text):
    """A name that no list knows is somebody the user may know."""
    assert verdict(text).recall


@rows("text", ["When did Ottilie win her second race?", "How do Ottilie's dogs react to snow?"])
def test_what_a_named_person_does_or_owns_is_searched(text):
    """Somebody whom no list knows may be an acquaintance, and so may their things."""
    assert verdict(text).recall


@rows("text", ROWS["a number that is a label or a date makes no sum"])
def test_a_number_that_is_a_label_or_a_date_makes_no_sum(text):
    """Counts of somebody's own things and days of their life are searched."""
    assert verdict(text).recall


@rows("text", ["what is 12 - 5", "How many minutes are in 3 hours?"])
def test_a_stated_sum_is_computed(text):
    """Numbers that are amounts need no memory."""
    assert verdict(text) is GateReason.TOOL


@rows(
    "text",
    [
        "Who wrote My Sweet Lord?",
        "Who dug the deepest mine in South Africa?",
    ],
)
def test_words_that_only_look_like_pronouns_make_nothing_personal(text):
    """Titles and nouns are not the user."""
    assert verdict(text) is GateReason.FACT


ROLES = st.sampled_from(["user", "assistant", "system", "tool", "developer", ""])
PIECES = st.lists(
    st.sampled_from(
        [
            *("```", "`", "<a>", "</a>", "“", "'", '"', "{", "}", "> ", "I", "what is", " ", "\n"),
            *("?", "translate", ":", "是什么", "だっけ", "मेरा", "متى", "\u200d", "\ud800", "\x00"),
        ]
    ),
    max_size=60,
).map("".join)


def verdict_robustness(*contents):
    """The verdict on user messages, the last of which is judged."""
    return decide([Message(role="user", content=c) for c in contents], GateOptions())


@given(st.lists(st.tuples(ROLES, st.text() | PIECES), max_size=4))
def test_any_conversation_gets_a_verdict(turns):
    """No text and no order of roles makes the gate raise."""
    messages = [Message(role=role, content=content) for role, content in turns]
    assert isinstance(decide(messages, GateOptions()), GateReason)


@given(st.text() | PIECES)
def test_nothing_is_asked_that_was_not_said(text):
    """Taking a message apart only removes; it never adds a letter."""
    asked = take_apart(text).asked
    assert {c for c in asked if not c.isspace()} <= set(text)


@given(st.text(max_size=2 * WHOLE_CHARS))
def test_the_judged_text_is_bounded(text):
    """However long a message is, only its ends are read."""
    assert len(bound(text)) <= WHOLE_CHARS


@rows(
    "text",
    [
        "```python\nprint(my_name)\n```",
        "שלום, איפה שמתי את המפתחות?",
        "\x00\x01\x02PNG\r\n\x1a\ufffd" * 20,
        "a" * 100_000,
        "Tell me about my trip. " * 50_000,
        "```" * 300_000,
        "“'\"«「" * 200_000,
        "".join(f"<t{i}>" for i in range(100_000)),
        "{[" * 400_000,
        "我" * 1_000_000,
        "ha" * 500_000,
        ("User: hi\n" * 100_000) + "Assistant: hello",
    ],
)
def test_strange_and_huge_messages_are_recalled(text):
    """Code alone, unsupported scripts, binary and a megabyte of anything: unsure, so recall."""
    assert verdict_robustness(text).recall


@rows("text", ["🤷", "🇩🇪🎉", "...", "?!"])
def test_symbols_alone_are_no_request(text):
    """Emoji and punctuation give nothing to search with."""
    assert not verdict_robustness(text).recall


def test_a_question_behind_a_huge_paste_is_still_read():
    """The end of a long message is judged, too."""
    paste = "The lift is out of service until the parts arrive. " * 20_000
    assert verdict_robustness(paste + "\nDoes that affect my move?").recall
    assert (
        verdict_robustness("```\n" + paste + "\n```\nWhat does ECONNRESET mean?") is GateReason.FACT
    )


ALICE = Scope(tenant="local", user_id="alice")
CHORE = """### Task
Write a title of three to five words for the conversation below.
<chat_history>
USER: run the tests
ASSISTANT: Two failures.
</chat_history>"""


async def gated(*contents, role="user", enabled=True):
    exchange = Exchange(
        scope=ALICE,
        messages=[Message(role=role, content=content) for content in contents],
        model="m",
        conversation_id="c",
        turn_id="t",
    )
    await Gate(GateOptions(enabled=enabled)).request(exchange)
    return exchange


async def test_what_a_tool_answers_goes_on_for_procedures_only():
    """How it is done may be known; nothing about the user is needed."""
    exchange = await gated("Translate into French: the harbour is closed")
    assert (exchange.notes["gate"], exchange.only) == ("tool", MemoryType.PROCEDURAL)
    assert exchange.verdict is None


@rows(
    "text, reason",
    [
        (" ", "empty"),
        ('{"type": "tool_result", "content": "my disk is full"}', "tool"),
        (CHORE, "tool"),
    ],
)
async def test_what_needs_no_memory_ends_here(text, reason):
    """Also what a client wrote and not the user: no procedure is about it."""
    exchange = await gated(text)
    assert exchange.verdict == Verdict(Outcome.SKIPPED, reason)
    assert exchange.only is None


@rows("text, reason", [("hello", "greeting"), ("What is the capital of Portugal?", "fact")])
async def test_what_needs_no_memory_goes_on_for_wishes_only(text, reason):
    """How the user wants to be answered matters for any message that they wrote."""
    exchange = await gated(text)
    assert (exchange.notes["gate"], exchange.wishes_only) == (reason, True)
    assert (exchange.verdict, exchange.only) == (None, None)


@rows("text, enabled", [("Which tea do I like?", True), ("run pytest -q", False)])
async def test_what_needs_memory_goes_on_for_all_of_it(text, enabled):
    """A gate that is switched off restricts nothing."""
    exchange = await gated(text, enabled=enabled)
    assert (exchange.verdict, exchange.only) == (None, None)


@rows("kept", [False, True])
async def test_a_yes_is_judged_by_what_it_answers(kept):
    """Also if the upstream keeps the conversation, and the request brings the last message only."""
    said = [
        Message(role="user", content="I need a plan for the week"),
        Message(role="assistant", content="Shall I take your training into account?"),
        Message(role="user", content="yes please"),
    ]
    exchange = Exchange(
        scope=ALICE,
        messages=said[2:] if kept else said,
        earlier=said[:2] if kept else (),
        model="m",
        conversation_id="c",
        turn_id="t",
    )
    await Gate(GateOptions()).request(exchange)
    assert exchange.notes["gate"] == "default"
