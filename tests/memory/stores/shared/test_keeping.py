"""What collections are for, and what is asked of a store to look after them."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.kept import CollectionPart, KeptCollection
from recollect.memory.stores import ChromaStoreOptions, InMemoryStoreOptions, open_collections
from recollect.memory.stores.shared.keeping import Labelled, ShelfCollections, part_of
from recollect.memory.stores.shared.noting import note, noted


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


def test_the_configured_one_is_in_use_whatever_its_name_ends_with():
    """Nobody is told that a store in use was left behind; the suffix alone is no reindex's name."""
    for name in ("a_next", "next"):
        assert part_of(name, name, {"_next": CollectionPart.TARGET}) is CollectionPart.USED
    assert part_of("next", "mine", {"_next": CollectionPart.TARGET}) is CollectionPart.OTHER


async def test_they_are_listed_by_name_and_only_one_is_counted_if_one_is_asked_for():
    """Counting may take long."""
    shelf = Shelf("b", "a")
    collections = ShelfCollections(shelf, ChromaStoreOptions())
    assert [one.name for one in await collections.list()] == ["a", "b"]
    shelf.counted.clear()
    assert await collections.info("b") == KeptCollection("b", "fake", 8, 5, CollectionPart.OTHER)
    assert shelf.counted == ["b"]


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


def test_a_note_beside_a_folder_is_read_as_it_was_written(tmp_path):
    """The last note counts; a folder without one, and one that is damaged, tell nothing."""
    assert noted(tmp_path) is None
    note(tmp_path, "a/model", 8)
    note(tmp_path, "other@1", 9)
    assert noted(tmp_path) == ("other@1", 9)
    (tmp_path / "recollect-embedder.json").write_text("{")
    assert noted(tmp_path) is None
    assert noted(None) is None
    note(None, "a", 1)
