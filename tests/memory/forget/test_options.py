"""What may be configured about keeping."""

import pytest
from pydantic import ValidationError

from recollect.memory.forget import RetentionOptions
from recollect.memory.model.types import MemoryType
from tests.support.folding import rows


def test_nothing_is_erased_by_default():
    """No memory has an end until somebody sets a number of days, whatever its type or status."""
    options = RetentionOptions()
    assert {options.ttl_days.of(kind) for kind in MemoryType} == {None}
    assert set(options.erase_days.model_dump().values()) == {None}


@rows(
    "wrong",
    [
        {"max_memories": 0},
        {"erase_days": {"archived": 0}},
        {"ttl_days": {"semantic": -1}},
        {"x": 1},
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    """A bound of nothing would erase everything."""
    with pytest.raises(ValidationError):
        RetentionOptions(**wrong)
