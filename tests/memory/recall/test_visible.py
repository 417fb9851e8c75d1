"""What the model sees in the conversation itself."""

from dataclasses import replace

from recollect.memory.model.types import Provenance
from recollect.memory.recall.selection import is_visible
from tests.support.folding import rows

from .memories import item

TURNS = frozenset({"t1", "t2"})


@rows(
    "said_in, version, visible",
    [
        (("t1",), 1, True),
        (("t1", "t2"), 1, True),
        (("t1", "t3"), 1, False),
        (("t1",), 2, False),
        ((), 1, False),
    ],
)
def test_only_what_nothing_else_says_is_visible(said_in, version, visible):
    """A memory of another turn too, a changed one, and one of unknown turns are recalled."""
    kept = replace(item("tea"), provenance=Provenance(turn_ids=said_in), version=version)
    assert is_visible(kept, TURNS) is visible
