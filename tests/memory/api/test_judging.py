"""`feedback` with the four answers to "was this right?", and `undo_feedback`."""

import asyncio
from dataclasses import replace

import pytest

from recollect.memory import NotFoundError
from recollect.memory.model.errors import ConflictError, InvalidInputError
from recollect.memory.model.types import MemoryType, StoredMemory
from tests.memory.api.client_parts import build, keep
from tests.support.folding import rows

ASKED = "What should I cook tonight?"
EACH = ["positive", "negative", "very_negative", "right", "wrong", "outdated", "not_now"]
ENDING = {"wrong": "quarantined", "outdated": "superseded"}
OTHERWISE = ("version", "feedback_id")


def asked(word):
    return {"question": ASKED} if word == "not_now" else {}


async def given(memory, question=ASKED):
    """The ids of what a chat with this message is given."""
    selection = await memory._engine.recaller.recall(memory._view.scope(user_id="alice"), question)
    return {hit.item.id for hit in selection.chosen}


async def state_of(memory, name):
    """What is known of a memory, but how often it was changed."""
    told, usage = await memory.get(name), memory._engine.parts.state.usage
    del told["version"]
    return told, (await usage.of("local", [name])).get(name)


@rows("word", EACH)
async def test_each_feedback_is_undone_by_one_call(word):
    """The memory is as it was before, in all that is told of it and in its counters."""
    async with build() as memory:
        [tea] = await keep(memory, "I like to cook with tea tonight")
        await memory.feedback(tea, "positive")
        before = await state_of(memory, tea)
        told = await memory.feedback(tea, word, **asked(word))
        assert await state_of(memory, tea) != before
        assert told["status"] == ENDING.get(word, "active")
        back = await memory.undo_feedback(tea, told["feedback_id"])
        assert back["status"] == "active"
        after = await state_of(memory, tea)
        after[0]["provenance"].pop("restored_at", None)
        assert after == before
        assert tea in await given(memory)


@rows("word", EACH)
async def test_what_is_undone_is_not_undone_again(word):
    """The second call says so, and changes nothing."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        told = await memory.feedback(tea, word, **asked(word))
        await memory.undo_feedback(tea, told["feedback_id"])
        before = await state_of(memory, tea)
        with pytest.raises(ConflictError, match="undone already"):
            await memory.undo_feedback(tea, told["feedback_id"])
        assert await state_of(memory, tea) == before


@rows("word", EACH)
async def test_two_that_undo_at_once_undo_it_once(word):
    """One of them is told that it is undone."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        before = await state_of(memory, tea)
        told = await memory.feedback(tea, word, **asked(word))
        both = [memory.undo_feedback(tea, told["feedback_id"]) for _ in "ab"]
        ends = await asyncio.gather(*both, return_exceptions=True)
        assert sorted(isinstance(end, Exception) for end in ends) == [False, True]
        told, usage = await state_of(memory, tea)
        told["provenance"].pop("restored_at", None)
        assert told == before[0]
        assert usage is None or usage.rating == 0


async def test_what_ended_a_memory_is_undone_in_order():
    """Out of order the refusal names what comes first; in order both are."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        wrong = (await memory.feedback(tea, "wrong"))["feedback_id"]
        await memory.validate(tea)
        outdated = (await memory.feedback(tea, "outdated"))["feedback_id"]
        with pytest.raises(ConflictError, match=outdated):
            await memory.undo_feedback(tea, wrong)
        await memory.undo_feedback(tea, outdated)
        with pytest.raises(ConflictError, match="changed the memory since"):
            await memory.undo_feedback(tea, wrong)
        assert (await memory.get(tea))["status"] == "active"


async def test_what_counts_and_what_is_put_off_is_undone_in_any_order():
    """They change nothing of each other."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        names = [
            (await memory.feedback(tea, word, **asked(word)))["feedback_id"]
            for word in ("right", "not_now", "negative", "wrong")
        ]
        for name in (names[1], names[3], names[0], names[2]):
            await memory.undo_feedback(tea, name)
        told = await memory.get(tea)
        assert (told["status"], told["provenance"].get("put_off")) == ("active", None)


