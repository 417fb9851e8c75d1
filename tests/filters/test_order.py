"""The filters in their order, what is remembered of turns, and how it is forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import AsyncMemory
from recollect.filters import (
    Answer,
    Capture,
    Exchange,
    Outcome,
    RequestRecallOptions,
    filters_before_recall,
    request_filters,
    turn_cache,
)
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.capture.filter import NOT_SAID
from recollect.filters.forget import MOST_LINES, PLACEHOLDER, ForgetAsked, notice_of
from recollect.filters.rewrite.filter import Rewrite, RewriteByModel
from recollect.filters.turn_cache import TurnCache, TurnKey
from recollect.memory.blocks import RecalledBlock
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.forget import ForgetAnswer, Step
from recollect.memory.learn import LearnOptions, strip_injected
from recollect.memory.model.turn_ids import turn_ids_of
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Message,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall import Drop, HotIndexes, Query, Recaller, Selection
from recollect.memory.util.tokens import ApproximateCounter
from tests.filters.remembered import hit, item, selection
from tests.support.fence import FENCE
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.parts import engine_of

ALICE = Scope(tenant="local", user_id="alice")


def recaller_of(options, store=None):
    """One with a store in memory, empty unless one is given."""
    embedder = FakeEmbedder()
    store = store or InMemoryMemories(dim=embedder.dim)
    indexes = HotIndexes(store, dim=embedder.dim)
    return Recaller(indexes, embedder, ApproximateCounter(), options)


@pytest.fixture
async def run():
    """Run all filters over a store that knows where Alice lives."""
    embedder, tokens = FakeEmbedder(), ApproximateCounter()
    store = InMemoryMemories(dim=embedder.dim)
    text = "Alice lives in Oslo near the harbour"
    [vector] = await embedder.embed([text])
    now = utc_now()
    item = MemoryItem(
        id="1",
        text=text,
        type=MemoryType.SEMANTIC,
        scope=ALICE,
        created_at=now,
        updated_at=now,
        embedder_id=embedder.id,
    )
    await store.put([StoredMemory(item, vector)])

    async def run(*messages, **options):
        options = RequestRecallOptions(**options)
        filters = request_filters(options, recaller_of(options, store), tokens, FENCE)
        exchange = Exchange(
            scope=ALICE,
            messages=[Message(role=role, content=text) for role, text in messages],
            model="m",
            conversation_id="c",
            turn_id="t",
        )
        for step in filters:
            if exchange.verdict is None:
                await step.request(exchange)
        for step in filters:
            if hasattr(step, "settle"):
                step.settle(exchange)
        return exchange

    return run


def test_the_order():
    """SideRequests, gate, rewrite, recall, inject: what is skipped costs nothing of what comes after."""
    options = RequestRecallOptions()
    tokens, recaller = ApproximateCounter(), recaller_of(options)
    names = [step.name for step in request_filters(options, recaller, tokens, FENCE)]
    assert names == ["side_requests", "gate", "rewrite", "recall", "inject"]
    before = [step.name for step in filters_before_recall(options)]
    assert before == names[: names.index("recall")]


@rows(
    "rewrite, models, expected",
    [
        ({}, True, Rewrite),
        ({"strategy": "none"}, True, Rewrite),
        ({"strategy": "llm"}, False, Rewrite),
        ({"strategy": "llm"}, True, RewriteByModel),
        ({"strategy": "hyde"}, True, RewriteByModel),
    ],
)
def test_a_model_is_only_asked_where_that_is_wanted(rewrite, models, expected):
    """Off by default, and without a source of models there is nobody to ask."""
    options = RequestRecallOptions(rewrite=rewrite)
    tokens, recaller = ApproximateCounter(), recaller_of(options)
    source = object() if models else None
    [step] = [
        each
        for each in request_filters(options, recaller, tokens, FENCE, models=source)
        if each.name == "rewrite"
    ]
    assert type(step) is expected


BOB = Scope(tenant="local", user_id="bob")
ELSEWHERE = Scope(tenant="other", user_id="alice")
CODER = Scope(tenant="local", user_id="alice", agent_id="coder")
WRITER = Scope(tenant="local", user_id="alice", agent_id="writer")

IDS = st.none() | st.sampled_from(["a", "b"])
SCOPES = st.builds(
    lambda tenant, user, agent, run: Scope(
        tenant=tenant,
        user_id=user if agent or run else user or "a",
        agent_id=agent,
        run_id=run,
    ),
    st.sampled_from(["t", "u"]),
    IDS,
    IDS,
    IDS,
)


def block(*ids):
    return RecalledBlock.of([item(name) for name in ids], FENCE)


def filled():
    """Each of these scopes has had the turn `t` with the memory `m` and its own."""
    kept = TurnCache()
    for scope in (ALICE, BOB, ELSEWHERE, CODER, WRITER):
        own = f"of {scope.tenant} {scope.user_id} {scope.agent_id}"
        kept.blocks.put(TurnKey(scope, "t"), block("m", own))
        kept.selections.put(TurnKey(scope, "t"), selection("m", own))
    return kept


def left(kept):
    """Whose turns are still there; the two kinds always agree."""
    scopes = (ALICE, BOB, ELSEWHERE, CODER, WRITER)
    blocks = [scope for scope in scopes if kept.blocks.get(TurnKey(scope, "t"))]
    assert blocks == [s for s in scopes if kept.selections.get(TurnKey(s, "t"))]
    return blocks


@given(SCOPES, SCOPES, st.booleans())
def test_no_scope_gets_the_turns_of_another(one, other, named):
    """Also if both say the same in a session they call by the same name."""
    said = [Message(role="user", content="Where do I live?")]
    ids = []
    for scope in (one, other):
        ids.append(turn_id_of(conversation_id_of(scope, "s" if named else None, said), said))
    kept = TurnCache()
    kept.blocks.put(TurnKey(one, ids[0]), block("m"))
    kept.selections.put(TurnKey(one, ids[0]), selection("m"))
    for turn_id in ids:
        found = (
            kept.blocks.get(TurnKey(other, turn_id)),
            kept.selections.get(TurnKey(other, turn_id)),
        )
        assert (one == other) == (None not in found)
    assert (ids[0] == ids[1]) == (one == other)


@given(SCOPES, SCOPES, SCOPES)
def test_a_deleted_scope_leaves_no_turn_that_could_show_it(deleted, of_memory, of_turn):
    """Whatever turn could see a memory that is deleted is gone, and nothing of other tenants."""
    kept = TurnCache()
    kept.blocks.put(TurnKey(of_turn, "t"), block("m"))
    kept.forget(deleted)
    there = kept.blocks.get(TurnKey(of_turn, "t")) is not None
    if deleted.admits(of_memory) and of_turn.admits(of_memory):
        assert not there
    if deleted.tenant != of_turn.tenant:
        assert there


@rows(
    "owner_ref, memory_id, expected",
    [
        ("local", None, [ELSEWHERE]),
        ("local", "m", [ELSEWHERE]),
        ("local", "of local bob None", [ALICE, ELSEWHERE, CODER, WRITER]),
        ("local", "of other alice None", [ALICE, BOB, ELSEWHERE, CODER, WRITER]),
        (BOB, None, [ALICE, ELSEWHERE, CODER, WRITER]),
        (ALICE, None, [BOB, ELSEWHERE]),
        (CODER, None, [BOB, ELSEWHERE, WRITER]),
        (CODER, "m", [BOB, ELSEWHERE, WRITER]),
        (ALICE, "unknown", [ALICE, BOB, ELSEWHERE, CODER, WRITER]),
    ],
)
def test_what_is_forgotten(owner_ref, memory_id, expected):
    """Turns that may hold the memory, or any of the scope or tenant; nobody else's."""
    kept = filled()
    kept.forget(owner_ref, memory_id)
    assert left(kept) == expected


