"""What is searched for."""

import pytest

from recollect.memory.model.errors import EmbeddingError
from recollect.memory.recall import Selection
from tests.memory.learn.doubles import ALICE, BOB, Breaks
from tests.memory.recall.memories import item
from tests.memory.recall.test_recaller import EMBEDDER, filled, recaller


async def test_for_a_user_without_memories_nothing_is_embedded():
    """From their second message on: then it is known that there is nothing to compare with."""
    store = await filled(item("green tea"))
    found = recaller(store, Breaks(EMBEDDER, "embed", EmbeddingError("gone"), times=-1))
    await found.indexes.get(BOB)
    assert await found.recall(BOB, "green tea") == Selection((), ())
    await found.indexes.get(ALICE)
    with pytest.raises(EmbeddingError):
        await found.recall(ALICE, "green tea")
