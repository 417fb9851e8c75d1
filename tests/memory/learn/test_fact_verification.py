"""The call that names the facts which the turns do not state."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract import Doubted, Extraction
from recollect.memory.learn.fact_verification import read_numbers, verified
from recollect.memory.model.doubts import NOT_STATED, UNSURE
from recollect.memory.model.errors import ExtractionError, ModelError
from recollect.memory.model.types import Candidate, Doubt, Source
from tests.support.folding import rows

from .doubles import Says
from .extract.turns import turn


def candidate(text, *, of="t1", source=Source.EXTRACTION):
    return Candidate(text=text, quote="I like tea", turn_ids=(of,), source=source)


TEA, CHESS = candidate("User likes tea"), candidate("User likes chess")
VEGAN = Doubted(candidate("User is vegan"), Doubt(UNSURE), is_open=True)
TALK = [turn("I like tea. My brother likes chess. My wife is vegan.")]


async def test_what_is_named_is_doubted():
    """The facts whose numbers the model names are doubted, the others stay."""
    found, failed = await verified(Says('{"not_stated": [2]}'), TALK, Extraction((TEA, CHESS)))
    assert found.candidates == (TEA,)
    [doubted] = found.doubted
    assert (doubted.candidate, doubted.doubt.kind) == (CHESS, NOT_STATED)
    assert doubted.doubt.sentence == "I like tea"
    assert not failed


@rows("answer, believed", [("[]", True), ("[2]", False)])
async def test_what_rules_are_unsure_of_is_asked_too(answer, believed):
    """A model that reads it as stated clears the doubt; else the doubt stays as it was."""
    model = Says(f'{{"not_stated": {answer}}}')
    found, _ = await verified(model, TALK, Extraction((TEA,), doubted=(VEGAN,)))
    assert "2. User is vegan" in model.heard()
    assert found.candidates == ((TEA, VEGAN.candidate) if believed else (TEA,))
    assert found.doubted == (() if believed else (VEGAN,))


@rows("answer", ["fine", "", '{"not_stated": "x"}', ModelError("down")])
async def test_a_failure_changes_nothing(answer):
    """An answer that cannot be read, or none, leaves everything and is counted."""
    before = Extraction((TEA,), doubted=(VEGAN,))
    assert await verified(Says(answer), TALK, before) == (before, {"verify_failed": 1})


async def test_only_the_users_facts_are_asked_about():
    """What the assistant said is unconfirmed anyway; without facts no call is made."""
    model = Says("unread")
    await verified(model, TALK, Extraction((candidate("x", source=Source.ASSISTANT),)))
    await verified(model, TALK, Extraction())
    assert model.requests == []


@rows(
    "text, numbers",
    [
        ('{"not_stated": [1, 3]}', {1, 3}),
        ("<think>[7]</think>Here: [2]", {2}),
        ('{"not_stated": ["2"]}', {2}),
        ('{"not_stated": []}', set()),
    ],
)
def test_answers(text, numbers):
    """The list is read with or without the object around it."""
    assert read_numbers(text) == numbers


@given(st.text())
def test_any_answer(text):
    """An answer is read or refused, whatever it is."""
    with suppress(ExtractionError):
        assert all(number >= 0 for number in read_numbers(text))
