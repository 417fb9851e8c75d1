"""What every vector index must do."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.memory.index.exact import ExactIndex
from recollect.memory.index.port import IndexFilter, IndexMissingError, IndexRow
from recollect.memory.model.errors import StoreError
from tests.support.admitting import admits

DIM = 64
BIG = 2**62
ACME, OTHER = -BIG, BIG
"""Tenants: digests are large numbers of both signs."""


def vectors(many, *, dim=DIM, seed=0):
    found = np.random.default_rng(seed).standard_normal((many, dim)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


VECTORS = vectors(64)


def row(key, **fields):
    """A row of Acme, with the vector of that number."""
    given = {"tenant": ACME, "user": 1, "agent": 0, "run": 0, "kind": 1, "status": 1, "at": 1000}
    given |= {"marks": (), "vector": VECTORS[key % 64]}
    return IndexRow(key=key, **{**given, **fields})


def keys(hits):
    return [key for key, _ in hits]


FIELDS = {
    "user": (-BIG + 3, "user", -BIG + 3),
    "agent": (BIG - 5, "agent", BIG - 5),
    "run": (-7, "run", -7),
    "kinds": (-11, "kind", frozenset({-11, 12})),
    "statuses": (BIG - 13, "status", frozenset({BIG - 13})),
    "since": (1500, "at", 1500),
    "until": (500, "at", 500),
    "marks": ((-BIG, 17, BIG - 1), "marks", frozenset({-BIG, BIG - 1})),
}
"""By a filter's field: the value of a row that it admits, the row's field, and what is asked."""


class IndexContract:
    """Subclasses provide `open_index`: it opens one place with a `dim`, and closes what it opened."""

    many = 2_000
    recall = 1.0

    @pytest.fixture
    async def index(self, open_index):
        index = await open_index(dim=DIM)
        await index.drop()
        return index

    async def test_a_collection_is_made_by_drop_alone(self, open_index):
        """Whoever fills it is told that it is empty, and no search of it finds "nothing"."""
        index = await open_index(dim=DIM, name="untouched")
        with pytest.raises(IndexMissingError):
            await index.ping()
        with pytest.raises(StoreError):
            await index.search(VECTORS[0], IndexFilter(ACME), limit=1)
        with pytest.raises(StoreError):
            await index.put([row(1)])
        await index.drop()
        await index.ping()
        assert await index.search(VECTORS[0], IndexFilter(ACME), limit=1) == []

    async def test_nearest_come_first_with_their_cosines(self, index):
        """What was put is found at once: best first, with the cosine, as many as asked for."""
        await index.put([row(0)])
        await index.put([row(key) for key in range(1, 64)])
        query = vectors(1, seed=5)[0]
        hits = await index.search(query, IndexFilter(ACME), limit=10)
        wanted = np.argsort(-(VECTORS @ query))[:10].tolist()
        assert keys(hits) == wanted
        assert [score for _, score in hits] == pytest.approx((VECTORS @ query)[wanted], abs=1e-4)
        assert await index.search(query, IndexFilter(ACME), limit=0) == []
        assert len(await index.search(query, IndexFilter(ACME), limit=1000)) == 64

    async def test_a_filter_admits_rows_that_have_what_it_asks_for(self, index):
        """Each field alone, and all together; numbers of both signs, up to the largest."""
        cases = [[name] for name in FIELDS] + [[name for name in FIELDS if name != "until"]]
        rows, asked = [], []
        for number, names in enumerate(cases, 1):
            right = {FIELDS[name][1]: FIELDS[name][0] for name in names}
            wrong = {name: value for value, name, _ in FIELDS.values() if name not in right}
            having = [{**wrong, **right}, {}, {**right, "tenant": OTHER}]
            having += [{k: v for k, v in right.items() if k != name} for name in right]
            rows += [
                row(100 * number + n, **{"tenant": number, **fields})
                for n, fields in enumerate(having)
            ]
            told = {name: FIELDS[name][2] for name in names}
            asked.append(IndexFilter(number, **told))
        await index.put(rows)
        for number, filtered in enumerate(asked, 1):
            expected = {each.key for each in rows if admits(filtered, each)}
            assert 100 * number in expected
            assert set(keys(await index.search(VECTORS[0], filtered, limit=50))) == expected

    async def test_every_write_is_seen_at_once(self, index):
        """A search that begins after it returned finds the row, or does not find it any more."""
        for key in range(1, 11):
            await index.put([row(key)])
            assert key in keys(await index.search(VECTORS[key], IndexFilter(ACME), limit=99))
            await index.delete([key])
            assert key not in keys(await index.search(VECTORS[key], IndexFilter(ACME), limit=99))

    async def test_a_row_is_replaced_by_its_key(self, index):
        """All of it: vector, scope, marks. One call may name a key twice: the last counts."""
        await index.put([row(1, marks=(5, 6)), row(2)])
        await index.put([row(1, user=9, marks=(6,), vector=VECTORS[8])])
        hits = await index.search(VECTORS[8], IndexFilter(ACME), limit=5)
        assert keys(hits) == [1, 2]
        assert hits[0][1] == pytest.approx(1.0, abs=1e-4)
        assert keys(await index.search(VECTORS[8], IndexFilter(ACME, user=9), limit=5)) == [1]
        assert keys(await index.search(VECTORS[8], IndexFilter(ACME, user=1), limit=5)) == [2]
        gone = IndexFilter(ACME, marks=frozenset({5}))
        assert await index.search(VECTORS[8], gone, limit=5) == []
        await index.put([row(3, user=7), row(3, user=8)])
        assert await index.search(VECTORS[3], IndexFilter(ACME, user=7), limit=5) == []

    async def test_deleted_rows_are_found_no_more(self, index):
        """At once, and they can come back. An unknown key is no error."""
        await index.put([row(key) for key in range(1, 6)])
        await index.delete([2, 3, 999])
        await index.delete([])
        assert set(keys(await index.search(VECTORS[2], IndexFilter(ACME), limit=9))) == {1, 4, 5}
        await index.put([row(2, user=4)])
        assert keys(await index.search(VECTORS[2], IndexFilter(ACME, user=4), limit=9)) == [2]
        await index.delete([1, 2, 4, 5])
        assert await index.search(VECTORS[2], IndexFilter(ACME), limit=9) == []

    async def test_drop_removes_everything(self, index):
        """And leaves a collection that takes rows."""
        await index.put([row(1), row(2, tenant=OTHER)])
        await index.drop()
        assert await index.search(VECTORS[1], IndexFilter(ACME), limit=9) == []
        assert await index.search(VECTORS[1], IndexFilter(OTHER), limit=9) == []
        await index.put([row(1)])
        assert keys(await index.search(VECTORS[1], IndexFilter(ACME), limit=9)) == [1]

    async def test_a_collection_for_other_vectors_is_missing(self, index, open_index):
        """It is not searched; `drop` makes it anew for the vectors that are there now."""
        await index.put([row(1)])
        await index.close()
        longer = await open_index(dim=2 * DIM)
        with pytest.raises(IndexMissingError):
            await longer.ping()
        await longer.drop()
        await longer.ping()
        query = vectors(1, dim=2 * DIM)[0]
        await longer.put([row(1, vector=query)])
        assert keys(await longer.search(query, IndexFilter(ACME), limit=9)) == [1]

    async def test_it_finds_what_an_exact_search_finds(self, index):
        """Of all and of few, with and without filters; an approximate one may miss one of twenty."""
        exact, found = ExactIndex(DIM), vectors(self.many, seed=1)
        await exact.drop()
        rows = [
            row(
                *(key,), tenant=(ACME, ACME, ACME, OTHER)[key % 4], user=key % 40, kind=key % 3,
                at=key, marks=(key % 7,), vector=found[key],
            )
            for key in range(self.many)
        ]  # fmt: skip
        for start in range(0, self.many, 512):
            await index.put(rows[start : start + 512])
            await exact.put(rows[start : start + 512])
        asked = [
            IndexFilter(ACME),
            IndexFilter(ACME, user=6),
            IndexFilter(OTHER, kinds=frozenset({1})),
            IndexFilter(ACME, since=self.many // 2, marks=frozenset({3})),
        ]
        hit, wanted = 0, 0
        for number, query in enumerate(vectors(24, seed=2)):
            which = asked[number % 4]
            best = set(keys(await exact.search(query, which, limit=20)))
            hit += len(best & set(keys(await index.search(query, which, limit=20))))
            wanted += len(best)
        assert hit >= self.recall * wanted

    async def test_closing_twice_is_no_error(self, index):
        """A closed one answers with an error."""
        await index.close()
        await index.close()
        with pytest.raises(StoreError):
            await index.search(VECTORS[0], IndexFilter(ACME), limit=1)


class LastingContract(IndexContract):
    """Of an index that outlives its process."""

    async def test_rows_are_there_when_it_is_opened_again(self, index, open_index):
        """So a start fills nothing."""
        await index.put([row(1), row(2)])
        await index.delete([2])
        await index.close()
        again = await open_index(dim=DIM)
        await again.ping()
        assert keys(await again.search(VECTORS[1], IndexFilter(ACME), limit=9)) == [1]


class FolderContract(LastingContract):
    """Of an index in a folder. Subclasses provide `folder`, the one of `open_index`."""

    async def test_a_damaged_folder_is_thrown_away(self, index, open_index, folder):
        """It is made anew: the database holds everything."""
        await index.put([row(key) for key in range(50)])
        await index.close()
        for file in (folder / "data").rglob("*"):
            if file.is_file():
                file.write_bytes(b"nonsense" * 50)
        again = await open_index(dim=DIM)
        with pytest.raises(IndexMissingError):
            await again.ping()
        await again.drop()
        await again.put([row(1)])
        assert keys(await again.search(VECTORS[1], IndexFilter(ACME), limit=9)) == [1]

    @pytest.mark.parametrize("file", ["recollect-index", "in-use"])
    async def test_what_another_version_or_a_crash_of_the_machine_left_is_thrown_away(
        self, index, open_index, folder, file
    ):
        """Clients do not make sure that what they wrote is on the disk."""
        await index.put([row(1)])
        await index.close()
        (folder / file).write_text("another")
        again = await open_index(dim=DIM)
        with pytest.raises(IndexMissingError):
            await again.ping()

    @pytest.mark.parametrize("what", ["a folder", "a file"])
    async def test_something_else_in_its_place_is_left_alone(self, open_index, folder, what):
        """The error says what to set."""
        mine = folder / "diary.txt" if what == "a folder" else folder
        mine.parent.mkdir(exist_ok=True)
        mine.write_bytes(b"SQLite format 3")
        with pytest.raises(StoreError, match=r"index\.uri"):
            await open_index(dim=DIM)
        assert mine.read_bytes() == b"SQLite format 3"
        assert [*folder.glob("*")] in ([], [mine])
