"""An operation that is called without a request reads its values all the same."""

import pytest

from recollect.memory.api.table import table
from recollect.memory.api.upkeep import Upkeep
from recollect.memory.model.errors import InvalidInputError
from tests.support.folding import rows

[LIST] = [each for each in table() if each.operation.id == "list_upkeep"]


@rows("limit", [0, None])
async def test_what_no_model_has_read_is_refused_by_name(limit):
    """As a command on the files says it; None too, where it is not the default."""

    class Memory:
        upkeep = Upkeep.__new__(Upkeep)

    with pytest.raises(InvalidInputError) as refused:
        await LIST.call(Memory, {"limit": limit})
    assert refused.value.field == "limit"
