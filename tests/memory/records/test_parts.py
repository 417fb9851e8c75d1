"""What an engine stands on."""

import pytest

from recollect.memory.model.errors import StateUnwritableError
from tests.support.parts import parts_of


class Watched:
    """A history that counts and says how it is."""

    refused = 3

    async def ping(self):
        raise StateUnwritableError("full")


async def test_history_that_says_how_it_is():
    """Its refused writes count with those of the state, and its ping is asked."""
    parts = parts_of(history=Watched())
    assert parts.refused == 3
    with pytest.raises(StateUnwritableError):
        await parts.ping_history()


async def test_history_in_memory():
    """It refuses nothing and always answers."""
    parts = parts_of()
    assert parts.refused == 0
    await parts.ping_history()
