"""What a deletion asks of its filter: every part of it must leave something out. Pure.

A filter whose condition was lost on the way, ``{}`` or ``{"AND": [{}]}``, holds for every memory. A
search may be asked so; a deletion would remove more than anybody meant.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..model.errors import InvalidInputError
from ..model.filters import EVERYTHING
from ..model.types import Scope
from .parser import check_size, parse
from .simplify import simplified

_COMBINE = ("AND", "OR", "NOT", "metadata")
"""What holds filters, or the keys of the metadata in mem0's words."""


def check_narrows(said: object, scope: Scope | None = None) -> None:
    """Whether a filter that is given narrows what a deletion removes; None is no filter.

    Raises:
        InvalidInputError: it holds for every memory (of the scope), or a part of it is empty.
    """
    check_filled(said)
    if said is not None and simplified(parse(said), scope) == EVERYTHING:
        raise InvalidInputError("filters", f"{_NOTHING}: every memory has this; {_INSTEAD}")


def check_filled(said: object, name: str = "filters") -> None:
    """Only whether no part of it is empty: where ids in a filter say whose memories are meant.

    Raises InvalidInputError.
    """
    check_size(said)
    if _is_empty(said):
        raise InvalidInputError(name, f"{_NOTHING}: an object in it is empty; {_INSTEAD}")


_NOTHING = "must narrow what is removed"
_INSTEAD = "delete_all, without it, removes all of the scope"


def _is_empty(said: object) -> bool:
    """Whether a filter, or one that is combined in it, has no condition."""
    waiting = [said]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            waiting += one
        elif isinstance(one, Mapping):
            if not one:
                return True
            waiting += [inner for name, inner in one.items() if name in _COMBINE]
    return False
