"""What users said is left aside if a person says that it is not so, and comes back."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.model.endings import by_person, ended_by_hand
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    PrecedingQuestion,
    Provenance,
    StoredMemory,
    Turn,
)
from recollect.memory.statements.denial import StatementDenier
from recollect.memory.statements.passages import bare, load_note
from tests.memory.learn.doubles import ALICE, NOON
from tests.support.parts import parts_of

LATER = NOON + timedelta(hours=1)


def turn(name, text, **fields):
    return Turn(
        id=name, conversation_id="c", scope=ALICE, user_text=text, assistant_text="I see.",
        model="m", **({"created_at": NOON} | fields),
    )  # fmt: skip


def ended(text="User lives in Paris", quote=None, turns=(), name="m"):
    item = MemoryItem(
        id=name, text=text, type=MemoryType.SEMANTIC, scope=ALICE, created_at=NOON,
        updated_at=NOON, embedder_id="e", provenance=Provenance(quote=quote, turn_ids=turns),
    )  # fmt: skip
    return ended_by_hand(item, by_person(""), until=NOON, now=LATER)


@pytest.fixture
def parts():
    return parts_of()


async def shown(parts):
    """The texts that recall has of each turn."""
    found = {}
    for each in await parts.state.conversations.recent(ALICE, limit=100):
        noted = load_note(each.note or "", parts.embedder.id, parts.embedder.dim)
        kept = bare(each.turn) if noted is None else noted
        found[each.turn.id] = " ".join(one.text for one in kept)
        if noted is not None:
            assert all(one.vector is not None for one in noted)
    return found


async def keep(parts, *turns):
    for each in turns:
        await parts.state.conversations.record(each)


async def test_the_sentence_goes_and_the_rest_stays(parts):
    """Wherever it was said before; a sentence of another matter and a denial are no such thing."""
    await keep(
        parts,
        turn("a", "I live in Paris. My dog is called Rex."),
        turn("b", "I live in Paris."),
        turn("c", "I do not live in Paris."),
    )
    assert await StatementDenier(parts).deny(ended()) == 2
    assert await shown(parts) == {
        "a": "My dog is called Rex.",
        "b": "",
        "c": "I do not live in Paris.",
    }


async def test_the_words_that_it_stands_on_go(parts):
    """However the memory is worded; the same words in another turn may mean something else."""
    await keep(parts, turn("a", "My flat is in Paris."), turn("b", "My flat is in Paris."))
    await StatementDenier(parts).deny(ended(quote="flat is in Paris", turns=("a",)))
    assert await shown(parts) == {"a": "", "b": "My flat is in Paris."}


async def test_an_answer_is_one_with_its_question(parts):
    """No half of it is left."""
    before = PrecedingQuestion(asked="Where do you live?")
    await keep(parts, turn("a", "In Paris", before=before))
    kept = await shown(parts)
    await StatementDenier(parts).deny(ended())
    assert await shown(parts) == kept
    await StatementDenier(parts).deny(ended(text=kept["a"]))
    assert await shown(parts) == {"a": ""}


async def test_what_is_said_later_is_believed(parts):
    """Only what was said before the person spoke goes."""
    later = LATER + timedelta(seconds=1)
    await keep(parts, turn("a", "I live in Paris.", created_at=later))
    assert await StatementDenier(parts).deny(ended()) == 0
    assert await shown(parts) == {"a": "I live in Paris."}


async def test_it_comes_back_with_the_memory(parts):
    """What another memory denies stays aside."""
    await keep(parts, turn("a", "I live in Paris. My dog is called Rex."))
    home, dog = ended(), ended("My dog is called Rex.", name="d")
    for item in (home, dog):
        [vector] = await parts.embedder.embed([item.text])
        await parts.store.put([StoredMemory(item, vector)])
        await StatementDenier(parts).deny(item)
    assert await shown(parts) == {"a": ""}
    await parts.store.delete("local", ["m"])
    await StatementDenier(parts).allow(replace(home))
    assert await shown(parts) == {"a": "I live in Paris."}
