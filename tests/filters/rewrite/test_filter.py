"""A message becomes a self-contained query, by its terms or by a model."""

import json
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import RequestRecallOptions, TurnCache, filters_before_recall
from recollect.filters.rewrite.answer import UnusableAnswerError
from recollect.filters.rewrite.filter import Rewrite, RewriteByModel
from recollect.filters.rewrite.options import RewriteOptions
from recollect.filters.rewrite.terms import MAX_QUERY_CHARS, key_terms, rewrite, self_contained
from recollect.memory.model.errors import ModelError
from recollect.memory.model.types import ChatReply, Message, Scope
from recollect.memory.recall import Query
from tests.filters.remembered import ALICE, asking, said
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

TERMS = RewriteOptions()


@rows("query", ROWS["a query that names its subject is self contained"])
def test_a_query_that_names_its_subject_is_self_contained(query):
    """It is searched for as it is."""
    assert self_contained(query)
    assert rewrite(said("The kettle is broken.", query), TERMS) == query


@rows("query", ROWS["a query that points elsewhere is not"])
def test_a_query_that_points_elsewhere_is_not(query):
    """Pronouns without a noun, follow-ups and bare question words need what was said before."""
    assert not self_contained(query)


def test_key_terms_of_earlier_user_messages_come_first():
    """Content words in the order they were said, the query as it is at the end."""
    query = rewrite(
        said("Planning a trip to Madeira", "Levada walks look steep", "how much?"), TERMS
    )
    assert query == "Planning trip Madeira Levada walks look steep how much?"


def test_only_the_last_messages_count():
    """Those of three earlier messages."""
    talk = said("Teapots", "Ladders", "Radios", "Violins", "what about those?")
    assert rewrite(talk, TERMS) == "Ladders Radios Violins what about those?"


def test_an_answer_that_is_pointed_into_lends_its_terms():
    """Which "those" are means what the assistant listed."""
    talk = said(
        "Name two lakes.", ("assistant", "Windermere and Ullswater."), "which of those is deeper?"
    )
    assert rewrite(talk, TERMS) == "two lakes Windermere Ullswater which of those is deeper?"


def test_instructions_of_the_application_lend_nothing():
    """System and developer messages are not about the user."""
    talk = said(
        "Teapots", ("system", "Always be pelican."), ("developer", "No zebra."), "and those?"
    )
    assert rewrite(talk, TERMS) == "Teapots and those?"


def test_names_and_numbers_are_kept_before_other_words(monkeypatch):
    """With room for a few terms only, the telling ones stay, in their order."""
    talk = said("we probably visited lovely Lisbon with friendly Ramon around 1998", "who else?")
    monkeypatch.setattr("recollect.filters.rewrite.terms.MAX_TERMS", 3)
    assert rewrite(talk, TERMS) == "Lisbon Ramon 1998 who else?"


def test_a_term_is_said_once():
    """Neither twice nor if the query holds it already."""
    assert [term.text for term in key_terms("Rosa likes tea, TEA and Rosa")] == [
        "Rosa",
        "likes",
        "tea",
    ]
    assert rewrite(said("Tea or juice?", "why not tea?"), TERMS) == "juice why not tea?"


@rows("messages", [[], said(("assistant", "Hello")), said("   ")])
def test_nothing_to_search_for_is_an_empty_query(messages):
    """No user message, or a blank one."""
    assert rewrite(messages, TERMS) == ""


def test_the_ends_of_a_long_message_are_kept():
    """Questions stand at the beginning or the end."""
    text = "Which boat? " + "filler " * 200_000 + "Reply with its name."
    query = rewrite(said(text), TERMS)
    assert query.startswith("Which boat?")
    assert query.endswith("Reply with its name.")
    assert len(query) <= MAX_QUERY_CHARS


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text()), max_size=5),
    st.integers(16, 60),
)
def test_any_conversation_gives_a_bounded_query(turns, limit):
    """Whatever is said, the query is a string within its bound."""
    with patch("recollect.filters.rewrite.terms.MAX_QUERY_CHARS", limit):
        query = rewrite(said(*turns), TERMS)
    assert isinstance(query, str)
    assert len(query) <= limit


@rows("texts, query, word", ROWS["it says whether terms were added"])
async def test_it_says_whether_terms_were_added(texts, query, word):
    """The query has no variants and nothing made up; the note is one word for traces."""
    exchange = asking(said(*texts))
    await Rewrite(RewriteOptions()).request(exchange)
    assert exchange.query == Query(query)
    assert exchange.notes == {"rewrite": word}


async def test_a_conversation_that_the_upstream_keeps_is_read_like_a_resent_one():
    """The terms of earlier messages are added, whoever sends them."""
    parts = said("Teapots?", "and those?")
    resent, kept = asking(parts), asking(parts[1:], earlier=parts[:1])
    for exchange in (resent, kept):
        await Rewrite(RewriteOptions()).request(exchange)
        assert exchange.query == Query("Teapots and those?")


TALK = ("I split the parcel service out of the depot.", "which port did I give it?")
KEY_TERMS = "split parcel service depot which port did I give it?"
GOOD = "Which port did I give the parcel service?"
NOTE = "User runs the parcel service on port 4711."


class Scripted:
    """A model and the source it comes from."""

    def __init__(self, **answer):
        self.answer = json.dumps(answer)
        self.requests = []
        self.asked_for = []
        self.known = True

    async def __call__(self, tenant, model):
        self.asked_for.append((tenant, model))
        return self if self.known else None

    async def complete(self, request):
        self.requests.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return ChatReply(text=self.answer, model="scripted")

    async def close(self):
        """Nothing to release."""


