"""The handler of `POST /v1/memories/batch`: many additions, each by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, SkipValidation

from recollect.memory.api.batches import MAX_CONCURRENCY, MAX_REQUESTS, add_all
from recollect.memory.api.results import AddResult, BatchResult
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.operations.fields import fields_of, needed, values_of, whole
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .models import AdditionFields
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest
from .suggestions import unknown_field

CONCURRENCY = 5


class BatchBody(ScopeFields):
    """Additions. An id beside them is that of each addition that does not name one itself."""

    requests: SkipValidation[Annotated[list[AdditionFields], Field(max_length=MAX_REQUESTS)]] = (
        needed(f"At most {MAX_REQUESTS} additions.", title="a list of objects")
    )
    concurrency: int = whole(
        "How many are done at a time.", high=MAX_CONCURRENCY, default=CONCURRENCY
    )


class BatchApi:
    """The handler of `BATCH_OPERATIONS`."""

    @endpoint("POST", f"{PREFIX}/batch", BatchResult, Right.WRITE, body=BatchBody)
    async def add_batch(self, request: ApiRequest) -> Any:
        """Remember up to 1000 conversations, each by itself.

        One that is refused or fails has its error in the answer, and the others go on.
        """
        request.owner_ref()  # ids that are nobody's here refuse it all

        async def add(**said: Any) -> AddResult:
            return await request.memory.add(**_read(said, request.ids))

        values = request.values
        return await add_all(add, values["requests"], concurrency=values["concurrency"])


BATCH_OPERATIONS = operations_of(BatchApi)


def _read(said: Mapping[str, Any], ids: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of one addition. Raises InvalidInputError, which names the field."""
    known = fields_of(AdditionFields)
    if unknown := sorted(said.keys() - known.keys()):
        raise unknown_field(unknown[0], known, (), "body")
    values = values_of(AdditionFields, said)
    return values | {name: values[name] or ids[name] for name in SCOPE_IDS if name not in said}
