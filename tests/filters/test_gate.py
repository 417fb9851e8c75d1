"""The gate's verdicts: on sentences in many languages, and on text that nobody foresaw."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Outcome, Verdict
from recollect.filters.gate.filter import Gate
from recollect.filters.gate.reasons import GateReason, decide
from recollect.memory.language.message import bound, request_and_material
from recollect.memory.language.message.material import WHOLE_CHARS
from recollect.memory.model.types import MemoryType
from tests.filters.remembered import asking, said
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)
SKIPPED = [
    (reason, text) for reason in ("fact", "tool", "greeting", "personal") for text in ROWS[reason]
] + [("tool", text) for text in ROWS["tool, for no person wrote it"]]
SHALL_I = ("assistant", "Shall I write the toast for Eva?")
THERE = ("assistant", "Here is the toast.")
FILES = ("tool", "3 files")


def verdict(*parts):
    return decide(said(*parts))


@rows("reason, text", SKIPPED)
def test_each_text_has_its_reason(reason, text):
    """Knowledge, what a tool answers, small talk and the user's own life, in many languages."""
    assert verdict(text).value == reason


@rows("text", ROWS["recalled"])
def test_whatever_may_depend_on_the_user_is_recalled(text):
    """Shaped like a fact or a tool call, but only memory knows; unknown languages too."""
    assert verdict(text).recall


@rows(
    "parts, reason",
    [
        # A tool's result continues a turn; alone there is nothing to search with.
        (["hi", FILES], GateReason.CONTINUATION),
        ([("assistant", ""), FILES], GateReason.EMPTY),
        ([], GateReason.EMPTY),
        ([("system", "Be brief.")], GateReason.EMPTY),
        # What an answer needs is what was asked; after a statement it may be small talk.
        *(([SHALL_I, text], GateReason.DEFAULT) for text in ("yes please", "ok", "👍", "great, thanks")),
        ([THERE, "thanks"], GateReason.GREETING),
        # The last user message is judged, and not what a client adds to it.
        (["Where did I park?", ("system", "Answer briefly.")], GateReason.PERSONAL),
        (["<env>\nuser_name: me\nnote: my machine\n</env>\nWhat is the capital of Mongolia?"],
         GateReason.FACT),
    ],
)  # fmt: skip
def test_a_conversation_has_its_reason(parts, reason):
    """By its last user message, and what that answers."""
    assert verdict(*parts) is reason


def test_a_blank_text_is_empty():
    """It finds nothing."""
    for blank in ("", "   \n\t", "\u3000"):
        assert verdict(blank) is GateReason.EMPTY


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


@given(st.lists(st.tuples(ROLES, st.text() | PIECES), max_size=4))
def test_any_conversation_gets_a_verdict(turns):
    """No text and no order of roles makes the gate raise."""
    assert isinstance(verdict(*turns), GateReason)


@given(st.text(max_size=2 * WHOLE_CHARS) | PIECES)
def test_nothing_is_asked_that_was_not_said(text):
    """Taking a message apart only removes; however long it is, only its ends are read."""
    asked = request_and_material(text).asked
    assert {c for c in asked if not c.isspace()} <= set(text)
    assert len(bound(text)) <= WHOLE_CHARS


PASTE = "The lift is out of service until the parts arrive. " * examples(2_000)


@rows(
    "text",
    [
        "```python\nprint(my_name)\n```", "שלום, איפה שמתי את המפתחות?",
        "\x00\x01\x02PNG\r\n\x1a\ufffd" * 20, "a" * examples(10_000), "Tell me about my trip. " * examples(5_000),
        "```" * examples(30_000), "“'\"«「" * examples(20_000), "".join(f"<t{i}>" for i in range(examples(10_000))),
        "{[" * examples(40_000), "我" * examples(100_000), "ha" * examples(50_000),
        ("User: hi\n" * examples(10_000)) + "Assistant: hello", PASTE + "\nDoes that affect my move?",
    ],
)  # fmt: skip
def test_strange_and_huge_messages_are_recalled(text):
    """Code alone, unsupported scripts, binary and much of anything: unsure, so recall."""
    assert verdict(text).recall


def test_what_asks_for_nothing_is_skipped():
    """Emoji and punctuation give nothing to search with; a question behind a paste is read."""
    for text in ("🤷", "🇩🇪🎉", "...", "?!"):
        assert not verdict(text).recall
    assert verdict("```\n" + PASTE + "\n```\nWhat does ECONNRESET mean?") is GateReason.FACT


CHORE = """### Task
Write a title of three to five words for the conversation below.
<chat_history>
USER: run the tests
ASSISTANT: Two failures.
</chat_history>"""
TOOL = '{"type": "tool_result", "content": "my disk is full"}'


@rows(
    "text, verdict, only, wishes_only",
    [
        ("Translate into French: the harbour is closed", None, MemoryType.PROCEDURAL, False),
        (" ", Verdict(Outcome.SKIPPED, "empty"), None, False),
        (TOOL, Verdict(Outcome.SKIPPED, "tool"), None, False),
        (CHORE, Verdict(Outcome.SKIPPED, "tool"), None, False),
        ("hello", None, None, True),
        ("What is the capital of Portugal?", None, None, True),
        ("Which tea do I like?", None, None, False),
    ],
)
async def test_how_a_request_goes_on(text, verdict, only, wishes_only):
    """For procedures, for wishes or for all; what no user wrote and what is empty ends here."""
    exchange = asking(said(text))
    await Gate().request(exchange)
    assert (exchange.verdict, exchange.only, exchange.wishes_only) == (verdict, only, wishes_only)


@rows("kept", [False, True])
async def test_a_yes_is_judged_by_what_it_answers(kept):
    """Also if the upstream keeps the conversation, and the request brings the last message only."""
    parts = said("I need a plan for the week", ("assistant", "Shall I count your training?"), "yes")
    earlier = parts[:2] if kept else ()
    exchange = asking(parts[2:] if kept else parts, earlier=earlier)
    await Gate().request(exchange)
    assert exchange.notes["gate"] == "default"
