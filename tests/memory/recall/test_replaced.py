"""What something else takes the place of."""

from dataclasses import replace

from recollect.memory.model.types import Provenance, Source
from recollect.memory.recall.replaced import is_said, replaced
from recollect.memory.recall.select import Drop
from recollect.memory.recall.standing import standing
from tests.memory.recall.profile.test_lines import ALICE, FACTS, index_of
from tests.memory.recall.test_standing import ON


def hits():
    return standing(index_of(*FACTS), ALICE, "Who am I?", ON).chosen


def test_a_memory_takes_the_place_of_what_was_said():
    """Never both in one injection, if the memory is relevant."""
    memory, said, *_ = hits()
    memory = replace(memory, item=replace(memory.item, provenance=Provenance(turn_ids=("t",))))
    own = Provenance(source=Source.SAID, turn_ids=("t",))
    said = replace(said, item=replace(said.item, provenance=own))
    assert is_said(said.item)
    assert replaced([memory, said], ()) == {said.item.id: Drop.REMEMBERED}
    assert replaced([replace(memory, relevant=False), said], ()) == {}


def test_what_was_contradicted_is_not_shown():
    """Memories and passages alike."""
    assert replaced(hits(), {"0"}) == {"0": Drop.CONTRADICTED}
