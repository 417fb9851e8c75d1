"""Searches until what is found answers a question, or says that it does not."""

import asyncio
import json

import pytest

from recollect.memory.api.deep_recall import (
    FIRST,
    NOT_COVERED,
    NOTHING_NEW,
    OUT_OF_ROUNDS,
    OUT_OF_TIME,
    OUT_OF_TOKENS,
    UNREADABLE,
)
from recollect.memory.engine.engine import nobody
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.errors import (
    BudgetError,
    ConfigError,
    ModelUnavailableError,
)
from recollect.memory.recall import RecallOptions
from tests.support.constants import made
from tests.support.folding import rows

from ..learn.doubles import Says
from .client_parts import build, keep

TWO = "Where does the sister of Ada live? And what is her street called?"
SISTER, PLACE = "Ada has a sister called Zoe.", "Zoe lives in Bergen, in the street Torget."


def grade(*grounds, enough=False, missing="", queries=()):
    return json.dumps(
        {"grounds": grounds, "enough": enough, "missing": missing, "queries": list(queries)}
    )


def numbered(request, text):
    """The number of a note in what a model was asked."""
    for line in request.messages[1].content.splitlines():
        if text in line:
            return int(line.partition(".")[0])
    return 0


def follows(*texts):
    """A model that is content once it sees these, and else asks for Zoe."""

    def judged(request):
        seen = [number for text in texts if (number := numbered(request, text))]
        if len(seen) == len(texts):
            return grade(*seen, enough=True)
        return grade(*seen, missing="where Zoe lives", queries=["Where does Zoe live?"])

    return judged


def memories(found):
    return [each["memory"] for each in found["results"]]


async def test_what_is_missing_is_searched_for():
    """In the words of the model, until it says that the memories are enough; those it names."""
    async with build(Says(follows("sister", "Bergen"))) as told:
        await keep(told, SISTER, *(f"Ada owns the book number {n}" for n in range(12)), PLACE)
        found = await told.deep_recall(TWO, user_id="alice")
    assert sorted(memories(found)) == [SISTER, PLACE]
    assert not found["abstained"]
    assert "reason" not in found
    assert found["calls"] <= 3
    assert found["tokens"] > 0


async def test_it_abstains_if_the_model_knows_nothing_else_to_search_for():
    """Also if all that it proposes was tried."""
    for queries in ([], [TWO.upper()]):
        async with build(Says(grade(queries=queries))) as told:
            await keep(told, SISTER)
            found = await told.deep_recall(TWO, user_id="alice")
        assert (found["reason"], found["searches"]) == (NOTHING_NEW, [TWO])


@rows("most", [1, 2, 5])
async def test_a_loop_ends(most):
    """A model that is never content is asked as often as the bound says, and no more."""
    topics = ["tea", "rowing", "chess", "Bergen", "violin", "bread", "skiing"]
    proposed = iter(topics)
    model = Says(lambda _: grade(queries=[next(proposed)]))
    async with build(model) as told:
        for topic in topics:
            await keep(told, *(f"User has {topic} note {n} about {topic}" for n in range(12)))
        found = await told.deep_recall(TWO, user_id="alice", max_iterations=most)
    assert found["calls"] == len(model.requests) == most
    assert (found["abstained"], found["reason"]) == (True, OUT_OF_ROUNDS)


@rows(
    "line, reason",
    [
        ("They look fine to me!", UNREADABLE),
        ("", UNREADABLE),
        ('{"enough": "maybe"}', UNREADABLE),
        (ModelUnavailableError("down"), "model_unreachable"),
        (BudgetError("spent"), "budget_spent"),
    ],
)
async def test_a_model_that_fails_makes_it_abstain(line, reason):
    """With the reason and what one search is sure of: nobody judged whether that is enough."""
    async with build(Says(line)) as told:
        await keep(told, SISTER)
        found = await told.deep_recall(TWO, user_id="alice")
    assert (found["abstained"], found["reason"], found["calls"]) == (True, reason, 1)


async def test_a_model_that_fails_later_costs_nothing_that_was_found():
    """What an earlier grade named is in the result."""
    model = Says(grade(1, queries=["Who plays chess?"]), ModelUnavailableError("down"))
    async with build(model) as told:
        await keep(told, SISTER, PLACE, "Whoever plays chess in Oslo knows Per")
        found = await told.deep_recall(TWO, user_id="alice")
    assert len(found["results"]) == 1
    assert found["reason"] == "model_unreachable"


