"""What the signature of a method tells: to people, and to whoever makes requests of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, Unpack, get_args, get_origin, get_type_hints

from typing_extensions import TypedDict

from .scope import ScopeFields, ScopeIds

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def hints_of(kind: Callable[..., Any]) -> Mapping[str, Any]:
    """The types of a function's parameters, or a class's members, and what stands beside them."""
    return get_type_hints(kind, include_extras=True)


def takes_ids(method: Function) -> Function:
    """Show the ids of the scope one by one in the signature of a method."""
    if "__signature__" not in vars(method):  # One that is declared twice has it already.
        method.__signature__ = _spelled_out(method)  # type: ignore[attr-defined]  # see inspect
    return method


_IDS = tuple(
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation="str | None")
    for name in ScopeFields.model_fields
)


def _spelled_out(method: Callable[..., Any]) -> inspect.Signature:
    """The signature for people: plain types, and the ids of the scope one by one."""
    signature, hints = inspect.signature(method), hints_of(method)
    kept = [
        one.replace(annotation=_written(get_args(hints[name])[0]))
        if marks_of(hints.get(name))
        else one
        for name, one in signature.parameters.items()
        if one.kind is not one.VAR_KEYWORD
    ]
    left = [one for one in signature.parameters.values() if one.kind is one.VAR_KEYWORD]
    ids = _IDS if left and "user_id" in unpacked(hints) else ()
    rest = [one.replace(annotation=told) for one in left if (told := _rest(hints[one.name]))]
    return signature.replace(parameters=[*kept, *ids, *rest])


def unpacked(hints: Mapping[str, Any]) -> dict[str, Any]:
    """The types of what a method takes as `**name: Unpack[...]`."""
    kinds = (get_args(hint)[0] for hint in hints.values() if get_origin(hint) is Unpack)
    return dict(next(map(hints_of, kinds), {}))


def _rest(hint: Any) -> str:
    """The annotation of what is left of an `Unpack[...]` without the ids of a scope."""
    bases = getattr(get_args(hint)[0], "__orig_bases__", ())
    names = (base.__name__ for base in bases if base not in (ScopeIds, TypedDict))
    return next((f"Unpack[{name}]" for name in names), "")


def _written(hint: Any) -> str:
    told = inspect.formatannotation(hint).replace("datetime.datetime", "datetime")
    return _MODULES.sub("", told)


_MODULES = re.compile(r"(?:[a-z_]\w*\.)+(?=[A-Z])")


def marks_of(hint: Any) -> tuple[Any, ...]:
    """What stands beside the type in an `Annotated`."""
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()
