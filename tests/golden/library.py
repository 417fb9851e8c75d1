"""The library as a program sees it: signatures, and the fields of what goes in and comes out."""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import recollect
from tests.surfaces.library import PARTS
from tests.surfaces.place import Place

OURS = "recollect."
IDS = ", ".join(f"{name}_id: str | None = None" for name in ("user", "agent", "run"))


_MARKED = re.compile(r"^Annotated\[(.+?), (?:As|field|most_of|_Time)\b.*", re.DOTALL)
"""A type with what requests take for it."""


class _Written(str):
    """An annotation as it is written, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def library(place: Place) -> str:
    """Every public name, the methods of both memories, and the types that these name."""
    methods, seen = dict(_methods(place.memory("tenant-0"))), set[type]()
    lines = [f"recollect.{name}" for name in sorted(recollect.__all__)]
    lines += ["", *(f"AsyncMemory.{name}{_signed(each, seen)}" for name, each in methods.items())]
    lines += ["", f"Memory{_signed(recollect.Memory, seen)}", *_otherwise(methods)]
    told: dict[type, list[str]] = {recollect.Memory: [], recollect.AsyncMemory: []}
    waiting = {*seen, *(getattr(recollect, name) for name in recollect.__all__)}
    while waiting := waiting - told.keys():
        told |= {kind: ["", *_described(kind, waiting)] for kind in [*waiting]}
    for kind in sorted(told, key=lambda kind: (kind.__name__, kind.__module__)):
        lines += told[kind]
    return "\n".join(lines)


def _methods(memory: Any) -> Iterator[tuple[str, Any]]:
    """Of the memory and of its parts, by their names."""
    for name in sorted(each for each in dir(memory) if not each.startswith("_")):
        found = getattr(memory, name)
        if callable(found):
            yield name, found
        elif type(found).__module__.startswith(OURS):
            yield from ((f"{name}.{each}", value) for each, value in _members(type(found)))


def _members(kind: type) -> list[tuple[str, Any]]:
    """Public methods and properties."""
    kinds = (property, cached_property, classmethod, staticmethod, type(_members))
    found = inspect.getmembers_static(kind, lambda each: isinstance(each, kinds))
    return [(name, each) for name, each in found if not name.startswith("_")]


def _otherwise(methods: Mapping[str, Any]) -> Iterator[str]:
    """What `Memory` has not, or otherwise than `AsyncMemory`."""
    own = {prefix + name: each for prefix, part in PARTS.items() for name, each in _members(part)}
    for name in sorted({*own, *methods}):
        told = [_signed(each[name], set()) if name in each else "" for each in (methods, own)]
        if told[0] != told[1]:
            yield f"Memory.{name}{told[1] or ': only AsyncMemory has it'}"


def _signed(each: Any, seen: set[type]) -> str:
    """The signature; classes of ours that it names are added to `seen`."""
    if is_value := isinstance(each, property | cached_property):
        each = each.fget if isinstance(each, property) else each.func
    each = getattr(each, "__func__", each)
    origin = inspect.unwrap(each.__init__ if isinstance(each, type) else each)
    names, signature = _with_bases(getattr(origin, "__globals__", {})), inspect.signature(each)
    parameters = [
        one.replace(annotation=_noted(one.annotation, names, seen))
        for name, one in signature.parameters.items()
        if name not in ("self", "cls")
    ]
    answer = _noted(signature.return_annotation, names, seen)
    told = str(signature.replace(parameters=parameters, return_annotation=answer))
    waits = " async" if inspect.iscoroutinefunction(origin) else ""
    return (told.removeprefix("()") if is_value else told.replace(IDS, "<scope>")) + waits


def _with_bases(names: Mapping[str, Any]) -> dict[str, Any]:
    """The names of a module, and of the dictionaries that those in it are made of."""
    made = [each for kind in names.values() for each in getattr(kind, "__orig_bases__", ())]
    return {each.__name__: each for each in made if hasattr(each, "__name__")} | dict(names)


def _noted(annotation: Any, names: Mapping[str, Any], seen: set[type]) -> Any:
    if annotation is inspect.Parameter.empty:
        return annotation
    text = getattr(annotation, "__forward_arg__", annotation)
    written = text if isinstance(text, str) else inspect.formatannotation(text)
    written = _MARKED.sub(r"\1", written)
    for found in map(names.get, re.findall(r"[A-Za-z_]\w*", written)):
        if isinstance(found, type) and found.__module__.startswith(OURS):
            seen.add(found)
    return _Written(written)


def _described(kind: Any, seen: set[type]) -> list[str]:
    """A class with its fields or methods, or a function. Options have a page of their own."""
    if not isinstance(kind, type):
        return [f"{kind.__name__}{_signed(kind, seen)}"]
    head = f"class {kind.__name__}({', '.join(each.__name__ for each in kind.__bases__)})"
    if issubclass(kind, enum.Enum):
        return [head, *(f"  {each.name} = {each.value!r}" for each in kind)]
    if hasattr(kind, "model_fields") or issubclass(kind, Exception):
        return [head]
    optional, lines = getattr(kind, "__optional_keys__", ()), [head]
    for base in reversed(kind.__mro__):
        for name, each in inspect.get_annotations(base).items():
            told = _noted(each, vars(sys.modules[base.__module__]), seen)
            lines += [f"  {name}{'?' * (name in optional)}: {told}"] * (not name.startswith("_"))
    return [*lines, *(f"  {name}{_signed(each, seen)}" for name, each in _members(kind))]
