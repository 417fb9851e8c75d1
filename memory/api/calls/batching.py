"""The method of `AsyncMemory` that adds many memories at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Unpack

from pydantic import Field, SkipValidation

from ...model.scope import SCOPE_IDS
from ...operations.declaring import As, declared_in, field, operation
from ...operations.fields import unknown_field, values_of
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ..adding import Addition
from ..batches import MAX_CONCURRENCY, MAX_REQUESTS, add_all
from ..results import BatchResult
from .adding import AddingCalls

CONCURRENCY = 5
_LIBRARY_ONLY = "timeout"
_ADD = declared_in(AddingCalls, "")[0]
AdditionFields = replace(_ADD, declared=replace(_ADD.declared, beside=None)).model("AdditionFields")
Additions = SkipValidation[Annotated[list[AdditionFields], Field(max_length=MAX_REQUESTS)]]  # type: ignore[valid-type]  # a model that is made


class _Requested(dict[str, Any]):
    """An addition that came in a request."""


def _requested(values: Mapping[str, Any]) -> dict[str, Any]:
    """The additions of a request; the library refuses what is no list of objects."""
    said = values["requests"]
    if not isinstance(said, list):
        return {}
    return {"requests": [_Requested(each) if isinstance(each, dict) else each for each in said]}


class BatchingCalls(AddingCalls):
    """The method of `AsyncMemory` that adds many memories at once, beside those that add."""

    @operation(f"POST {PREFIX}/batch", Right.WRITE, id="add_batch", taken=_requested)
    async def add_batch(
        self,
        requests: Annotated[
            Sequence[Mapping[str, Any]],
            As(Additions),
            field(f"At most {MAX_REQUESTS} additions.", title="a list of objects"),
        ],
        *,
        concurrency: Annotated[
            int, field("How many are done at a time.", high=MAX_CONCURRENCY)
        ] = CONCURRENCY,
        **ids: Unpack[ScopeIds],
    ) -> BatchResult:
        """Remember up to 1000 conversations, each by itself.

        Each of `requests` holds the arguments of `add`: `messages`, the ids of the scope, and so
        on; `ids` beside them are those of each request that does not name one itself. One that is
        refused or fails has an `error` in the result, and the others go on. At most `concurrency`
        are done at a time; texts that are stored as they are are embedded together.
        """
        self._view.owner_ref(**ids)  # ids that are nobody's here refuse it all

        async def prepared(said: Mapping[str, Any]) -> Addition:
            values = _read(said, ids)
            own = {name: values.pop(name) for name in SCOPE_IDS}
            scope, among = self._view.named(own, values.pop("filters"))
            return await self._adder.addition(scope, among=among, **values)

        return await add_all(prepared, self._adder.embed_ahead, requests, concurrency=concurrency)


def _read(said: Mapping[str, Any], ids: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of one addition. Raises InvalidInputError, which names the field."""
    known = AdditionFields.model_fields
    more = () if isinstance(said, _Requested) else (_LIBRARY_ONLY,)
    if unknown := sorted(said.keys() - known.keys() - {*more}):
        raise unknown_field(unknown[0], known, (), "body")
    values = values_of(AdditionFields, {name: said[name] for name in said if name in known})
    return (
        values
        | {name: said[name] for name in more if name in said}
        | {name: ids.get(name) for name in SCOPE_IDS if name not in said}
    )
