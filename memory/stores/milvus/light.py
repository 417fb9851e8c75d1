"""Imports pymilvus without pandas and requests.

pymilvus imports both at the top, for features that are not used here: .3 s and 70 MB.
While it is imported, stand-ins take their places. They stay in its modules, and import the original
when something of it is used, so that whoever passes pymilvus a data frame notices nothing. Another
thread that imports pandas for the first time in that tenth of a second gets a stand-in too; only
the import of one of its modules fails then.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

_CLASSES = {"pandas": ("DataFrame",), "requests": ("Response",)}
"""The packages, and their classes in annotations, which Python evaluates at the import."""
_FUNCTIONS = {
    "pandas.api.types": (
        "infer_dtype",
        "is_array_like",
        "is_float",
        "is_list_like",
        "is_scalar",
    )
}
"""What is imported by name, and first called later."""


class _StandIn(ModuleType):
    """A module whose every attribute is that of the original, which is imported then."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # no package: its modules would be loaded a second time
            raise AttributeError(name)
        return getattr(_original(self.__name__), name)


class _StandInClass(type):
    """A class whose instances are those of the original. There are none before its import."""

    module: str

    def __instancecheck__(cls, instance: object) -> bool:
        module = sys.modules.get(cls.module)
        original = None if module is None else vars(module).get(cls.__name__)
        return original not in (None, cls) and isinstance(instance, original)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return getattr(_original(cls.module), cls.__name__)(*args, **kwargs)


def import_pymilvus() -> None:
    """Import pymilvus; nothing that is imported already is replaced. Raises ImportError."""
    stand_ins = _stand_ins()
    sys.modules.update(stand_ins)
    try:
        importlib.import_module("pymilvus")
    finally:
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _stand_ins() -> dict[str, ModuleType]:
    absent = [name for name in _CLASSES if name not in sys.modules]
    made: dict[str, ModuleType] = {name: _StandIn(name) for name in absent}
    for name in absent:
        for of in _CLASSES[name]:
            members = {"module": name, "__module__": name}
            setattr(made[name], of, _StandInClass(of, (), members))
    for name, functions in _FUNCTIONS.items():
        if name.partition(".")[0] in absent:
            made[name] = _StandIn(name)
            for of in functions:
                setattr(made[name], of, _function(name, of))
    return made


def _function(module: str, name: str) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(_original(module), name)(*args, **kwargs)

    return call


def _original(name: str) -> Any:
    """The original module, from its own place in the environment."""
    for each, module in list(sys.modules.items()):
        if isinstance(module, _StandIn):
            del sys.modules[each]
    return importlib.import_module(name)
