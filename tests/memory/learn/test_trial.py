"""A trial of a model on the built-in conversation."""

import asyncio

import pytest

from recollect.memory.learn import LearnOptions
from recollect.memory.learn.trial import CONVERSATION, try_extraction
from recollect.memory.model.errors import ModelNotFoundError
from tests.memory.learn.doubles import Says
from tests.support.scripted import facts


async def test_a_good_model():
    """Its facts, checked against the conversation as a job would."""
    model = Says(facts("User moved to Lisbon in March", "User was born on Mars"))
    trial = await try_extraction(model, LearnOptions())
    assert [fact.text for fact in trial.facts] == ["User moved to Lisbon in March"]
    assert [text for text, _ in trial.refused] == ["User was born on Mars"]
    assert (trial.calls, trial.error, trial.strategy) == (1, "", "schema")
    assert CONVERSATION[0].content in model.heard()


@pytest.mark.parametrize(
    ("line", "word"),
    [("only words", "model_unreadable"), (ModelNotFoundError("HTTP 404"), "model_not_found")],
)
async def test_a_bad_model(line, word):
    """The reason word and advice; what it said, if it said something."""
    trial = await try_extraction(Says(line), LearnOptions())
    assert trial.error.startswith(f"{word}: ")
    assert trial.advice
    assert trial.raw == (line if isinstance(line, str) else "")


async def test_a_model_that_hangs():
    """It ends with the time of one try."""

    class Hangs(Says):
        async def complete(self, request):
            await asyncio.Event().wait()

    options = LearnOptions.model_construct(job_seconds=0.01)
    trial = await try_extraction(Hangs(""), options)
    assert trial.error.startswith("job_timeout: ")
