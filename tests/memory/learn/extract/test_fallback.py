"""Asks about one batch of turns. Each failure changes the way of asking."""

import pytest

from recollect.memory.learn.extract.fallback import (
    BASE_CALLS,
    MAX_REPAIR_CHARS,
    MAX_VAIN,
    FallbackChain,
    SpentError,
)
from recollect.memory.learn.extract.prompts import GRAPH_FORM, LINES_SHAPE
from recollect.memory.learn.extract.transcript import units_of
from recollect.memory.model.errors import BudgetError, ModelError, ModelUnavailableError

from ..doubles import Says
from .turns import Counts, answer, stated, talk

UNITS = units_of(talk("I am Bob", "I like tea"))
BOB = answer(stated("User is Bob", "I am Bob"))
LINE = "semantic | 0.5 | 1 | I am Bob | User is Bob"


def ladder(model, prompt=None, max_tokens=100):
    return FallbackChain(model, prompt, max_tokens)


def asked_for(model):
    """The shape each call asked for."""
    shapes = {GRAPH_FORM.shape: "json", LINES_SHAPE: "lines"}
    found = []
    for request in model.requests:
        shape = next(n for s, n in shapes.items() if request.messages[0].content.endswith(s))
        found.append("repair" if len(request.messages) > 2 else shape)
    return found


async def climb(model, units=UNITS, *, repair=True):
    found = await ladder(model).run(units, repair=repair)
    return [fact.text for fact in found.facts] if found else None


async def test_one_call():
    """A readable answer takes one call, which asks for the schema and the bound on tokens."""
    model = Says(BOB)
    steps = ladder(model, max_tokens=123)
    found = await steps.run(UNITS, repair=True)
    assert [fact.text for fact in found.facts] == ["User is Bob"]
    [request] = model.requests
    assert (request.schema, request.max_tokens, request.temperature) == (GRAPH_FORM.schema, 123, 0)
    assert (steps.calls, steps.strategy) == (1, "schema")


async def test_lesson_8_each_failure_changes_the_question():
    """Unreadable answers lead from the schema to a repair, then to lines, and never to facts of none."""
    model = Says("He is Bob.", "Bob!", LINE)
    assert await climb(model) == ["User is Bob"]
    assert asked_for(model) == ["json", "repair", "lines"]
    assert [request.schema for request in model.requests] == [
        GRAPH_FORM.schema,
        GRAPH_FORM.schema,
        None,
    ]
    shown = model.requests[1].messages
    assert shown[2].content == "He is Bob."
    assert "no JSON list of facts" in shown[3].content


async def test_nothing_helps():
    """If no way of asking works that is None, and what was said is kept."""
    steps = ladder(Says("first", "second", "third"))
    assert await steps.run(UNITS, repair=True) is None
    assert (steps.calls, steps.raw) == (3, "third")
    assert await climb(Says("prose"), repair=False) is None


async def test_lesson_10_what_broke_once_breaks_again():
    """The same question is never asked twice: two equal answers do not follow each other's fault."""
    model = Says("{'broken': ")
    await climb(model)
    asked = [[m.content for m in request.messages] for request in model.requests]
    assert len(asked) == len({tuple(one) for one in asked}) == 3


async def test_lines_are_remembered():
    """A model that only manages lines is asked for them at once, until it fails at those too."""
    model = Says("?", "?", LINE, LINE, "?", BOB)
    steps = ladder(model)
    await steps.run(UNITS, repair=True)
    await steps.run(UNITS, repair=True)
    assert await steps.run(UNITS, repair=True) is None
    assert await steps.run(UNITS, repair=True)
    assert asked_for(model) == ["json", "repair", "lines", "lines", "lines", "json"]


async def test_lesson_15_no_facts_is_an_answer():
    """An empty list needs no further question and is not None."""
    model = Says(answer())
    assert await climb(model) == []
    assert len(model.requests) == 1


