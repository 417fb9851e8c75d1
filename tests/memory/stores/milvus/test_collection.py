"""A collection is made once for its embedder, read in columns and pages, and replaced step by step."""

from __future__ import annotations

import itertools
import re
import urllib.request
import uuid
from pathlib import Path

import pytest
from pydantic import ValidationError
from pymilvus.grpc_gen import milvus_pb2, schema_pb2

from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import Scope
from recollect.memory.query import EVERYTHING, parse
from recollect.memory.stores.milvus import schema
from recollect.memory.stores.milvus.collection import check_identity
from recollect.memory.stores.milvus.columns import to_columns
from recollect.memory.stores.milvus.connection import Connection
from recollect.memory.stores.milvus.dialect import dialect_of
from recollect.memory.stores.milvus.options import MilvusStoreOptions, endpoint
from recollect.memory.stores.milvus.replacing import (
    DropCollection,
    RenameCollection,
    begin,
    unfinished,
)
from recollect.memory.stores.milvus.schema import lite_partitions
from tests.memory.stores.contract import memory, vector, words
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS, until

ALICE = Scope(tenant="t", user_id="alice")


@pytest.fixture
def collection():
    """A name of the test's own: others use the servers at the same time."""
    return f"c{uuid.uuid4().hex}"


def described(**changes):
    return {
        "collection_name": "memories",
        "properties": {"recollect.embedder": "minilm@384"},
        "fields": [{"name": "vector", "params": {"dim": 384}}],
    } | changes


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
    """The error names the collection, what was found and what was expected; the right one is taken."""
    check_identity(described(), "minilm@384")
    with pytest.raises(StoreError, match=message) as refusal:
        check_identity(described(**changes), "minilm@384")
    assert "memories" in str(refusal.value)


async def test_interrupted_creation_is_finished(open_at, lite_address, collection):
    """Partitions that an earlier start did not get to are made by the next one."""
    first = await open_at(lite_address, collection)
    name = lite_partitions()[-1]
    await first._connection.call("drop_partition", partition_name=name)
    second = await open_at(lite_address, collection)
    assert name in await second._connection.call("list_partitions")


async def test_creation_race_is_won_by_one(open_at, lite_address, collection, monkeypatch):
    """A replica that finds the collection made meanwhile goes on with it."""
    await open_at(lite_address, collection)
    call = Connection.call
    asked = []

    async def blind_at_first(self, method, **arguments):
        if method == "has_collection" and not asked:
            asked.append(method)
            return False
        return await call(self, method, **arguments)

    monkeypatch.setattr(Connection, "call", blind_at_first)
    await (await open_at(lite_address, collection)).ping()


async def test_collection_with_terms_can_be_opened_without(open_at, lite_address, collection):
    """Who has no analyzer reads and writes as usual, and does not claim the power."""
    first = await open_at(lite_address, collection, terms=words)
    await first.put([memory(ALICE)])
    second = await open_at(lite_address, collection)
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

    async def test_a_collection_keeps_its_number(self, open_at, server_address, collection, caplog):
        """It is fixed when it is created; another one in the options is said, and changes nothing."""
        await open_at(server_address, collection, partitions=4)
        assert "partitions" not in caplog.text
        await open_at(server_address, collection, partitions=8)
        assert "has 4 partitions, not 8" in caplog.text


ALICE = Scope(tenant="t", user_id="alice")


def texts(name, *values):
    field = schema_pb2.FieldData(field_name=name, type=21)
    field.scalars.string_data.data.extend(values)
    return field


@rows(
    "message",
    [
        milvus_pb2.QueryResults(),
        milvus_pb2.QueryResults(fields_data=[texts("id")]),
        milvus_pb2.QueryResults(
            fields_data=[schema_pb2.FieldData(field_name="id", type=21, scalars={})]
        ),
    ],
)
def test_nothing_found_is_no_rows(message):
    """Servers tell nothing in several ways."""
    columns = to_columns(message)
    assert len(columns) == 0
    assert list(columns.rows()) == []


