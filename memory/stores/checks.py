"""Checks that every store makes before it changes anything."""

from __future__ import annotations

from ..model.errors import StoreMismatchError


def check_embedder(place: str, found: tuple[str, int] | None, wanted: tuple[str, int]) -> None:
    """Return if a collection holds vectors of the wanted embedder, with its dimensions.

    `place` names the collection.

    Raises:
        StoreMismatchError: it holds those of another one.
    """
    if found != wanted:
        held = "nothing" if found is None else "{}@{}".format(*found)
        raise StoreMismatchError(
            f"the {place} holds vectors of {held}, the configured embedder is "
            f"{wanted[0]}@{wanted[1]}: configure that embedder or another store.collection, or run "
            "`recollect reindex` to embed what it holds with the new one"
        )


def foreign(place: str) -> StoreMismatchError:
    """The error for a collection that has our name and is not ours."""
    return StoreMismatchError(
        f"the {place} is not one of Recollect's: name another one by store.collection"
    )
