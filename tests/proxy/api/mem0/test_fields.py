"""The fields of mem0's clients, with what each does here."""

import pytest

from recollect.memory import InvalidInputError
from recollect.memory.operations.fields import values_of
from recollect.proxy.api.mem0.fields import CHANGED, CONDITIONS, MAX_BATCH, form
from tests.support.folding import rows


@rows("value, told", [
        (None, "a list of 1 to"), ([], "a list of 1 to"), ({}, "a list of 1 to"),
        ("x", "a list of 1 to"), ([{"memory_id": "a"}] * (MAX_BATCH + 1), "a list of 1 to"),
        ([1], "objects with a memory_id"), ([{}], "objects with a memory_id"),
        ([{"memory_id": 5}], "objects with a memory_id"),
        ([{"memory_id": "a", "x": 1}], "a key that is not known: 'x'"),
        ([{"memory_id": "a", "text": 5}], "expected texts"),
        ([{"memory_id": "a", "metadata": "x"}], "expected an object"),
        ([{"memory_id": "a", "text": "\ud800"}], "valid Unicode"),
    ])  # fmt: skip
def test_a_batch_is_read_before_anything_is_done(value, told):
    """One item that cannot be read refuses all of it."""
    with pytest.raises(InvalidInputError, match=told) as caught:
        values_of(form(memories=CHANGED), {"memories": value})
    assert caught.value.field == "memories"


def test_conditions_on_metadata_are_refused_by_their_own_name():
    """Not by that of the filters, of which they become a part."""
    with pytest.raises(InvalidInputError) as caught:
        values_of(form(metadata=CONDITIONS), {"metadata": {"a": {"gte": []}}})
    assert caught.value.field == "metadata"
