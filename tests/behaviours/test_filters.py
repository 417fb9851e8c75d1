"""Filters: behaviours 27 to 32."""

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")


def where(field, operator, value):
    return {"field": field, "operator": operator, "value": value}


@pytest.fixture
def search(world):
    """Stores memories with tags and priorities, and searches them with a filter."""

    async def search(filters):
        for text, metadata in (
            ("User likes Python for ML", {"tag": "work", "priority": 1}),
            ("User plays the cello", {"tag": "home", "priority": 1}),
            ("User owns a boat", {"tag": "home", "priority": 2}),
            ("User speaks Dutch", {}),
        ):
            await world.add(text, metadata=metadata)
        return sorted(await world.found("What does the user do?", filters=filters))

    return search


PYTHON, CELLO = "User likes Python for ML", "User plays the cello"
BOAT, DUTCH = "User owns a boat", "User speaks Dutch"


async def test_27_equals(search):
    """Only memories whose field has the value are found."""
    assert await search(where("tag", "eq", "work")) == [PYTHON]


async def test_28_in(search):
    """Any of several values will do."""
    assert await search(where("tag", "in", ["work", "home", "none"])) == [PYTHON, BOAT, CELLO]


async def test_29_and(search):
    """Both conditions have to hold."""
    both = {"AND": [where("tag", "eq", "home"), where("priority", "eq", 1)]}
    assert await search(both) == [CELLO]


async def test_30_or(search):
    """Either condition is enough."""
    either = {"OR": [where("tag", "eq", "work"), where("priority", "eq", 2)]}
    assert await search(either) == [PYTHON, BOAT]


async def test_31_not(search):
    """What matches the condition is left out, what lacks the field is not."""
    assert await search({"NOT": where("tag", "eq", "home")}) == [PYTHON, DUTCH]


async def test_32_contains(search):
    """A part of the memory's text can be asked for, in its case."""
    assert await search(where("memory", "contains", "Python")) == [PYTHON]