async def test_refusal_is_a_store_error(open_at, lite_address):
    """What Milvus says is wrong is passed on, as with any other call."""
    store = await open_at(lite_address)
    await store.put([memory(ALICE)])
    with pytest.raises(StoreError, match=r"query failed: .*nonsense"):
        await store._connection.columns(filter="nonsense == 1", output_fields=["id"])


LITE, SERVER = dialect_of("milvus_lite-3.2.2"), dialect_of("v2.4.0")


def test_partitions_are_stable():
    """Where a user's rows lie must never change: they would not be found again."""
    names = [schema.lite_partition(f"local/user{n}") for n in range(200)]
    assert set(names) == set(schema.lite_partitions())
    assert names[:4] == ["users_6", "users_0", "users_2", "users_4"]


OLD, NEW = "what was there", "what takes its place"


def done(step, collections):
    """The collections, by name, after a step."""
    after = dict(collections)
    match step:
        case RenameCollection(old, new):
            assert new not in after
            after[new] = after.pop(old)
        case DropCollection(name):
            del after[name]
    return after


def test_replacement_ends_with_the_new_one_alone():
    """Step by step the new takes the old one's name, and the old is removed last."""
    collections = {"m": OLD, "m__reindex": NEW, "other": "x"}
    step = begin("m")
    while step:
        collections = done(step, collections)
        assert NEW in collections.values()
        step = unfinished("m", collections)
    assert collections == {"m": NEW, "other": "x"}


@rows("existing", [set(), {"m"}, {"m", "m__reindex"}, {"m__reindex"}])
def test_what_was_not_begun_is_not_finished(existing):
    """A place that is still being filled is left alone, and takes nobody's place by itself."""
    assert unfinished("m", existing) is None


def test_replacement_by_nothing_is_undone():
    """If the new one is not there the old one gets its name back."""
    assert unfinished("m", {"m__replaced"}) == RenameCollection("m__replaced", "m")


def test_what_cannot_be_told_apart_is_an_error():
    """A third collection in the middle of it is for a person to look at; the error names all."""
    with pytest.raises(StoreError, match=r"m__reindex.*m__replaced"):
        unfinished("m", {"m", "m__reindex", "m__replaced"})


def test_no_step_touches_another_name():
    """Whatever exists, only the three names of this collection are renamed or dropped."""
    names = ["m", "m__reindex", "m__replaced", "mm", "m__"]
    for size in range(len(names) + 1):
        for existing in itertools.combinations(names, size):
            if {"m", "m__reindex", "m__replaced"} <= set(existing):
                continue
            step = unfinished("m", existing)
            touched = {step.old, step.new} if isinstance(step, RenameCollection) else set()
            touched |= {step.name} if isinstance(step, DropCollection) else set()
            assert touched <= {"m", "m__reindex", "m__replaced"}


@rows(
    "uri, meaning",
    [
        ("http://milvus:19530", "http://milvus:19530"),
        ("HTTPS://in01.example.com", "HTTPS://in01.example.com"),
        ("tcp://10.0.0.1:19530", "tcp://10.0.0.1:19530"),
        ("milvus.svc.cluster.local:19530", "http://milvus.svc.cluster.local:19530"),
        ("[::1]:19530", "http://[::1]:19530"),
        ("memories.db", Path("memories.db")),
        ("/data/memories.db", Path("/data/memories.db")),
        ("./a:b/memories.db", Path("a:b/memories.db")),
    ],
)
def test_uri_is_a_server_or_a_folder(uri, meaning):
    """Addresses are servers, everything else is a path."""
    assert endpoint(uri) == meaning


@rows("uri", [None, "", "  "])
def test_no_uri_is_refused(uri):
    """Without one there is nothing to open."""
    with pytest.raises(InvalidInputError, match=r"store\.uri"):
        endpoint(uri)


@rows(
    "bad",
    [
        {"collection": "no-dashes"},
        {"timeout_seconds": 0},
        {"unknown": 1},
    ],
)
def test_bad_settings_are_named(bad):
    """A value out of range, or an unknown key, is refused by its name."""
    with pytest.raises(ValidationError, match=next(iter(bad))):
        MilvusStoreOptions(**bad)


def test_token_is_not_shown():
    """A credential does not end up in a log by accident."""
    assert "geheim" not in repr(MilvusStoreOptions(token="geheim"))
