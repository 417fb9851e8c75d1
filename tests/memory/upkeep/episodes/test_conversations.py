import pytest

from tests.memory.upkeep.episodes.conversations import WAYS, ended

NAMES = [f"{name}, {turns}" for name, _, turns, _ in WAYS]


@pytest.mark.parametrize(("name", "way", "turns", "expected"), WAYS, ids=NAMES)
async def test_one_episode_whatever_ends_the_conversation(name, way, turns, expected):
    """Each stretch of a conversation is one episode that names all of its turns; none is stuck."""
    result = await ended(name, way, turns, expected)
    assert result.good, result


def test_there_are_fifty():
    """The target is stated for fifty conversations."""
    assert len(WAYS) == 50
