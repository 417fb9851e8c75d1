"""Asks about one batch of turns. Each failure changes the way of asking."""

import pytest

from recollect.memory.learn.extract.fallback import BASE_CALLS, FallbackChain, SpentError
from recollect.memory.learn.extract.prompts import GRAPH_FORM, LINES_SHAPE
from recollect.memory.learn.extract.transcript import units_of

from ..doubles import Says
from .turns import answer, stated, talk

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


async def test_own_prompt():
    """A caller's prompt replaces the instructions; no schema is forced, but the shape is asked for."""
    model = Says("?", "?", LINE)
    await ladder(model, "Only pets.").run(UNITS, repair=True)
    assert [request.schema for request in model.requests] == [None] * 3
    assert all(r.messages[0].content.startswith("Only pets.\n\n") for r in model.requests)
    assert asked_for(model) == ["json", "repair", "lines"]
