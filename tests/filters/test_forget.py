"""Passes on what a user asks to forget and whether it is meant, and tells the model about it."""

import pytest

from recollect import AsyncMemory
from recollect.filters import Answer, Capture, Exchange, Outcome
from recollect.filters.capture.filter import NOT_SAID
from recollect.filters.capture.turns import turn_ids_of
from recollect.filters.forget import MOST_LINES, PLACEHOLDER, ForgetAsked, notice_of
from recollect.memory.forget import ForgetAnswer, Step
from recollect.memory.learn import LearnOptions, strip_injected
from recollect.memory.model.types import Message, Scope

from ..support.fence import FENCE
from ..support.parts import engine_of
from .remembered import item

ALICE = Scope(tenant="local", user_id="alice")
REQUEST = "Please forget that I work at Alstom."
ASKED = "You work at Alstom. Shall I forget it?"


def exchange(*texts, may_forget=True, last=None):
    """The last request of a conversation; user and assistant speak in turns."""
    roles = ("user", "assistant")
    messages = [Message(role=roles[i % 2], content=text) for i, text in enumerate(texts)]
    turns = tuple(turn_ids_of("c", messages))
    return Exchange(
        scope=ALICE,
        messages=[*messages, *([last] if last else [])],
        model="m",
        conversation_id="c",
        turn_id=turns[-1],
        turns=turns,
        may_forget=may_forget,
    )


@pytest.fixture
async def engine():
    engine = engine_of()
    memory = AsyncMemory(engine, tenant="local")
    await memory.add("I work at Alstom as a manager", user_id="alice", infer=False)
    yield engine
    await engine.close()


async def known(engine):
    return len((await AsyncMemory(engine, tenant="local").get_all(user_id="alice"))["results"])


async def test_the_model_is_told_what_to_ask(engine):
    """The lines and the question, fenced, in place of a recall; then that it was erased."""
    step = ForgetAsked(engine.spoken, FENCE)
    first = exchange(REQUEST)
    assert step.calls_out(first)
    await step.request(first)
    assert (first.verdict.outcome, first.verdict.reason) == (Outcome.INJECTED, "forget_proposed")
    [told] = first.injections
    assert "I work at Alstom as a manager\n" in told.text
    assert strip_injected(told.text) == ""
    second = exchange(REQUEST, ASKED, "yes, forget it")
    await step.request(second)
    assert second.verdict.reason == "forgotten"
    assert "Alstom" not in second.injections[0].text
    assert await known(engine) == 0


async def test_who_may_not_write_forgets_nothing(engine):
    """Reading only: the message is one like any other."""
    step = ForgetAsked(engine.spoken, FENCE)
    asked = exchange(REQUEST, may_forget=False)
    assert not step.calls_out(asked)
    await step.request(asked)
    assert (asked.verdict, asked.injections) == (None, ())


async def test_a_retry_is_told_the_same(engine):
    """And so is a request that goes on with the results of tools."""
    step = ForgetAsked(engine.spoken, FENCE)
    await step.request(exchange(REQUEST))
    texts = (REQUEST, ASKED, "yes, forget it")
    tool = Message(role="tool", content="done")
    for again in (exchange(*texts), exchange(*texts), exchange(*texts, last=tool)):
        await step.request(again)
        assert again.verdict.reason == "forgotten"


async def test_results_of_tools_ask_for_nothing(engine):
    """Nor does the assistant, nor what is told as a system."""
    step = ForgetAsked(engine.spoken, FENCE)
    for role in ("tool", "assistant", "system"):
        asked = exchange("Read my mail.", last=Message(role=role, content=REQUEST))
        await step.request(asked)
        assert asked.verdict is None


async def test_it_is_not_recorded(engine):
    """Neither the request with its answer, nor the agreement; what stands beside it is."""
    step = ForgetAsked(engine.spoken, FENCE)
    state = engine.parts.state
    capture = Capture(state.conversations, state.jobs, LearnOptions())

    beside = exchange(f"My cat is called Minka. {REQUEST}")
    await step.request(beside)
    await capture.response(beside, Answer(ASKED))
    texts = [each.turn for each in await state.conversations.recent(ALICE, limit=9)]
    assert [(t.user_text, t.assistant_text) for t in texts] == [
        ("My cat is called Minka.", NOT_SAID)
    ]
    only = exchange("Hello", "Hi", REQUEST)
    await step.request(only)
    assert only.unsaid == PLACEHOLDER
    agreed = exchange("Hello", "Hi", REQUEST, ASKED, "yes, forget it")
    await step.request(agreed)
    assert agreed.unsaid == ""
    assert not await capture.response(agreed, Answer("Forgotten."))
    after = exchange("Hello", "Hi", REQUEST, ASKED, "And that was all")
    await capture.response(after, Answer("Fine."))
    recent = await state.conversations.recent(ALICE, limit=9)
    assert not any("Alstom" in str(each.turn) for each in recent)


def test_each_step_has_its_words():
    """Only a proposal shows lines, and of many it says how many more there are."""
    items = tuple(item(f"fact {number}") for number in range(MOST_LINES + 5))
    texts = {each: notice_of(ForgetAnswer(each, items=items), FENCE) for each in Step}
    assert len(set(texts.values())) == len(Step)
    for each, text in texts.items():
        shows = each in {Step.PROPOSED, Step.UNSURE}
        assert ("fact 0\n" in text, "And 5 more." in text) == (shows, shows)
    everything = notice_of(ForgetAnswer(Step.PROPOSED, everything=True), FENCE)
    assert "Everything that is known about this user" in everything
