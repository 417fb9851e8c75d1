"""What a person says of a memory stays said, whatever the background writes at the same moment.

Each test holds a write of the background and lets the person answer between what it read and that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import Scope, Turn, utc_now
from recollect.memory.statements.passages import dump_note, load_note
from tests.support.composing import settings
from tests.support.hearing import heard
from tests.support.postgres_server import empty_database

ADA: dict[str, Any] = {"user_id": "ada"}
SCOPE = Scope(tenant="local", user_id="ada")
SAID = "I live in Paris. My dog is called Rex. I keep bees."
PARIS, BEES = "User lives in Paris", "User keeps bees"

Act = Callable[[], Awaitable[object]]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.process)])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str | None]:
    """Where the memories are; None: in a file."""
    if request.param == "sqlite":
        yield None
    else:
        async with empty_database(request.getfixturevalue("postgres")) as found:
            yield found


@pytest.fixture
async def memory(url: str | None, tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    async with AsyncExitStack() as stack:
        yield await opened(stack, url, tmp_path)


async def opened(stack: AsyncExitStack, url: str | None, folder: Path, **more: Any) -> AsyncMemory:
    """A process of its own, as far as the database can tell."""
    options = settings(folder, database__url=url, **more)
    engine = await stack.enter_async_context(Engine.open(options, serving=True))
    await stack.enter_async_context(engine.running())
    return AsyncMemory(engine)


def between(owner: Any, name: str, act: Act) -> None:
    """Do something right before the next call of a method, whatever it was given."""
    method = getattr(owner, name)

    async def late(*given: Any, **more: Any) -> Any:
        setattr(owner, name, method)
        await act()
        return await method(*given, **more)

    setattr(owner, name, late)


def conversations(memory: AsyncMemory) -> Any:
    return memory._engine.parts.state.conversations


def turn(text: str = SAID, name: str = "one") -> Turn:
    return Turn(
        id=name, conversation_id=f"ada/{name}", scope=SCOPE, user_text=text,
        assistant_text="I see", model="m", created_at=utc_now(),
    )  # fmt: skip


async def complete(memory: AsyncMemory) -> None:
    """Wait until nothing is left to be noted."""
    await heard(memory._engine.indexer)


async def add(memory: AsyncMemory, text: str) -> str:
    added = await memory.add(text, infer=False, **ADA)
    return str(added["results"][0]["id"])


async def shown(memory: AsyncMemory) -> str:
    """What recall has of what was said."""
    return " ".join(one.item.text for one in (await memory._engine.said.get(SCOPE)).passages)


async def noted(memory: AsyncMemory) -> str:
    """What the next process will have of it."""
    embedder = memory._engine.parts.embedder
    texts = []
    for each in await conversations(memory).recent(SCOPE, limit=9):
        assert each.note is not None
        found = load_note(each.note, embedder.id, embedder.dim)
        assert found is not None
        assert all(one.vector is not None for one in found)
        texts += [one.text for one in found]
    return " ".join(texts)


async def wrong(memory: AsyncMemory, name: str) -> None:
    await memory.feedback(name, "wrong", **ADA)


async def outdated(memory: AsyncMemory, name: str) -> None:
    await memory.feedback(name, "outdated", **ADA)


async def invalid(memory: AsyncMemory, name: str) -> None:
    await memory.invalidate(name, **ADA)


async def refused(memory: AsyncMemory, name: str, decision: str = "refuse") -> None:
    """It waits before: somebody called it wrong, and the words are told again until it is judged."""
    await memory.review(name, decision, **ADA)


async def never(memory: AsyncMemory, name: str) -> None:
    await refused(memory, name, "never_again")


async def reworded(memory: AsyncMemory, name: str) -> None:
    await memory.review(name, "edit", text="User lives in Rome", **ADA)


WAITING = {"refuse": refused, "never_again": never, "edit": reworded}
JUDGED = {"wrong": wrong, "outdated": outdated, "invalidate": invalid} | WAITING


async def hold_back(memory: AsyncMemory, name: str) -> None:
    """Have a memory wait for a person, as one that failed when it was used."""
    item = await memory._lookup.existing(SCOPE, name)
    await memory._changes.withdraw(item, "it failed")


@pytest.mark.parametrize("answer", JUDGED)
async def test_an_answer_stays_that_is_given_while_a_turn_is_noted(
    memory: AsyncMemory, answer: str
) -> None:
    """The sentence stays out of recall, now and in the next process; the rest of its turn stays."""
    name = await add(memory, PARIS)
    if answer in WAITING:
        await hold_back(memory, name)
    indexing = memory._engine.indexer._parts.state.conversations
    between(indexing, "annotate", lambda: JUDGED[answer](memory, name))
    await conversations(memory).record(turn())
    await complete(memory)
    for told in (await shown(memory), await noted(memory)):
        assert "Paris" not in told
        assert "Rex" in told


async def test_two_answers_at_once_both_stay(memory: AsyncMemory) -> None:
    """Each is about a sentence of the same turn, and neither has read what the other wrote."""
    await conversations(memory).record(turn())
    await complete(memory)
    paris, bees = await add(memory, PARIS), await add(memory, BEES)
    between(conversations(memory), "annotate", lambda: wrong(memory, bees))
    await wrong(memory, paris)
    assert await noted(memory) == await shown(memory) == "My dog is called Rex."


async def test_what_is_believed_again_while_another_answer_is_written(memory: AsyncMemory) -> None:
    """It comes back, and what the other answer denies does not."""
    await conversations(memory).record(turn())
    await complete(memory)
    paris, bees = await add(memory, PARIS), await add(memory, BEES)
    given = await memory.feedback(paris, "outdated", **ADA)

    async def taken_back() -> None:
        await memory.undo_feedback(paris, given["feedback_id"], **ADA)

    between(conversations(memory), "annotate", taken_back)
    await outdated(memory, bees)
    await shown(memory)
    await complete(memory)
    for told in (await shown(memory), await noted(memory)):
        assert "Paris" in told
        assert "bees" not in told


async def test_a_turn_that_is_sent_again_keeps_what_was_judged(memory: AsyncMemory) -> None:
    """A client that sends its chat again says nothing again."""
    await conversations(memory).record(said := turn())
    await complete(memory)
    await wrong(memory, await add(memory, PARIS))
    await shown(memory)
    await conversations(memory).record(said)
    await complete(memory)
    assert "Paris" not in await shown(memory) + await noted(memory)


async def test_another_embedder_brings_nothing_back(memory: AsyncMemory) -> None:
    """Turns get new vectors; what was judged stays out."""
    await conversations(memory).record(turn())
    await complete(memory)
    await wrong(memory, await add(memory, PARIS))
    [each] = await conversations(memory).recent(SCOPE, limit=9)
    left = load_note(each.note)
    assert left is not None
    assert await conversations(memory).annotate([(each, dump_note(left, "another"))]) == 1
    memory._engine.said.clear()
    await shown(memory)
    await complete(memory)
    for told in (await shown(memory), await noted(memory)):
        assert "Paris" not in told
        assert "Rex" in told


@pytest.mark.parametrize("answer", [each for each in JUDGED if each != "edit"])
async def test_what_was_said_before_an_answer_and_is_recorded_after_it(
    memory: AsyncMemory, answer: str
) -> None:
    """A turn that waited for its database, or is imported: as if it had been recorded in time."""
    name = await add(memory, PARIS)
    if answer in WAITING:
        await hold_back(memory, name)
    await JUDGED[answer](memory, name)
    await conversations(memory).record(replace(turn(), created_at=utc_now() - timedelta(hours=1)))
    await complete(memory)
    for told in (await shown(memory), await noted(memory)):
        assert told == "My dog is called Rex. I keep bees."


async def test_what_is_said_again_after_an_answer_is_believed(memory: AsyncMemory) -> None:
    """However late it is recorded: whoever says it again knows of the answer."""
    await wrong(memory, await add(memory, PARIS))
    await conversations(memory).record(turn())
    await complete(memory)
    assert "Paris" in await shown(memory)
