from tests.memory.upkeep.episodes.conversations import WAYS, ended
from tests.support.folding import rows

NAMES = [f"{name}, {turns}" for name, _, turns, _ in WAYS]


@rows("name, way, turns, expected", WAYS)
async def test_one_episode_whatever_ends_the_conversation(name, way, turns, expected):
    """Each stretch of a conversation is one episode that names all of its turns; none is stuck."""
    result = await ended(name, way, turns, expected)
    assert result.good, result
