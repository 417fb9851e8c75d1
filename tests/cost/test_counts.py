"""No request costs more than the file says."""

from __future__ import annotations

from recollect.memory.recall import Recaller
from tests.support.budget import sampled

from .counted import Counts
from .file import FILE, TOLERANCE, differences, parse, table
from .kinds import kinds
from .measure import Cost, cost_of, measured
from .product import Composed

VARY = ("copied", "functions")
"""What a machine changes a little; all else is exact."""


def test_no_request_costs_more_than_the_file_says():
    """Texts, statements, rows, hops, bytes, calls: none moves by more than 5 % unless the file says so.

    `make quick` counts some of the kinds.
    """
    every = kinds()
    chosen = {kind.name for kind in sampled(every)}
    left = {kind.name for kind in every} - chosen
    old = parse(FILE.read_text("utf-8"))

    def same(name: str, cost: Cost) -> bool:
        return all(change.kind != name for change in differences(old, {name: cost}))

    new = measured(lambda kind: kind.name in chosen, same)
    changes = [change for change in differences(old, new) if change.kind not in left]
    assert not changes, table(changes)


def test_what_a_request_does_twice_is_seen(monkeypatch):
    """A recall that asks the embedder once more, or does its work again, is another number."""
    asked = Recaller.recall

    async def twice(self, scope, query, **more):
        await self._embedder.embed([f"again: {query}"])
        await asked(self, scope, query, **more)
        return await asked(self, scope, query, **more)

    monkeypatch.setattr(Recaller, "recall", twice)
    new = measured(lambda kind: kind.name == "chat, recall, 1 user")
    old = parse(FILE.read_text("utf-8"))
    found = {change.count: change for change in differences(old, new) if change.kind in new}
    assert {"embeddings", "texts"} <= set(found)
    assert found["texts"].new == 2


def test_a_number_is_the_same_each_time():
    """Counted twice: what is exact does not vary, and the rest by less than half of what fails.

    Single requests vary more: how many events of a stream come with one read is up to the machine.
    """
    chosen = ("chat, recall, 1 user", "chat, a statement")
    with Composed() as product:
        for number, kind in enumerate(kinds(), start=1):
            if kind.name in chosen:
                one, other = (cost_of(product, kind, number * 100 + more) for more in (0, 50))
                assert one.outcome == other.outcome
                for name in Counts.names():
                    old, new = getattr(one.counts, name), getattr(other.counts, name)
                    most = TOLERANCE / 2 * old if name in VARY else 0
                    assert abs(old - new) <= most, (kind.name, name, old, new)
