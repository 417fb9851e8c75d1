"""A store that passes calls on to another store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..model.ports import VectorStore

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")


def _forwarded(
    method: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[ForwardingStore, P], Coroutine[Any, Any, T]]:
    """The same method of the other store, with its signature."""

    @wraps(method)
    async def call(self: ForwardingStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answer: T = await getattr(self._store, method.__name__)(*args, **kwargs)
        return answer

    return call


class ForwardingStore(ABC):
    """A `VectorStore` that passes every call on, unless overridden."""

    @property
    @abstractmethod
    def _store(self) -> VectorStore:
        """The other store. Raises StoreError if there is none at the moment."""

    put = _forwarded(VectorStore.put)
    search = _forwarded(VectorStore.search)
    get = _forwarded(VectorStore.get)
    resting_on = _forwarded(VectorStore.resting_on)
    list = _forwarded(VectorStore.list)
    load = _forwarded(VectorStore.load)
    count = _forwarded(VectorStore.count)
    scan = _forwarded(VectorStore.scan)
    walk = _forwarded(VectorStore.walk)
    tally = _forwarded(VectorStore.tally)
    delete = _forwarded(VectorStore.delete)
    reset = _forwarded(VectorStore.reset)
    ping = _forwarded(VectorStore.ping)
    close = _forwarded(VectorStore.close)

    search_keywords = _forwarded(VectorStore.search_keywords)

    @property
    def keywords(self) -> bool:
        return self._store.keywords
