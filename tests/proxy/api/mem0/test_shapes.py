"""The answers that mem0's clients read."""

from yarl import URL

from recollect.proxy.api.mem0.shapes import (
    added,
    entity_row,
    history_row,
    memory,
    page,
)


def test_an_addition_has_both_names_of_the_text():
    """`memory` for one client, `data.memory` for another, and ours beside them."""
    event = {"event": "ADD", "id": "m", "type": "semantic", "new_memory": "Likes tea"}
    told = added({"results": [event], "rejected": {"evidence": 1}}, "e")
    [row] = told["results"]
    assert row == {**event, "memory": "Likes tea", "data": {"memory": "Likes tea"}}
    assert (told["status"], told["event_id"], told["rejected"]) == (
        "SUCCEEDED",
        "e",
        {"evidence": 1},
    )


def test_a_history_has_both_names():
    """Ours are as they were."""
    row = {"old_value": "a", "new_value": "b", "timestamp": "t", "event": "UPDATE"}
    told = history_row(row)
    assert told.items() >= row.items()
    assert (told["old_memory"], told["new_memory"]) == ("a", "b")
    assert (told["created_at"], told["updated_at"]) == ("t", "t")


def test_a_memory_has_every_key_of_theirs():
    """What it has not is null or empty; what is asked for is left."""
    told = memory({"id": "m", "memory": "x", "user_id": "ada"})
    assert (told["user_id"], told["agent_id"], told["categories"]) == ("ada", None, [])
    assert memory({"id": "m", "memory": "x"}, ["memory"]) == {"id": "m", "memory": "x"}


def test_pages_know_their_neighbours():
    """As whole URLs; none before the first and after the last."""
    url = URL("http://h:1/v3/memories/?x=1")
    alone = page(url, 1, 10, 1, ["x"])
    assert alone == {"count": 1, "next": None, "previous": None, "results": ["x"]}
    told = page(url, 2, 5, 11, [])
    assert told["next"] == "http://h:1/v3/memories/?x=1&page=3&page_size=5"
    assert told["previous"] == "http://h:1/v3/memories/?x=1&page=1&page_size=5"


def test_an_entity_has_an_id():
    """It is the name."""
    assert entity_row({"type": "user", "name": "ada"}) == {
        "type": "user",
        "name": "ada",
        "id": "ada",
    }
