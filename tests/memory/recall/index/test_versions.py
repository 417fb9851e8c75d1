"""How a process learns that another one has written."""

from memory.recall.index.versions import LocalVersions


async def test_every_write_is_counted_for_its_key():
    """From 0, by one, each key on its own; the one who counts is told the number."""
    versions = LocalVersions()
    assert await versions.current(["a"]) == (0,)
    assert [await versions.bump("a"), await versions.bump("a")] == [1, 2]
    assert await versions.current(["b", "a"]) == (0, 2)