@rows("memory_id", [None, "m", "unknown"])
def test_queries_of_whoever_forgets_are_forgotten(memory_id):
    """Nobody knows which memory a query's words came from; nobody else's go."""
    kept = TurnCache()
    for scope in (ALICE, BOB, ELSEWHERE, CODER):
        kept.queries.put(TurnKey(scope, "t"), Query("which?"))
    kept.forget(CODER, memory_id)
    assert [kept.queries.get(TurnKey(s, "t")) is None for s in (ALICE, BOB, ELSEWHERE, CODER)] == [
        True,
        False,
        False,
        True,
    ]


def test_a_memory_that_was_found_but_not_chosen_is_forgotten_too():
    """A selection holds the text of what it dropped."""
    kept = TurnCache()
    dropped = Selection((hit("a"),), ((hit("m"), Drop.BUDGET),))
    kept.selections.put(TurnKey(ALICE, "t"), dropped)
    kept.forget("local", "m")
    assert kept.selections.get(TurnKey(ALICE, "t")) is None


def test_it_is_bounded(monkeypatch):
    """Turns by number, blocks also by their characters."""
    size = len(block("m").text)
    bounds = {"QUERIES": 2, "SELECTIONS": 3, "BLOCKS": 5, "BLOCK_CHARS": 4 * size}
    for name, most in bounds.items():
        monkeypatch.setattr(turn_cache, f"MAX_{name}", most)
    kept = TurnCache()
    for number in range(9):
        kept.blocks.put(TurnKey(ALICE, str(number)), block("m"))
        kept.selections.put(TurnKey(ALICE, str(number)), selection("m"))
        kept.queries.put(TurnKey(ALICE, str(number)), Query("which?"))
    assert (len(kept.queries), len(kept.selections), len(kept.blocks)) == (2, 3, 4)


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
