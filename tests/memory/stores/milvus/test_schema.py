"""The columns hold what the types allow, and rows go where they are looked for."""

from __future__ import annotations

from recollect.memory.stores.milvus import schema
from recollect.memory.stores.milvus.dialect import dialect_of

LITE, SERVER = dialect_of("milvus_lite-3.2.2"), dialect_of("v2.4.0")


def fields(dialect, **options):
    made = schema.collection_schema(dialect, 384, **options)
    return {field.name: field for field in made.fields}


def test_server_partitions_by_key():
    """The scope's partition is the partition key there; Milvus Lite gets named partitions."""
    assert fields(SERVER)["partition"].is_partition_key
    assert not fields(LITE)["partition"].is_partition_key
    assert {"dim": 384}.items() <= fields(SERVER)["vector"].params.items()


def test_keyword_search_adds_its_columns():
    """With it there are the terms and what is computed from them, which Milvus itself fills in."""
    made = schema.collection_schema(SERVER, 384, keywords=True)
    made.verify()
    added = set(fields(SERVER, keywords=True)) - set(fields(SERVER))
    assert added == {schema.KEYWORDS, schema.KEYWORD_VECTOR}
    [function] = made.functions
    assert function.input_field_names == [schema.KEYWORDS]
    assert function.output_field_names == [schema.KEYWORD_VECTOR]
    [index] = schema.index_params(schema.KEYWORD_VECTOR)
    assert index.get_index_configs()["metric_type"] == "BM25"


def test_partitions_are_stable():
    """Where a user's rows lie must never change: they would not be found again."""
    names = [schema.lite_partition(f"local/user{n}") for n in range(200)]
    assert set(names) == set(schema.lite_partitions())
    assert names[:4] == ["users_6", "users_0", "users_2", "users_4"]


def test_index_is_hnsw_over_cosine():
    """With the build parameters of the design, and a search at least as wide as its limit."""
    [index] = schema.index_params("vector")
    configs = index.get_index_configs()
    assert (configs["index_type"], configs["metric_type"]) == ("HNSW", "COSINE")
    assert schema.search_params(SERVER, 500)["params"]["ef"] == 500
    assert schema.search_params(SERVER, 5)["params"]["ef"] == 64
    assert "params" not in schema.search_params(LITE, 5)