async def test_a_wrong_configuration_is_an_error():
    """Whoever set it up has to know."""
    async with build(Says(ConfigError("llm.api_key: expected a key"))) as told:
        await keep(told, SISTER)
        with pytest.raises(ConfigError):
            await told.deep_recall(TWO, user_id="alice")


async def test_it_takes_no_more_time_than_it_is_given():
    """A call that hangs is cancelled, and what was found is the answer.

    The seconds are enough for the search before the call, also where ten tests run beside it.
    """

    class Hangs(Says):
        cancelled = False

        async def complete(self, request):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise

    model = Hangs("")
    async with build(model) as told:
        await keep(told, SISTER)
        found = await told.deep_recall(TWO, user_id="alice", seconds=3)
    assert (found["abstained"], found["reason"]) == (True, OUT_OF_TIME)
    assert model.cancelled


async def test_it_takes_no_more_tokens_than_it_is_given():
    """A call that may take more is not made."""
    model = Says(grade(queries=["Zoe"]))
    async with build(model) as told:
        await keep(told, SISTER)
        found = await told.deep_recall(TWO, user_id="alice", tokens=100)
    assert (found["reason"], found["calls"], found["tokens"]) == (OUT_OF_TOKENS, 0, 0)
    assert not model.requests


async def test_a_model_cannot_search_another_scope():
    """Whatever it asks for, only memories of the scope are found."""
    async with build(Says(grade(queries=["user_id: bob", "Bob's secret"]))) as told:
        await keep(told, SISTER)
        await keep(told, "Bob's secret is a tattoo", user_id="bob")
        found = await told.deep_recall(TWO, user_id="alice")
    assert "tattoo" not in str(found)


TBILISI = "What did the person I met in Tbilisi recommend?"
MET, SAID = "In Tbilisi I met Giorgi at the baths.", "Giorgi swears by khinkali near the bridge."
NOISE = ("The flight to Tbilisi was late", "My dentist has recommended a softer toothbrush")


def without_a_model(**parts):
    return build(models=nobody, **parts)


async def test_without_a_model_a_question_is_joined_by_structure():
    """Both facts, by the name that they share: one search says nothing of the second."""
    async with without_a_model() as told:
        await keep(told, *NOISE, MET, SAID)
        one = await told.search(TBILISI, user_id="alice", threshold=0.8)
        found = await told.deep_recall(TBILISI, user_id="alice")
    assert SAID not in memories(one)
    assert {MET, SAID} <= set(memories(found))
    assert (found["abstained"], found["calls"], found["tokens"]) == (False, 0, 0)


async def test_without_a_model_it_abstains_where_nothing_is_near():
    """It never guesses; what may be part of an answer is in the result all the same."""
    async with without_a_model() as told:
        await keep(told, "Giorgi swears by khinkali", "Giorgi repairs clocks")
        found = await told.deep_recall("Who broke my umbrella in Lisbon?", user_id="alice")
    assert (found["abstained"], found["reason"], found["calls"]) == (True, NOT_COVERED, 0)


async def test_in_a_large_store_the_name_is_put_in_for_the_description():
    """What the first search does not bring near is searched for by the name that was found."""
    options = EngineOptions(
        recall=made(RecallOptions, expand_hops=0)
    )  # else the best hit leads to it
    async with without_a_model(options=options) as told:
        others = [f"The aunt of Ada owns book {n}" for n in range(FIRST + 5)]
        await keep(told, SAID, *others, MET)
        found = await told.deep_recall(TBILISI, user_id="alice")
    assert any("Giorgi" in query for query in found["searches"][1:])
    assert SAID in memories(found)


async def test_a_model_is_shown_what_is_joined():
    """So that it may say at once that it is enough: one call, for what one search does not find."""

    def judged(request):
        seen = [number for text in (MET, SAID) if (number := numbered(request, text))]
        return grade(*seen, enough=len(seen) == 2)

    async with build(Says(judged)) as told:
        await keep(told, *NOISE, MET, SAID)
        found = await told.deep_recall(TBILISI, user_id="alice")
    assert sorted(memories(found)) == sorted([MET, SAID])
    assert (found["abstained"], found["calls"]) == (False, 1)
