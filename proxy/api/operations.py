"""Finds the operation of a request by its method and path. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from recollect.memory.operations.declaring import handled_in, operation
from recollect.memory.operations.operation import (
    PREFIX,
    Operation,
    bound,
)

__all__ = [
    "PREFIX",
    "Operation",
    "Routes",
    "allowed",
    "bound",
    "handled_in",
    "operation",
]

_Path = tuple[str, ...]


class Routes:
    """Operations by their paths. A fixed segment is never read as an id, for any method."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        """Of two with the same method and path the first counts."""
        self._fixed: dict[_Path, dict[str, Operation]] = {}
        self._as_written: dict[str, tuple[dict[str, Operation], frozenset[str]]] = {}
        """The same by the whole path, as nearly all requests write it."""
        self._wild: dict[int, list[tuple[_Path, Operation]]] = {}
        """Those with an id in their path, by the number of segments."""
        for each in operations:
            segments = each.segments
            if each.parameters:
                self._wild.setdefault(len(segments), []).append((segments, each))
            else:
                self._fixed.setdefault(segments, {}).setdefault(each.method, each)
        for segments, by_method in self._fixed.items():
            self._as_written["/".join(segments)] = by_method, frozenset(by_method)

    def find(self, method: str, raw_path: str) -> tuple[Operation | None, frozenset[str]]:
        """The operation of a request, and the methods that its path allows.

        Only one slash at the end is left out: with an id that is empty by mistake, a path must not
        become the path of the whole scope.
        """
        written = self._as_written.get(raw_path.removesuffix("/"))
        if written is not None:
            return written[0].get(method), written[1]
        path = tuple(unquote(piece) for piece in raw_path.removesuffix("/").split("/"))
        by_method = self._fixed.get(path)
        if by_method is None:
            by_method = self._nearest(path)
        return by_method.get(method), frozenset(by_method)

    def _nearest(self, path: _Path) -> dict[str, Operation]:
        """Those with the fewest ids in their path, and of these the latest; by method."""
        fits = [each for segments, each in self._wild.get(len(path), ()) if _fits(segments, path)]
        nearest = min(map(_ids_in, fits), default=None)
        found: dict[str, Operation] = {}
        for each in fits:
            if _ids_in(each) == nearest:
                found.setdefault(each.method, each)
        return found


def _ids_in(operation: Operation) -> tuple[int, list[bool]]:
    """How many, and which segments they are."""
    return len(operation.parameters), [name.startswith("{") for name in operation.segments]


def _fits(segments: _Path, path: _Path) -> bool:
    return all(
        piece != "" if name.startswith("{") else name == piece
        for name, piece in zip(segments, path, strict=True)
    )


def allowed(methods: frozenset[str]) -> Mapping[str, str]:
    """The header that a 405 must have (RFC 9110 §15.5.6)."""
    return {"Allow": ", ".join(sorted(methods))}
