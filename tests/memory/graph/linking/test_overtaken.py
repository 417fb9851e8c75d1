"""Two processes link memories of one owner at the same time."""

from __future__ import annotations

from tests.memory.graph.linking.world import World, memory, rebuilt, said


async def test_who_is_overtaken_reads_again():
    """What another process linked since the entities were read is known when links are written."""
    first = World(shared=True)
    second = World(first.kept, first.inner, shared=True)
    await first.graph.build()
    await first.graph.settled()
    await second.graph.settled()
    await first.put(memory("a", "User met Anna Schmidt in Tbilisi", 1))
    await second.put(memory("b", "Anna Schmidt lives in Tbilisi", 5))
    others = [second]

    class Slow:
        """The other one links before this one writes."""

        def __getattr__(self, name):
            return getattr(first.kept, name)

        async def resolve(self, owner, keys, *, limit):
            found = await first.kept.resolve(owner, keys, limit=limit)
            while others:
                await others.pop().graph.settled()
            return found

    first.graph._linker._graph = Slow()
    await first.graph.settled()
    other = await rebuilt(first.inner)
    assert others == []
    assert await said(first) == await said(other)
    await other.close()
