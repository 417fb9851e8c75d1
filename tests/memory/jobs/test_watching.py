"""The parts that have files are looked at, whatever else there is."""

from recollect.memory.jobs.watching import FileWatch


class Part:
    looked = 0

    def look(self):
        self.looked += 1


async def test_parts_with_files_are_looked_at():
    """A server's part, which has none, is left alone."""
    part = Part()
    watch = FileWatch([part, object()])
    await watch.look()
    another = Part()
    watch.also(another)
    await watch.look()
    assert (part.looked, another.looked) == (2, 1)
