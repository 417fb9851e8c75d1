"""What is written from turns later does not tell what a person said is not so."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.learn.denials import drop_denied, ended_in, undenied
from recollect.memory.model.endings import by_person, ended_by_hand
from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, StoredMemory, Turn
from tests.memory.learn.doubles import ALICE, BOB, NOON
from tests.support.parts import parts_of

LATER = NOON + timedelta(hours=1)


def ended(text="User lives in Paris", name="m", scope=ALICE, **origin):
    item = MemoryItem(
        id=name, text=text, type=MemoryType.SEMANTIC, scope=scope, created_at=NOON,
        updated_at=NOON, embedder_id="e", provenance=Provenance(**origin),
    )  # fmt: skip
    return ended_by_hand(item, by_person(""), until=NOON, now=LATER)


def turn(user, assistant="", **more):
    return Turn(
        id="t", conversation_id="c", scope=ALICE, user_text=user, assistant_text=assistant,
        model="m", **({"created_at": NOON} | more),
    )  # fmt: skip


def test_the_sentences_go_and_the_rest_stays():
    """Of the user what says just that, of the assistant also what tells more besides."""
    told = turn("I live in Paris. I have a dog.", "So you live in Paris, with a dog. Nice!")
    [left] = undenied([told], [ended()])
    assert (left.user_text, left.assistant_text) == ("I have a dog.", "Nice!")


def test_the_words_that_a_memory_stands_on_go_with_their_turn():
    """In another turn they may mean something else."""
    told, denied = (
        "My flat is in Paris. I sing.",
        [ended(quote="flat is in Paris", turn_ids=("t",))],
    )
    assert drop_denied(told, ("t",), denied) == "I sing."
    assert drop_denied(told, ("u",), denied) == told


async def test_what_persons_ended_of_one_scope():
    """Not what a rule ended, what is a version, or what is somebody else's."""
    parts = parts_of()
    mine = ended()
    version = ended(name="v", superseded_by="m")
    by_rule = replace(ended(name="r"), provenance=Provenance(ended="change: left"))
    for item in (mine, version, by_rule, ended(name="b", scope=BOB)):
        [vector] = await parts.embedder.embed([item.text])
        await parts.store.put([StoredMemory(item, vector)])
    assert await ended_in(parts.store, ALICE) == [mine]
