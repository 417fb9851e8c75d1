"""Which rows are memories and which were only said."""

from recollect.memory.model.kinds import EVERY_KIND, MemoryKind, kind_of
from recollect.memory.statements.passages import passage
from tests.memory.forget.parts import memory, turn


def test_a_row_is_a_memory_or_was_said():
    """A passage of a turn was said, all else is a memory, whoever it is from."""
    said = passage(turn("t", "I live here."), 0, "I live here.", embedder_id="e", learned=False)
    assert kind_of(said.item) is MemoryKind.SAID
    assert kind_of(memory("m", "x")) is MemoryKind.MEMORY
    assert {"memory", "said"} == EVERY_KIND
