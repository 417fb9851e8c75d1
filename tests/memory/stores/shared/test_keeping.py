"""What collections are for, and what is asked of a store to look after them."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.kept import CollectionPart, KeptCollection
from recollect.memory.stores import ChromaStoreOptions, InMemoryStoreOptions, open_collections
from recollect.memory.stores.shared.keeping import Labelled, ShelfCollections, part_of


class Shelf:
    """A shelf of names that notes what is removed."""

    def __init__(self, *names):
        self.names = {name: Labelled("fake", 8, CollectionPart.OTHER) for name in names}
        self.counted = []

    async def labels(self):
        return self.names

    async def count(self, name):
        self.counted.append(name)
        return 5

    async def make(self, name, embedder_id, dim):
        self.names[name] = Labelled(embedder_id, dim, CollectionPart.OTHER)

    async def remove(self, name, part):
        del self.names[name]

    async def close(self):
        self.names = {}


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("mine", CollectionPart.USED),
        ("mine_next", CollectionPart.TARGET),
        ("other_next", CollectionPart.TARGET),
        ("other", CollectionPart.OTHER),
        ("next", CollectionPart.OTHER),
    ],
)
def test_the_name_tells_what_it_is_for(name, part):
    """A reindex names its own after the one that they replace."""
    assert part_of(name, "mine", {"_next": CollectionPart.TARGET}) is part


def test_the_configured_one_is_in_use_whatever_its_name_ends_with():
    """Nobody is told that a store in use was left behind."""
    assert part_of("a_next", "a_next", {"_next": CollectionPart.TARGET}) is CollectionPart.USED


async def test_they_are_listed_by_name_and_only_one_is_counted_if_one_is_asked_for():
    """Counting may take long."""
    shelf = Shelf("b", "a")
    collections = ShelfCollections(shelf, ChromaStoreOptions())
    assert [one.name for one in await collections.list()] == ["a", "b"]
    shelf.counted.clear()
    assert await collections.info("b") == KeptCollection("b", "fake", 8, 5, CollectionPart.OTHER)
    assert shelf.counted == ["b"]


async def test_what_is_not_there_is_refused_with_what_is():
    """The error names the place, and the names that are known."""
    shelf = Shelf("a")
    collections = ShelfCollections(shelf, ChromaStoreOptions(uri="/somewhere"))
    with pytest.raises(StoreError, match=r"'b' at /somewhere; it made: a"):
        await collections.delete("b")
    assert [*shelf.names] == ["a"]


async def test_a_bad_name_is_told_without_the_credential():
    """The options are checked with the new name, and their secrets stay out of the error."""
    options = ChromaStoreOptions.model_validate({"uri": "http://h:1", "token": "s3cret"})
    with pytest.raises(InvalidInputError, match="collection") as told:
        await ShelfCollections(Shelf(), options).create("no spaces", "fake", 8)
    assert "s3cret" not in str(told.value)


async def test_a_store_that_keeps_nothing_has_none():
    """The error names the setting."""
    with pytest.raises(InvalidInputError, match=r"store\.backend"):
        await open_collections(InMemoryStoreOptions())
