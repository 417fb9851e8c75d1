"""A collection is made once, and only used for what it was made for."""

from __future__ import annotations

import re
import urllib.request

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.query import EVERYTHING, parse
from recollect.memory.stores.milvus.collection import check_identity
from recollect.memory.stores.milvus.connection import Connection, ServerEndpoint
from recollect.memory.stores.milvus.schema import lite_partitions
from tests.memory.stores.contract import memory, vector, words
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS, until

ALICE = Scope(tenant="t", user_id="alice")


def described(**changes):
    return {
        "collection_name": "memories",
        "properties": {"recollect.embedder": "minilm@384"},
        "fields": [{"name": "vector", "params": {"dim": 384}}],
    } | changes


def test_right_collection_is_accepted():
    """The same embedder with the same dimensions."""
    check_identity(described(), "minilm@384")


@rows(
    "changes, message",
    [
        ({"properties": {"recollect.embedder": "other@384"}}, "other@384.*minilm@384.*reindex"),
        ({"fields": [{"name": "vector", "params": {"dim": 3}}]}, "minilm@3,.*minilm@384"),
        ({"properties": {}}, "not one of Recollect's"),
        ({"fields": []}, "not one of Recollect's"),
    ],
)
def test_wrong_collection_is_refused(changes, message):
    """The error names the collection, what was found and what was expected."""
    with pytest.raises(StoreError, match=message) as refusal:
        check_identity(described(**changes), "minilm@384")
    assert "memories" in str(refusal.value)


async def test_collection_is_found_again(open_at, lite_address):
    """A second opening finds what the first one kept."""
    first = await open_at(lite_address, "again")
    await first.put([memory(ALICE)])
    second = await open_at(lite_address, "again")
    assert len(await second.list(ALICE, limit=None)) == 1


async def test_other_embedder_is_refused(open_at, lite_address):
    """Vectors of two models never get into one collection, even with the same length."""
    await open_at(lite_address, "embedders", embedder_id="first")
    with pytest.raises(StoreError, match=r"embedders.*first@8.*second@8"):
        await open_at(lite_address, "embedders", embedder_id="second")
    with pytest.raises(StoreError, match=r"first@8.*first@9"):
        await open_at(lite_address, "embedders", embedder_id="first", dim=9)


@pytest.mark.server
async def test_other_embedder_is_refused_by_a_server(open_at, server_address):
    """The record of the embedder is kept there too."""
    await open_at(server_address, "embedders", embedder_id="first", partitions=4)
    with pytest.raises(StoreError, match=r"embedders.*first@8.*second@8"):
        await open_at(server_address, "embedders", embedder_id="second")


async def test_interrupted_creation_is_finished(open_at, lite_address):
    """Partitions that an earlier start did not get to are made by the next one."""
    first = await open_at(lite_address, "interrupted")
    name = lite_partitions()[-1]
    await first._connection.call("drop_partition", partition_name=name)
    second = await open_at(lite_address, "interrupted")
    assert name in await second._connection.call("list_partitions")


async def test_creation_race_is_won_by_one(open_at, lite_address, monkeypatch):
    """A replica that finds the collection made meanwhile goes on with it."""
    await open_at(lite_address, "race")
    call = Connection.call
    asked = []

    async def blind_at_first(self, method, **arguments):
        if method == "has_collection" and not asked:
            asked.append(method)
            return False
        return await call(self, method, **arguments)

    monkeypatch.setattr(Connection, "call", blind_at_first)
    await (await open_at(lite_address, "race")).ping()


async def test_creation_that_fails_is_an_error(lite_address, open_at, monkeypatch):
    """If nobody made it, the refusal is passed on."""
    call = Connection.call

    async def no_room(self, method, **arguments):
        if method == "create_collection":
            raise StoreError("no room")
        return await call(self, method, **arguments)

    monkeypatch.setattr(Connection, "call", no_room)
    with pytest.raises(StoreError, match="no room"):
        await open_at(lite_address, "refused")
    monkeypatch.undo()
    connection = Connection(ServerEndpoint(lite_address), collection="x", timeout_seconds=5)
    assert "refused" not in await connection.raw_call("list_collections")
    await connection.close()


