"""An attribute that is computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - it stands where `cached_property` does
    """`functools.cached_property` without its lock, which Python 3.11 takes at every first read.

    For objects of one thread, or whose attribute may be computed twice.
    """

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self._name = ""
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> T | Self:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._read(instance)
        return value
