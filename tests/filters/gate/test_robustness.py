"""The gate on text nobody foresaw: it decides, and never raises."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.gate import decide
from recollect.filters.gate.options import GateOptions
from recollect.filters.gate.reasons import GateReason
from recollect.memory.language.message import WHOLE_CHARS, bound, take_apart
from recollect.memory.model.types import Message
from tests.support.folding import rows

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


def verdict(*contents):
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
    assert verdict(text).recall


@rows("text", ["🤷", "🇩🇪🎉", "...", "?!"])
def test_symbols_alone_are_no_request(text):
    """Emoji and punctuation give nothing to search with."""
    assert not verdict(text).recall


def test_a_question_behind_a_huge_paste_is_still_read():
    """The end of a long message is judged, too."""
    paste = "The lift is out of service until the parts arrive. " * 20_000
    assert verdict(paste + "\nDoes that affect my move?").recall
    assert verdict("```\n" + paste + "\n```\nWhat does ECONNRESET mean?") is GateReason.FACT
