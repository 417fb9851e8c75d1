"""Whether near memories say the same, asked of a model."""

import json

from recollect.memory.upkeep.consolidate.duplicate_question import ask
from recollect.memory.upkeep.consolidate.findings import Question
from tests.memory.learn.doubles import Says
from tests.support.folding import rows

from .items import OWN, TOLD, item

FULL = item("full", "User cycles to the office every day in May 2024")
SHORT = item("short", "User gets to work by bicycle", days=1)


def question(*others, of=SHORT):
    return Question(1, of, [(other, 0.8) for other in others])


def answer(event, known=1, text=None):
    row = {"fact": 1, "event": event, "known": known, "text": text}
    return json.dumps({"decisions": [row]})


async def ended(said, *questions):
    told = await ask(Says(said), questions)
    return {merge.ends.id: merge.stays.id for merge in told.merges}, told.answered


async def test_what_is_known_already_ends_for_what_says_more():
    """NONE names the memory that says it."""
    assert await ended(answer("NONE"), question(FULL)) == ({"short": "full"}, 1)
    assert await ended(answer("NONE"), question(SHORT, of=FULL)) == ({"short": "full"}, 1)


@rows("said", ["", "sure!", answer("NONE", 9), '{"decisions": []}', "[" * 999])
async def test_an_answer_that_says_nothing_ends_nothing(said):
    """An invented number names no memory."""
    assert await ended(said, question(FULL)) == ({}, 0)


async def test_a_model_cannot_end_a_memory_with_a_name_or_number_of_its_own():
    """Whatever it says."""
    one, other = item("one", "User adopted Rex"), item("other", "User adopted Max", days=1)
    assert await ended(answer("NONE"), question(one, of=other)) == ({}, 1)


async def test_what_the_user_says_takes_the_place_of_hearsay():
    """The model names the hearsay as known; it ends, not the user's word."""
    told = item("told", "User bikes to work", source=TOLD)
    own = item("own", "I get to work by bicycle", source=OWN, days=1)
    assert await ended(answer("NONE"), question(told, of=own)) == ({"told": "own"}, 1)
