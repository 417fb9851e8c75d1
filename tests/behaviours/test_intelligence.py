"""Memory update intelligence: behaviours 14 to 18.

Where words alone do not tell what a fact means for another one, the model is asked.
"""

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVED = "User moved to San Francisco"


async def test_14_deduplication(world):
    """The same fact again is NONE about the memory that holds it."""
    [first] = await world.add("User likes Python")
    [again] = await world.add("User likes Python")
    assert (again["event"], again["id"]) == ("NONE", first["id"])
    assert await world.texts() == ["User likes Python"]


async def test_15_update_on_contradiction(world):
    """A fact that is no longer so is updated to what is so now."""
    [first] = await world.add("User lives in NYC")
    [event] = await world.add(MOVED, means={MOVED: ("UPDATE", "User lives in NYC")})
    assert (event["event"], event["id"]) == ("UPDATE", first["id"])
    assert event["old_memory"] == "User lives in NYC"
    assert "San Francisco" in event["new_memory"]
    [remembered] = await world.texts()
    assert "San Francisco" in remembered
    assert "NYC" not in remembered


async def test_16_merge_on_refinement(world):
    """A more precise fact takes the place of the vague one."""
    [first] = await world.add("User works in tech")
    job = "User works at Google as a senior engineer"
    [event] = await world.add(job, means={job: ("UPDATE", "User works in tech")})
    assert (event["event"], event["id"]) == ("UPDATE", first["id"])
    [remembered] = await world.texts()
    assert "senior engineer" in remembered
    assert "Google" in remembered


@pytest.mark.parametrize("verdict", ["DELETE", "UPDATE"])
async def test_17_delete_on_negation(world, verdict):
    """A fact that ended is no longer remembered as true."""
    [first] = await world.add("User is vegetarian")
    meat = "User started eating meat again"
    events = await world.add(meat, means={meat: (verdict, "User is vegetarian")})
    [event] = [each for each in events if each["event"] == verdict]
    assert event["id"] == first["id"]
    # What says so is remembered in its place.
    assert await world.texts() == [meat]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User works at Acme", "User switched jobs and is now at BigTech"),
        ("User is married to Tom", "User got divorced"),
        ("User uses an iPhone", "User got a Pixel for Christmas"),
    ],
)
async def test_a_change_without_a_common_word_is_put_to_the_model(world, old, new):
    """Beside what else is known: the model ends what does not hold any more."""
    await world.add("User likes jazz", "User has a garden", "User reads crime novels", old)
    events = await world.add(new, means={new: ("UPDATE", old)})
    assert [event["event"] for event in events] == ["UPDATE"]
    assert old not in await world.texts()


async def test_18_several_events_in_one_add(world):
    """One conversation can add one memory, update another and find a third known."""
    await world.add("User lives in NYC", "User plays the cello")
    events = await world.add(
        MOVED,
        "User adopted a dog",
        "User plays the cello",
        means={MOVED: ("UPDATE", "User lives in NYC")},
    )
    assert [event["event"] for event in events] == ["UPDATE", "ADD", "NONE"]
    assert await world.texts() == [
        "User adopted a dog",
        "User moved to San Francisco",
        "User plays the cello",
    ]


async def _linked(world, old, new):
    """The two as they were said, three days apart, without a model; what waits for a judgement."""
    for text, day in ((old, "2026-03-02"), (new, "2026-03-05")):
        await world.memory.add(text, user_id="alice", infer=False, timestamp=f"{day}T09:00:00Z")
    found = (await world.memory.conflicts(user_id="alice"))["results"]
    return [(one["memory"]["memory"], [each["memory"] for each in one["others"]]) for one in found]


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("I live in Berlin", "I moved to Lyon", "Which city do I live in?"),
        ("I drink four coffees a day", "I no longer drink coffee", "Do I drink coffee?"),
        ("My phone is a Pixel 7", "I switched to an iPhone", "Which phone do I have?"),
        ("Ich singe im Chor", "Im Chor singe ich nicht mehr", "Singe ich im Chor?"),
        ("J'habite à Nantes", "J'ai déménagé à Angers", "Dans quelle ville j'habite ?"),
        ("Voy a clase de yoga los lunes", "Ya no voy a yoga", "¿Voy a clase de yoga?"),
    ],
)
async def test_plain_words_of_change_link_without_a_model(world, old, new, question):
    """Both stay, with their days, as one matter that waits; whoever asks is shown the newer first."""
    await world.memory.add("I have two dogs", user_id="alice", infer=False)
    assert await _linked(world, old, new) == [(new, [old])]
    assert {old, new} < set(await world.texts())
    kept = (await world.memory.get_all(user_id="alice"))["results"]
    names = {one["id"]: one["memory"] for one in kept}
    told = await world.memory.explain(question, user_id="alice")
    lines = [names[name] for name in told["lines"]]
    assert lines.index(new) < lines.index(old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin", "My sister moved to Lyon"),
        ("I have two cats", "I no longer smoke"),
        ("I work at Acme", "The meeting moved to Friday"),
        ("I like strong coffee", "I don't like coriander"),
        ("Ich trinke gern Rotwein", "Der Laden hat keine Hafermilch mehr"),
        ("J'aime le thé vert", "Je n'aime pas les tomates"),
        ("Trabajo en un banco", "Mi primo ya no trabaja en la fábrica"),
    ],
)
async def test_a_change_of_something_else_links_nothing(world, old, new):
    """Nor a plain denial, nor what happens to somebody else."""
    assert await _linked(world, old, new) == []
    assert {old, new} <= set(await world.texts())
