"""Resolves a name or an id to an entity of a scope, and finds the memories that speak of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from ..model.errors import GraphError, InvalidInputError, StateError
from ..model.graph import DESCRIPTION, KnownEntity
from ..model.types import Scope
from .linking import Graph
from .reading import USER_KEY, USER_NAME, read
from .reading.keys import LAST

MOST_NAMESAKES = 50
"""Entities of one name that are told apart."""
MOST_MEMORIES = 50_000
"""Memories that a filter by an entity admits: their ids are compared."""
_PAGE = 10_000
UNREACHABLE = "the graph does not answer at the moment"


@contextmanager
def answering() -> Iterator[None]:
    """Raises GraphError if the graph does not answer within the block."""
    try:
        yield
    except GraphError:
        raise
    except StateError as error:
        raise GraphError(UNREACHABLE) from error


def key_of(graph: Graph, name: str) -> str:
    """The name as it is compared, "my sister" and `User` too; never a prefix: a star is text."""
    return _described(name.strip()) or graph.key(name).rstrip("*")


def _described(name: str) -> str | None:
    """The key of what memories call so without a name ("my sister"); None: it is a name."""
    if name == USER_NAME:
        return USER_KEY
    surfaces = (one for mention in read(name).mentions for one in mention.surfaces)
    keys = (one.key for one in surfaces if one.text == name)
    return next((key for key in keys if key.startswith(DESCRIPTION)), None)


async def called(
    graph: Graph, scope: Scope, name: str, *, by_part: bool = False
) -> Sequence[KnownEntity]:
    """The entity with this id, or all that the scope's memories call so. Raises StateError.

    With `by_part`, if nobody is, all whose name begins with this word, or else ends with it. Not
    for what changes something: done again, it would hit somebody else.
    """
    by_id = await graph.store.entities(scope, ids=[name], limit=1)
    key = key_of(graph, name)
    if by_id or not key:
        return by_id
    whole = not by_part or key.startswith(DESCRIPTION) or " " in key
    for each in (key,) if whole else (key, f"{key} *", LAST + key):
        if found := await graph.store.entities(scope, name=each, limit=MOST_NAMESAKES):
            return found
    return []


class EntityFinder:
    """Finds the memories that speak of entities, for filters."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def memories_of(self, scope: Scope, names: Collection[str]) -> dict[str, frozenset[str]]:
        """Ids of the scope's memories, by the name or id of an entity; all that are called so.

        Raises:
            InvalidInputError: an entity has more memories than are compared.
            GraphError: the graph does not answer.
        """
        with answering():
            await self._graph.caught_up()
            return {name: await self._speaking_of(scope, name) for name in sorted(names)}

    async def _speaking_of(self, scope: Scope, name: str) -> frozenset[str]:
        ids = [one.entity.id for one in await called(self._graph, scope, name)]
        found: list[str] = []
        while ids:
            after = found[-1] if found else None
            page = await self._graph.store.memories_of(scope, ids, limit=_PAGE, after=after)
            found += page
            if len(found) > MOST_MEMORIES:
                raise InvalidInputError(
                    "filters", f"more than {MOST_MEMORIES:,} memories speak of {name[:60]!r}"
                )
            if len(page) < _PAGE:
                break
        return frozenset(found)
