"""Filters as values: conditions on the fields of a memory, and how they are combined. Pure.

Fields are those of a memory and any key of its metadata. ``metadata.colour`` and ``colour`` are the
same key, if no field of a memory has that name; dots lead into objects (``metadata.car.colour``).
"""

from dataclasses import replace

from recollect.memory.model.filters import (
    ENTITIES,
    FIELDS,
    AllOf,
    field_of,
)
from recollect.memory.model.types import Scope
from recollect.memory.query import EVERYTHING, both, parse
from tests.support.folding import rows

from ..stores.memories import memory

ITEM = replace(
    memory(Scope(tenant="t", user_id="u")).item, metadata={"car": {"colour": "red"}, "a.b": 1}
)


@rows("name", sorted({*FIELDS} - {ENTITIES}))
def test_every_field_can_be_read(name):
    """From any memory; entities are told by the graph, in ids, before a filter is asked."""
    field = field_of(name)
    assert not field.path
    value = field.of(ITEM)
    assert value is None or isinstance(value, (str, int, float))


def test_metadata_by_its_path():
    """With and without the prefix; what leads nowhere has no value."""
    assert field_of("car.colour") == field_of("metadata.car.colour")
    assert field_of("car.colour").of(ITEM) == "red"
    assert field_of("car.colour.shade").of(ITEM) is None
    assert field_of("metadata.type").path == ("type",)
    assert field_of("type").of(ITEM) == "semantic"


ONE, OTHER = parse({"tag": "a"}), parse({"NOT": {"tag": "b"}})


def test_filters_are_combined():
    """What holds always is left out."""
    assert both() == both(EVERYTHING, EVERYTHING) == EVERYTHING
    assert both(ONE, EVERYTHING) == ONE
    assert both(ONE, OTHER) == AllOf((ONE, OTHER))