async def test_a_broken_list():
    """Facts that are lost within a list are asked for as lines; the answer with more facts counts."""
    broken = '{"facts": [{"text": "a"}, {"text": "b" oops}, {"text": "c"}]}'
    assert await climb(Says(broken, LINE)) == ["a", "c"]
    assert await climb(Says(broken, f"{LINE} 1\n{LINE} 2\n{LINE} 3")) == [
        f"User is Bob {n}" for n in (1, 2, 3)
    ]


@pytest.mark.parametrize("error", [ModelUnavailableError("down"), BudgetError("spent")])
async def test_who_cannot_be_asked_is_not_asked_again(error):
    """No other question helps against a server that is down or a budget that is spent."""
    model = Says(error)
    with pytest.raises(type(error)):
        await climb(model)
    assert len(model.requests) == 1


async def test_lesson_9_an_empty_answer_is_a_failure():
    """A refusal or an empty answer leads to fewer turns at once, and for a single one to lines."""
    model = Says(ModelError("the model answered nothing"))
    assert await climb(model) is None
    assert len(model.requests) == 1
    model = Says(ModelError("the model answered nothing"), LINE)
    assert await climb(model, UNITS[:1]) == ["User is Bob"]


async def test_a_model_that_never_answers():
    """Refusals without any answer end soon, and the reason is kept."""
    steps = ladder(Says(ModelError("HTTP 401")))
    for _ in range(MAX_VAIN):
        assert await steps.run(UNITS, repair=True) is None
    with pytest.raises(SpentError):
        await steps.run(UNITS, repair=True)
    assert "401" in str(steps.refusal)


async def test_calls_in_vain_are_few():
    """Without a readable answer an extraction ends after some calls, in the middle of a climb too."""
    steps = ladder(Says("prose"))
    steps.vain = 4
    assert await steps.run(UNITS, repair=True) is None
    with pytest.raises(SpentError):
        await steps.run(UNITS, repair=True)
    assert steps.calls == 4


async def test_the_bound_on_calls():
    """After a readable answer there is one more for each unit, beside a few."""
    steps = ladder(Says(BOB, "prose"))
    steps.units = len(UNITS)
    assert await steps.run(UNITS, repair=True)
    for _ in range((BASE_CALLS + len(UNITS)) // 2 - 1):
        assert await steps.run(UNITS, repair=False) is None
    with pytest.raises(SpentError):
        await steps.run(UNITS, repair=False)
    assert steps.calls == BASE_CALLS + len(UNITS)


async def test_what_was_read_before_the_bound_is_kept():
    """The last call that is left may read a part; the end of the calls does not lose it."""
    broken = '{"facts": [{"text": "a"}, {"text": "b" oops}]}'
    steps = ladder(Says("?", "?", broken))
    steps.vain = 2
    with pytest.raises(SpentError):
        await steps.run(UNITS, repair=True)
    steps = ladder(Says(broken))
    steps.units = 1 - BASE_CALLS
    found = await steps.run(UNITS, repair=True)
    assert [fact.text for fact in found.facts] == ["a"]


async def test_a_repair_is_no_flood():
    """Of an endless answer only the beginning is sent back."""
    model = Says("x" * 1_000_000, BOB)
    await climb(model)
    assert len(model.requests[1].messages[2].content) == MAX_REPAIR_CHARS


async def test_own_prompt():
    """A caller's prompt replaces the instructions; no schema is forced, but the shape is asked for."""
    model = Says("?", "?", LINE)
    await ladder(model, "Only pets.").run(UNITS, repair=True)
    assert [request.schema for request in model.requests] == [None] * 3
    assert all(r.messages[0].content.startswith("Only pets.\n\n") for r in model.requests)
    assert asked_for(model) == ["json", "repair", "lines"]


async def test_lines_that_fill_the_answer_are_cut():
    """Lines do not show that some are missing; the number of tokens does. JSON shows it itself."""
    full = Counts("?", "?", LINE, tokens=100)
    assert (await ladder(full).run(UNITS, repair=True)).cut
    assert not (await ladder(Counts(BOB, tokens=100)).run(UNITS, repair=True)).cut
