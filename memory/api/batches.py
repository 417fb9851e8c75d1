"""Many calls at once, with a bound, and a result for each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

from ..model.errors import InvalidInputError, RecollectError
from ..model.suggestions import nearest
from .results import AddResult, BatchItem, BatchResult, ErrorDict

MAX_REQUESTS = 1000
MAX_CONCURRENCY = 64


async def add_all(
    add: Callable[..., Awaitable[AddResult]],
    requests: Sequence[Mapping[str, Any]],
    *,
    concurrency: int,
) -> BatchResult:
    """The results of `add` with the arguments of each request, in their order.

    A request that is refused or fails is in the result with its error; the others go on.

    Raises:
        InvalidInputError: `requests` is no list of objects, or there are too many.
    """
    _check(requests, concurrency)
    free = asyncio.Semaphore(concurrency)
    known = signature(add).parameters

    async def one(index: int, request: Mapping[str, Any]) -> BatchItem:
        async with free:
            try:
                _check_arguments(known, request)
                result = await add(**request)
            except RecollectError as error:
                return BatchItem(index=index, error=ErrorDict(code=error.code, message=str(error)))
        return BatchItem(index=index, result=result)

    items = await asyncio.gather(*(one(index, each) for index, each in enumerate(requests)))
    failed = sum("error" in item for item in items)
    return BatchResult(results=list(items), succeeded=len(items) - failed, failed=failed)


def _check(requests: object, concurrency: object) -> None:
    if not isinstance(requests, Sequence) or isinstance(requests, (str, bytes)):
        raise InvalidInputError("requests", "expected a list of objects")
    if len(requests) > MAX_REQUESTS:
        raise InvalidInputError("requests", f"must be at most {MAX_REQUESTS}; send them in parts")
    for index, request in enumerate(requests):
        if not isinstance(request, Mapping) or not all(isinstance(name, str) for name in request):
            raise InvalidInputError(f"requests[{index}]", "expected the arguments of add")
        if "messages" not in request:
            raise InvalidInputError(f"requests[{index}].messages", "expected messages")
    whole = isinstance(concurrency, int) and not isinstance(concurrency, bool)
    if not whole or not 1 <= concurrency <= MAX_CONCURRENCY:  # type: ignore[operator]
        raise InvalidInputError(
            "concurrency", f"expected a whole number from 1 to {MAX_CONCURRENCY}"
        )


def _check_arguments(known: Mapping[str, Parameter], request: Mapping[str, Any]) -> None:
    """Here and not by the TypeError of a call, which may as well be a defect."""
    if any(each.kind is Parameter.VAR_KEYWORD for each in known.values()):
        return
    for name in request:
        if name not in known:
            meant = nearest(name, known)
            hint = f"; did you mean {meant!r}?" if meant else ""
            raise InvalidInputError(name[:60], f"is no argument of add{hint}")
