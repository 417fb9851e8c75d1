"""Makes collections, and knows whose vectors they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.errors import StoreMismatchError
from ...model.format import FORMAT, NONE, refuse_other
from ..checks import foreign
from .client import ChromaClient

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

NEXT_SUFFIX = "_next"
OLD_SUFFIX = "_old"
"""Of the collection that another one replaces, until it is removed."""
_EMBEDDER, _DIM, _FORMAT = "recollect_embedder", "recollect_dim", "recollect_format"


async def identity(client: ChromaClient, name: str) -> tuple[str, int] | None:
    """The embedder and dimensions of a collection; None if there is none.

    Raises:
        StoreMismatchError: it is of another format, or not ours.
        StoreError: Chroma failed.
    """
    await _settle(client, name)
    said = await client.call("describe", lambda one: _metadata(one, name))
    if said is None:
        return None
    if _EMBEDDER not in said:
        raise foreign(f"collection {name}")
    refuse_other(f"the collection {name}", int(said.get(_FORMAT, NONE)), StoreMismatchError)
    return str(said[_EMBEDDER]), int(said[_DIM])


async def ensure(client: ChromaClient, name: str, embedder_id: str, dim: int) -> tuple[str, int]:
    """Make the collection if there is none; whose vectors it holds. Raises as `identity`."""
    if (found := await identity(client, name)) is not None:
        return found
    metadata: dict[str, Any] = {_EMBEDDER: embedder_id, _DIM: dim, _FORMAT: FORMAT}
    await client.call(
        "create",
        lambda one: one.get_or_create_collection(
            name,
            metadata=metadata,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
        ),
    )
    # Another process may have made it first, for another embedder.
    return await identity(client, name) or (embedder_id, dim)


async def drop(client: ChromaClient, name: str) -> None:
    """Remove a collection; none is no error."""

    def run(one: ClientAPI) -> None:
        if name in _names(one):
            one.delete_collection(name)

    await client.call("drop", run)


async def rename(client: ChromaClient, name: str, new: str) -> None:
    """Give a collection another name."""

    def run(one: ClientAPI) -> None:
        one.get_collection(name, embedding_function=None).modify(name=new)

    await client.call("rename", run)


async def replace(client: ChromaClient, name: str) -> None:
    """Let the next collection have the name, and remove the old one.

    Each step can be repeated, and the old one is complete until the new one has its name.
    """
    await rename(client, name, name + OLD_SUFFIX)
    await _settle(client, name)


async def _settle(client: ChromaClient, name: str) -> None:
    """Finish a replacement that was interrupted."""
    names = await client.call("list", _names)
    if name + OLD_SUFFIX not in names:
        return
    if name not in names:
        await rename(client, name + NEXT_SUFFIX, name)
    await drop(client, name + OLD_SUFFIX)


def identities(client: ClientAPI) -> dict[str, tuple[str, int]]:
    """The embedder and dimensions of each collection of our format, by name."""
    said = {one.name: one.metadata or {} for one in client.list_collections()}
    return {
        name: (str(each[_EMBEDDER]), int(each[_DIM]))
        for name, each in said.items()
        if _EMBEDDER in each and each.get(_FORMAT) == FORMAT
    }


def _names(client: ClientAPI) -> set[str]:
    return {one.name for one in client.list_collections()}


def _metadata(client: ClientAPI, name: str) -> dict[str, Any] | None:
    if name not in _names(client):
        return None
    return dict(client.get_collection(name, embedding_function=None).metadata or {})
