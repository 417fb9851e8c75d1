"""Many additions at once, with a bound, and a result for each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from ..model.errors import InvalidInputError, RecollectError
from .adding import Addition
from .results import AddResult, BatchItem, BatchResult, ErrorDict

MAX_REQUESTS = 1000
MAX_CONCURRENCY = 64
T = TypeVar("T")
Ready = Addition | RecollectError


async def add_all(
    prepared: Callable[[Mapping[str, Any]], Awaitable[Addition]],
    embed: Callable[[Sequence[str]], Awaitable[None]],
    requests: Sequence[Mapping[str, Any]],
    *,
    concurrency: int,
) -> BatchResult:
    """The results of the additions that are `prepared` of each request, in their order.

    The texts that are stored as they are are given to `embed` together, before any is stored. A
    request that is refused or fails is in the result with its error; the others go on.

    Raises:
        InvalidInputError: `requests` is no list of objects, or there are too many.
    """
    _check(requests)
    free = asyncio.Semaphore(concurrency)
    ready = await asyncio.gather(*(_ended(free, prepared(each)) for each in requests))
    texts = [text for one in ready if isinstance(one, Addition) for text in one.texts]
    if texts:
        await embed(texts)
    items = await asyncio.gather(*(_item(free, *each) for each in enumerate(ready)))
    failed = sum("error" in item for item in items)
    return BatchResult(results=items, succeeded=len(items) - failed, failed=failed)


async def _item(free: asyncio.Semaphore, index: int, ready: Ready) -> BatchItem:
    done: AddResult | RecollectError
    done = await _ended(free, ready.carry_out()) if isinstance(ready, Addition) else ready
    if isinstance(done, RecollectError):
        return BatchItem(index=index, error=ErrorDict(code=done.code, message=str(done)))
    return BatchItem(index=index, result=done)


async def _ended(free: AbstractAsyncContextManager[Any], work: Awaitable[T]) -> T | RecollectError:
    """What work comes to, or its error."""
    async with free:
        try:
            return await work
        except RecollectError as error:
            return error


def _check(requests: object) -> None:
    if not isinstance(requests, Sequence) or isinstance(requests, (str, bytes)):
        raise InvalidInputError("requests", "expected a list of objects")
    if len(requests) > MAX_REQUESTS:
        raise InvalidInputError("requests", f"must be at most {MAX_REQUESTS}; send them in parts")
    for index, request in enumerate(requests):
        if not isinstance(request, Mapping) or not all(isinstance(name, str) for name in request):
            raise InvalidInputError(f"requests[{index}]", "expected the arguments of add")
        if "messages" not in request:
            raise InvalidInputError(f"requests[{index}].messages", "expected messages")
