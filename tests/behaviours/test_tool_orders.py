"""Which messages a tool answers, with everything stated: by meaning, on the real embedder.

Those skip memory, as the seeds ask for; what names the user, or whom their memories know, does not.
"""

import pytest
import pytest_asyncio

from tests.support.tables import tables

pytestmark = pytest.mark.asyncio(loop_scope="session")
ROWS = tables(__file__)
KNOWN = (
    "User's brother lives in Lima", "Atlas is the billing service that User looks after",
    "User likes unit tests in random order", "User's timer for tea is set to four minutes",
)  # fmt: skip
PROCEDURE = "To run the unit tests: start the database, then make test"


@pytest.fixture
def chat(world):
    """The outcome and the reason of a chat."""

    async def explained(message):
        found = await world.memory.explain(message, user_id="alice")
        return found["chat"]["memory"], found["chat"]["reason"]

    return explained


@pytest_asyncio.fixture(loop_scope="session")
async def known(world):
    for text in KNOWN:
        await world.memory.add(text, infer=False, user_id="alice")
    await world.memory._engine.recaller.prepare()


async def test_what_a_tool_does_is_skipped(chat, known):
    """Commands, files, clocks, devices and prices, in several languages."""
    given = {text: await chat(text) for text in ROWS["tool"]}
    assert {text: told for text, told in given.items() if told != ("skipped", "tool")} == {}


async def test_what_is_personal_is_recalled(chat, known):
    """It names the user, somebody or something that the memories know, or is done their way."""
    given = {text: await chat(text) for text in ROWS["personal"]}
    assert [text for text, (outcome, _) in given.items() if outcome == "skipped"] == []


async def test_how_it_is_done_is_still_told(world, known):
    """A procedure is the one kind of memory that an order is given."""
    await world.memory.add(PROCEDURE, infer=False, type="procedural", user_id="alice")
    found = await world.memory.explain("Run the unit tests", user_id="alice")
    assert found["chat"] == {"memory": "injected", "reason": "tool"}
    assert PROCEDURE in found["block"]
    assert not [text for text in KNOWN if text in found["block"]]
