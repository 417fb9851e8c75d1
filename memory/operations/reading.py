"""Reads the arguments of the library's methods as requests are read: the same refusals."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import create_model

from .fields import RequestModel, values_of

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])
Fields = Mapping[str, tuple[Any, Any]]
"""The type and the default, or `...`, of each field by its name."""


def reading(method: Method, fields: Callable[[], Fields]) -> Method:
    """The method, called with arguments that its fields take. Raises InvalidInputError.

    `unchecked` of what it returns is the method itself, for arguments that were read already.
    """
    code = method.__code__
    positional = code.co_varnames[1 : code.co_argcount]
    read = functools.cache(lambda: _Arguments(fields(), inspect.signature(method).parameters))

    @functools.wraps(method)
    async def checked(owner: Any, *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(positional, args, strict=False))
        if len(args) > len(positional) or given.keys() & kwargs:
            return await method(owner, *args, **kwargs)  # Python says what is wrong
        return await method(owner, **read().of(given | kwargs))

    checked.unchecked = method  # type: ignore[attr-defined]  # as functools has `__wrapped__`
    return checked  # type: ignore[return-value]  # the same signature


def unchecked(method: Any) -> Any:
    """The method for arguments that were read already; of an object, bound to it."""
    raw = getattr(method, "unchecked", method)
    owner = getattr(method, "__self__", None)
    return raw if raw is method or owner is None else functools.partial(raw, owner)


class _Arguments:
    """The fields of a method as a model."""

    def __init__(self, fields: Fields, taken: Mapping[str, inspect.Parameter]) -> None:
        self._never_none = {
            name
            for name, (_, default) in fields.items()
            if name in taken and None not in {default, taken[name].default}
        }
        self._model: type[RequestModel] = create_model(
            "Arguments",
            __base__=RequestModel,
            **{name: (kind, None) for name, (kind, _) in fields.items()},  # type: ignore[call-overload]  # see create_model
        )

    def of(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments, as the fields read them; None says nothing where it is the default."""
        said = {
            name: _plain(value)
            for name, value in given.items()
            if name in self._model.model_fields and (value is not None or name in self._never_none)
        }
        if not said:
            return given
        read = values_of(self._model, said)
        return given | {name: read[name] for name in said}


def _plain(value: Any) -> Any:
    """Programs give other sequences and mappings than JSON has."""
    if isinstance(value, Mapping) and not isinstance(value, dict):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, list)):
        return list(value)
    return value
