"""Graph memory: behaviours 33 to 35, in the shapes the REST surface of the specification has."""

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")

EMPLOYER, OFFICE = "User's friend Alice works at Google", "Google opens a new office in Zurich"


async def test_33_entity_extraction(world):
    """People and organisations in a conversation become typed entities."""
    await world.add(EMPLOYER)
    entities = (await world.memory.entities(user_id="alice"))["results"]
    kinds = {entity["name"]: entity["type"] for entity in entities}
    assert kinds["Alice"] == "person"
    assert kinds["Google"] == "organization"


async def test_34_relationship_extraction(world):
    """What connects two entities is a named relation with a direction."""
    await world.add(EMPLOYER)
    relations = (await world.memory.relations("Alice", user_id="alice"))["results"]
    assert ("Alice", "works_at", "Google") in [
        (relation["source"], relation["relation"], relation["target"]) for relation in relations
    ]


async def test_35_graph_enhanced_search(world):
    """A search that meets an entity also brings what is known of entities connected to it.

    The second memory's cosine to the query is 0.03: similarity alone cannot find it.
    """
    await world.add(EMPLOYER, OFFICE)
    assert await world.found("Where does Alice work?", threshold=0.3) == [EMPLOYER, OFFICE]


async def test_a_topic_that_grew_too_large_is_split_by_what_it_is_about(world):
    """Of 24 memories about one garden two topics are made, and none is left by itself."""
    colours = [
        "red",
        "white",
        "yellow",
        "pink",
        "orange",
        "violet",
        "blue",
        "striped",
        "pale",
        "dark",
        "tall",
        "dwarf",
    ]
    planted = {
        kind: [f"User planted {colour} {kind} in the garden" for colour in colours]
        for kind in ("roses", "beans")
    }
    for text in (text for pair in zip(*planted.values(), strict=True) for text in pair):
        await world.memory.add(text, infer=False, user_id="alice")
    graph = await world.memory.topics.graph(user_id="alice")
    topics = [sorted(one["memory"] for one in topic["members"]) for topic in graph["topics"]]
    assert sorted(topics) == [sorted(planted["beans"]), sorted(planted["roses"])]
    assert graph["alone"] == 0