async def test_collection_without_terms_goes_on_without(open_at, lite_address, caplog):
    """One made before keyword search works as it did; the log says once what would add it."""
    first = await open_at(lite_address, "before")
    await first.put([memory(ALICE)])
    second = await open_at(lite_address, "before", terms=words)
    assert not second.keywords
    await second.put([memory(ALICE)])
    assert len(await second.list(ALICE, limit=None)) == 2
    assert caplog.text.count("recollect reindex") == 1


async def test_collection_with_terms_can_be_opened_without(open_at, lite_address):
    """Who has no analyzer reads and writes as usual, and does not claim the power."""
    first = await open_at(lite_address, "after", terms=words)
    await first.put([memory(ALICE)])
    second = await open_at(lite_address, "after")
    assert not second.keywords
    await second.put([memory(ALICE)])
    assert len(await second.list(ALICE, limit=None)) == 2
    assert len(await first.search_keywords(ALICE, ["tea"], limit=9)) == 1


async def test_server_that_cannot_after_all_keeps_the_memory(
    open_at, lite_address, monkeypatch, caplog
):
    """If it refuses the columns of keyword search, the collection is made without them."""
    call = Connection.call

    async def picky(self, method, **arguments):
        if method == "create_collection" and arguments["schema"].functions:
            raise StoreError("no such function")
        return await call(self, method, **arguments)

    monkeypatch.setattr(Connection, "call", picky)
    store = await open_at(lite_address, terms=words)
    assert not store.keywords
    assert "no such function" in caplog.text
    await store.put([memory(ALICE)])


@pytest.mark.server
class TestPartitionsOnServer:
    """A server keeps users in partitions, and reads only one for a user."""

    SEGMENTS = re.compile(r"^milvus_querynode_sq_segment_latency_count\S* (\d+)", re.MULTILINE)

    def segments_read(self, metrics):
        """How many segments were searched or queried since it started."""
        with urllib.request.urlopen(metrics, timeout=HANG_SECONDS) as answer:
            return sum(int(float(one)) for one in self.SEGMENTS.findall(answer.read().decode()))

    async def test_a_user_is_searched_in_one_partition(
        self, open_at, server_address, milvus_metrics
    ):
        """Whatever else the filter says; without a user every partition with rows is read.

        Other tests may search at the same time: the fewest of some tries are its own.
        """
        store = await open_at(server_address, partitions=8)
        await store.put([
            memory(Scope(tenant="t", user_id=f"u{n}"), metadata={"tag": "a"}) for n in range(40)
        ])  # fmt: skip
        user, everybody = Scope(tenant="t", user_id="u3"), Scope(tenant="t", run_id="r")
        where = parse({"OR": [{"tag": "a"}, {"importance": {"gt": 2}}]})
        assert await store.count(user, fresh=True) == 1

        async def read(scope, how):
            before = self.segments_read(milvus_metrics)
            await store.search(scope, vector(1.0), limit=5, where=how)
            return self.segments_read(milvus_metrics) - before

        async def once(how):
            return await read(user, how) == 1

        await until(lambda: once(EVERYTHING), "a search in one partition")
        await until(lambda: once(where), "a search with a filter in one partition")
        assert min([await read(everybody, EVERYTHING) for _ in range(5)]) > 4

    async def test_a_collection_keeps_its_number(self, open_at, server_address, caplog):
        """It is fixed when it is created; another one in the options is said, and changes nothing."""
        await open_at(server_address, "numbered", partitions=4)
        assert "partitions" not in caplog.text
        await open_at(server_address, "numbered", partitions=8)
        assert "has 4 partitions, not 8" in caplog.text
