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
    signature, read = inspect.signature(method), functools.cache(lambda: _Arguments(fields()))

    @functools.wraps(method)
    async def checked(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        read().into(bound)
        return await method(*bound.args, **bound.kwargs)

    checked.unchecked = method  # type: ignore[attr-defined]  # as functools has `__wrapped__`
    return checked  # type: ignore[return-value]  # the same signature


def unchecked(method: Any) -> Any:
    """The method for arguments that were read already; of an object, bound to it."""
    raw = getattr(method, "unchecked", method)
    owner = getattr(method, "__self__", None)
    return raw if raw is method or owner is None else functools.partial(raw, owner)


class _Arguments:
    """The fields of a method as a model."""

    def __init__(self, fields: Fields) -> None:
        self._needed = {name for name, (_, default) in fields.items() if default is ...}
        self._model: type[RequestModel] = create_model(
            "Arguments",
            __base__=RequestModel,
            **{name: (kind, None) for name, (kind, _) in fields.items()},  # type: ignore[call-overload]  # see create_model
        )

    def into(self, bound: inspect.BoundArguments) -> None:
        """Put what the fields make of the arguments into their place."""
        for given in (bound.arguments, bound.arguments.get(_keywords(bound.signature), {})):
            said = {
                name: _plain(value)
                for name, value in given.items()
                if name in self._model.model_fields and (value is not None or name in self._needed)
            }
            if said:
                given |= {name: values_of(self._model, said)[name] for name in said}


@functools.cache
def _keywords(signature: inspect.Signature) -> str:
    """The name of what has all other keywords."""
    kinds = signature.parameters.values()
    return next((one.name for one in kinds if one.kind is one.VAR_KEYWORD), "")


def _plain(value: Any) -> Any:
    """Programs give other sequences and mappings than JSON has."""
    if isinstance(value, Mapping) and not isinstance(value, dict):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, list)):
        return list(value)
    return value