async def test_what_is_put_off_is_undone_where_it_was_imported(tmp_path):
    """By the id that the memory itself tells, though an import gives all ids of its history anew."""
    async with build() as here, build() as there:
        [tea] = await keep(here, "I like to cook with tea tonight")
        await here.feedback(tea, "not_now", **asked("not_now"))
        await here.export_file(tmp_path / "a.jsonl")
        await there.import_file(tmp_path / "a.jsonl", user_id="alice")
        [copy] = (await there.get_all(user_id="alice"))["results"]
        assert copy["id"] != tea
        assert await given(there) == set()
        await there.undo_feedback(copy["id"], copy["provenance"]["put_off"][0])
        assert await given(there) == {copy["id"]}


async def test_a_person_who_restored_it_is_not_overruled():
    """Undoing what somebody undid in another way says so."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        outdated = (await memory.feedback(tea, "outdated"))["feedback_id"]
        await memory.revert(tea)
        with pytest.raises(ConflictError, match="holds again already"):
            await memory.undo_feedback(tea, outdated)


async def test_what_is_wrong_waits_for_a_person_and_stays():
    """It is given to nobody, its reason is kept, and validating it lets it through."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea tonight")
        await memory.feedback(tea, "wrong", reason="coffee")
        told = await memory.get(tea)
        [reason] = told["provenance"]["reasons"]
        assert (told["memory"], reason["kind"]) == ("I like tea tonight", "wrong")
        assert reason["sentence"] == "coffee"
        assert await given(memory) == set()
        assert (await memory.validate(tea))["status"] == "active"


async def test_what_was_validated_before_is_so_again():
    """A wish that somebody let through stands again when "wrong" is undone."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        validated = (await memory.validate(tea))["provenance"]["validated_at"]
        told = await memory.feedback(tea, "wrong")
        assert "validated_at" not in (await memory.get(tea))["provenance"]
        await memory.undo_feedback(tea, told["feedback_id"])
        assert (await memory.get(tea))["provenance"]["validated_at"] == validated


async def test_what_is_outdated_is_kept_as_earlier():
    """It ends at the time of the call, with its reason, and is erased from nowhere."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea tonight")
        await memory.feedback(tea, "outdated", reason="coffee now")
        told = await memory.get(tea)
        assert told["status"] == "superseded"
        assert told["valid_to"][:10] == told["provenance"]["ended_at"][:10]
        assert told["provenance"]["ended"] == "person: outdated: coffee now"
        assert await given(memory) == set()


async def test_not_now_keeps_it_from_that_question_only():
    """The same memory is given for another question; nothing of the words of the question is kept."""
    async with build() as memory:
        [tea] = await keep(memory, "I like to cook with tea tonight")
        other = "Do I like tea, and what do I do with it?"
        assert tea in await given(memory) & await given(memory, other)
        await memory.feedback(tea, "not_now", question=ASKED)
        assert await given(memory) == set()
        assert tea in await given(memory, other)
        assert "tonight" not in str((await memory.get(tea))["provenance"])
        explained = await memory.whynot(memory_id=tea, message=ASKED, user_id="alice")
        assert explained["verdict"] == "not_now"


async def test_not_now_stays_when_the_text_changes():
    """Whoever rewords a memory, or takes that back, has said nothing of what it is wanted for."""
    async with build() as memory:
        [tea] = await keep(memory, "I like to cook with tea tonight")
        await memory.feedback(tea, "not_now", question=ASKED)
        await memory.update(tea, "I like to cook with green tea tonight")
        assert await given(memory) == set()
        await memory.revert(tea)
        assert await given(memory) == set()


