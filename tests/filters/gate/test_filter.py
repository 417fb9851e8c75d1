"""What the gate notes in an exchange."""

from recollect.filters import Exchange, Outcome, Verdict
from recollect.filters.gate.filter import Gate
from recollect.filters.gate.options import GateOptions
from recollect.memory.model.types import MemoryType, Message, Scope
from tests.support.folding import rows

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