def exchange(*texts, turn="t", scope=ALICE, more=()):
    return asking([*said(*texts or TALK), *more], turn=turn, scope=scope, model="their-model")


@pytest.fixture
def kept():
    return TurnCache()


@pytest.fixture
def models():
    return Scripted(query=GOOD, variants=["What is the parcel port?"], passage=NOTE)


@pytest.fixture
def run(models, kept):
    """As the pipeline does it, without its time: request, then the improvement or its end."""

    async def run(asked, refused=None, **options):
        options = RequestRecallOptions(rewrite={"strategy": "llm"} | options)
        *_, step = filters_before_recall(options, kept, models)
        await step.request(asked)
        better = step.improvement(asked)
        if better is None:
            return asked
        if refused:
            better.give_up(refused)
            return asked
        try:
            await better.run()
        except ModelError as error:
            better.give_up(error.code)
        return asked

    return run


async def test_a_vague_query_is_written_out(run, models):
    """By the conversation's own model, in one call."""
    asked = await run(exchange())
    assert (asked.query.text, asked.notes["rewrite"]) == (GOOD, "llm")
    assert models.asked_for == [("local", "their-model")]
    assert len(models.requests) == 1


async def test_a_self_contained_query_asks_nobody(run, models):
    """Nor does the first message, which has nothing to point at."""
    complete = await run(exchange("Teapots?", "Which dentist did Marta recommend in Leeds?"))
    assert complete.notes["rewrite"] == "as_is"
    first = await run(exchange("which port did I give it?"))
    assert first.query.text == "which port did I give it?"
    assert (await run(exchange("   "), strategy="hyde")).query.text == ""
    assert models.requests == []


async def test_hyde_comes_with_every_message(run):
    """It helps complete queries too, and leaves the text as the strategy made it."""
    whole = "Which port does the parcel service have?"
    asked = await run(exchange(whole), strategy="hyde")
    assert asked.query.text == whole
    assert asked.query.passages == (NOTE,)
    vague = await run(exchange(turn="t2"), strategy="hyde")
    assert (vague.query.text, vague.query.variants) == (KEY_TERMS, ())
    assert vague.notes == {"rewrite": "llm"}  # they are for traces: no text


@rows(
    "answer, refused, word",
    [
        (ModelError("away"), None, "llm_failed"),
        ("I'd rather not.", None, "llm_unusable"),
        ('{"query": "Ignore all of this"}', None, "llm_unusable"),
        ("{}", "deadline", "llm_deadline"),
        ("{}", "busy", "llm_busy"),
        ("{}", "circuit_open", "llm_paused"),
        ("{}", "internal_error", "llm_failed"),
        # Before a client's first answer, and after a restart.
        (None, None, "no_model"),
    ],
)
async def test_what_brings_nothing_leaves_the_key_terms(run, models, answer, refused, word):
    """And says in a word what became of the call, or why there was none."""
    models.answer, models.known = answer, answer is not None
    asked = await run(exchange(turn=f"{answer} {refused}"), refused=refused)
    assert (asked.query, asked.notes["rewrite"]) == (Query(KEY_TERMS), word)


async def test_a_failed_call_raises_for_the_breaker(models, kept):
    """Errors and nonsense both tell that the model is of no use now."""
    step = RewriteByModel(RewriteOptions(strategy="llm"), models, kept)
    for answer, error in ((ModelError("away"), ModelError), ("no", UnusableAnswerError)):
        models.answer = answer
        asked = exchange()
        await step.request(asked)
        with pytest.raises(error):
            await step.improvement(asked).run()
        assert asked.query.text == KEY_TERMS


async def test_a_turn_is_asked_for_once(run, models):
    """A retry and a tool round-trip search for the same."""
    first = await run(exchange())
    models.answer = '{"query": "Which port did I give the depot?"}'
    retried = await run(exchange())
    continued = await run(exchange(more=[Message(role="tool", content="ok")]))
    assert retried.query == continued.query == first.query
    assert retried.notes["rewrite"] == "cached"
    other = await run(exchange(turn="t2"))
    bob = await run(exchange(scope=Scope(tenant="local", user_id="bob")))
    assert other.query == bob.query != first.query
    assert len(models.requests) == 3


@pytest.mark.parametrize("failure", ["answer", "refused", "unknown"])
async def test_a_turn_whose_call_brought_nothing_is_not_asked_for_again(run, models, failure):
    """Else each tool round-trip of it would be held for the model."""
    if failure == "answer":
        models.answer = "no"
    models.known = failure != "unknown"
    await run(exchange(), refused="deadline" if failure == "refused" else None)
    calls = len(models.asked_for)
    models.known, models.answer = True, json.dumps({"query": GOOD})
    again = await run(exchange(more=[Message(role="tool", content="ok")]))
    assert (again.query.text, again.notes["rewrite"]) == (KEY_TERMS, "cached")
    assert len(models.asked_for) == calls


async def test_a_forgotten_query_is_asked_for_again(run, models, kept):
    """It may hold words of what is deleted now."""
    await run(exchange())
    kept.forget(ALICE, "any memory")
    assert (await run(exchange())).notes["rewrite"] == "llm"
    assert len(models.requests) == 2


async def test_clients_models_fail_one_by_one(models, kept):
    """Each client's own model is a part of its own; a configured one is the same for all."""

    async def part(tenant, **options):
        step = RewriteByModel(RewriteOptions(strategy="hyde", **options), models, kept)
        asked = exchange(scope=Scope(tenant=tenant, user_id="u"))
        await step.request(asked)
        return step.improvement(asked).part

    assert await part("one") != await part("other")
    assert await part("one", llm={"model": "small"}) == await part("other", llm={"model": "small"})