async def test_not_now_moves_with_an_export(tmp_path):
    """And a chat of the other tenant's user is not given it for that question either."""
    async with build() as memory:
        [tea] = await keep(memory, "I like to cook with tea tonight")
        await memory.feedback(tea, "not_now", question=ASKED)
        await memory.export_file(tmp_path / "all.jsonl")
        other = memory.for_tenant("other")
        await other.import_file(tmp_path / "all.jsonl")
        [there] = (await other.get_all(user_id="alice"))["results"]
        assert len(there["provenance"]["put_off"]) == 1
        assert await given(other) == set()


async def test_a_wish_is_put_off_where_nothing_is_searched():
    """A message that needs no other memory is compared too; without such wishes it is not."""
    async with build() as memory:
        [wish] = await keep(memory, "Always answer me in bullet points")
        recaller, scope = memory._engine.recaller, memory._view.scope(user_id="alice")

        async def wished(message):
            found = await recaller.wishes(scope, message=message)
            return [hit.item.id for hit in found.chosen]

        assert await wished("Write an essay on Rome") == [wish]
        told = await memory.feedback(wish, "not_now", question="Write an essay on Rome")
        assert await wished("Write an essay on Rome") == []
        assert await wished("Explain photosynthesis to me") == [wish]
        await memory.undo_feedback(wish, told["feedback_id"])
        assert await wished("Write an essay on Rome") == [wish]


@rows("word", ["wrong", "outdated", "not_now"])
async def test_what_is_not_active_takes_no_such_feedback(word):
    """The refusal names what it is."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        await memory.feedback(tea, "wrong")
        if word == "outdated":
            assert (await memory.feedback(tea, word))["status"] == "superseded"
        with pytest.raises(InvalidInputError, match=r"expected|this one is"):
            await memory.feedback(tea, word, **asked(word))


async def test_bad_input_names_its_field():
    """And nothing is written."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        before = await memory.history(tea)
        for word, field, more in (
            ("not_now", "question", {}),
            ("not_now", "question", {"question": "  "}),
            ("not_now", "conversation", {"conversation": "unknown-one"}),
            ("right", "question", {"question": ASKED}),
            ("right", "conversation", {"conversation": "unknown-one"}),
        ):
            with pytest.raises(InvalidInputError) as refused:
                await memory.feedback(tea, word, **more)
            assert refused.value.field == field
        with pytest.raises(NotFoundError):
            await memory.undo_feedback(tea, before[0]["id"])
        assert await memory.history(tea) == before


STORY = "They spoke of films. The user said that they like green tea."


@rows("back", ["undo_feedback", "validate", "review"])
async def test_an_episode_does_not_tell_what_is_wrong_until_it_is_believed(back):
    """Its sentence goes with the memory and comes back with it, whichever way that is."""
    async with build() as memory:
        [tea, story] = [(await keep(memory, text))[0] for text in ("I like green tea", STORY)]
        item = await memory._lookup.existing(memory._view.scope(user_id="alice"), story)
        origin = replace(item.provenance, turn_ids=("t",), stretch="t")
        [vector] = await memory._engine.parts.embedder.embed([STORY])
        told = replace(item, type=MemoryType.EPISODIC, provenance=origin)
        await memory._store.put([StoredMemory(told, vector)])
        given = await memory.feedback(tea, "wrong")
        assert (await memory.get(story))["memory"] == "They spoke of films."
        more = {"undo_feedback": [given["feedback_id"]], "review": ["keep"]}.get(back, [])
        await getattr(memory, back)(tea, *more)
        assert (await memory.get(story))["memory"] == STORY


@rows("name, told", [("said:t1", "NotFoundError"), ("block:b:1", "working block")])
async def test_what_is_no_memory_takes_no_feedback(name, told):
    """And is told what to do instead, where there is something."""
    async with build() as memory:
        with pytest.raises((InvalidInputError, NotFoundError)) as refused:
            await memory.feedback(name, "wrong")
        assert told in f"{type(refused.value).__name__} {refused.value}"
