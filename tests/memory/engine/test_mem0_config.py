"""A configuration of mem0's library, in our options."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from recollect.memory import AsyncMemory, ConfigError, Memory, MemoryOptions
from recollect.memory.api.library import library_options, options_for_mem0
from recollect.memory.engine.mem0_config import Translated, translated
from recollect.memory.engine.option_errors import keys_of
from tests.support.folding import rows

KEY = "sk-hidden"
FAKE = {"embedder": {"backend": "fake"}}


def refused(config):
    with pytest.raises(ConfigError) as caught:
        translated(config)
    return str(caught.value)


@rows(
    "config, options",
    [
        ({}, {}),
        ({"version": "v1.1", "graph_store": None, "custom_instructions": ""}, {}),
        (
            {"llm": {"provider": "openai", "config": {"model": "m", "api_key": KEY, "temperature": 0.1,
             "openai_base_url": "http://x/v1", "max_tokens": 1500}}},
            {"llm": {"model": "m", "api_key": KEY, "base_url": "http://x/v1"},
             "learn": {"max_output_tokens": 1500}},
        ),
        (
            {"llm": {"provider": "ollama", "config": {"model": "qwen", "ollama_base_url": "http://h:1/"}}},
            {"llm": {"model": "qwen", "base_url": "http://h:1/v1"}},
        ),
        (
            {"llm": {"provider": "openai", "config": {"model": "m", "enable_vision": True}}},
            {"llm": {"model": "m"}, "learn": {"vision": {"model": "m"}}},
        ),
        (
            {"embedder": {"provider": "openai", "config": {"model": "e", "embedding_dims": 256}}},
            {"embedder": {"backend": "openai", "model": "e", "dim": 256}},
        ),
        (
            {"embedder": {"provider": "ollama", "config": {"model": "nomic-embed-text"}},
             "vector_store": {"provider": "milvus", "config": {"url": "http://m:19530", "token": "t",
                              "embedding_model_dims": 768, "collection_name": "mine"}}},
            {"embedder": {"backend": "openai", "model": "nomic-embed-text", "dim": 768,
                          "base_url": "http://localhost:11434/v1"},
             "index": {"backend": "milvus", "uri": "http://m:19530", "token": "t", "collection": "mine"}},
        ),
        (
            {"vector_store": {"provider": "qdrant", "config": {"host": "q", "port": 6333, "api_key": KEY},
                              "collection_name": "memories"}},
            {"index": {"backend": "qdrant", "uri": "http://q:6333", "token": KEY, "collection": "memories"}},
        ),
        (
            {"vector_store": {"provider": "milvus", "config": {"host": "::1", "port": "19531"}}},
            {"index": {"backend": "milvus", "uri": "http://[::1]:19531"}},
        ),
        (
            {"vector_store": {"provider": "pgvector", "config": {"host": "p", "user": "u", "password": "a/b@c",
                              "dbname": "d", "sslmode": "require", "maxconn": 4, "hnsw": True}}},
            {"index": {"backend": "pgvector", "uri": "postgresql://u:a%2Fb%40c@p:5432/d?sslmode=require"}},
        ),
        ({"vector_store": {"provider": "memory", "config": {}}}, {"index": {"backend": "exact"}}),
        (
            {"llm": {"provider": "google", "config": {"model": "gemini-2.5-flash", "api_key": KEY}},
             "embedder": {"provider": "google", "config": {"api_key": KEY}}},
            {"llm": {"provider": "gemini", "model": "gemini-2.5-flash", "api_key": KEY},
             "embedder": {"backend": "openai", "provider": "gemini", "api_key": KEY}},
        ),
        (
            {"llm": {"provider": "azure_openai", "config": {"model": "gpt", "base_url": "https://a.example/",
                     "api_key": KEY}},
             "embedder": {"provider": "azure_openai", "config": {"model": "e", "dimensions": 64, "azure_kwargs": {
                 "azure_endpoint": "https://a.example", "azure_deployment": "mine", "api_version": "x",
                 "api_key": KEY}}}},
            {"llm": {"provider": "azure", "model": "gpt", "base_url": "https://a.example/openai/v1",
                     "api_key": KEY},
             "embedder": {"backend": "openai", "provider": "azure", "model": "mine", "dim": 64,
                          "base_url": "https://a.example/openai/v1", "api_key": KEY}},
        ),
        (
            {"custom_prompts": {"fact_extraction": "Only pets.", "update_decision": "Keep all."}},
            {
                "learn": {
                    "templates": {
                        "default": {"prompt": "Only pets.", "update_prompt": "Keep all."}
                    }
                }
            },
        ),
        ({"history_db_path": ":memory:"}, {"database": {"url": ":memory:"}}),
        (
            {"history": {"db_path": "/nowhere/h.db"}},
            {"database": {"url": "/nowhere/h.db"}},
        ),
    ],
)  # fmt: skip
def test_what_has_an_equivalent_is_read(config, options, monkeypatch):
    """Into options that the library takes."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert translated(config) == Translated(options)
    library_options(options, None)


SEED = {
    "vector_store": {"provider": "qdrant", "config": {"host": "localhost", "port": 6333}},
    "llm": {"provider": "anthropic", "config": {"model": "claude-sonnet-4-20250514", "api_key": KEY}},
    "embedder": {"provider": "openai", "config": {"model": "text-embedding-3-small", "dimensions": 1536}},
    "graph_store": {"provider": "neo4j", "config": {"url": "bolt://localhost:7687", "username": "neo4j",
                                                    "password": KEY}},
    "history": {"db_path": "~/.memory/history.db"},
    "version": "v1.1",
}  # fmt: skip
"""The example that the fact API is documented with, and its history section."""


def test_the_documented_example_opens(monkeypatch, caplog):
    """Each part where it was asked for; that the graph is none of Neo4j's is told, without secrets."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    given, path = options_for_mem0(SEED, None)
    options = library_options(given, path)
    assert (options.index.backend, options.index.uri) == ("qdrant", "http://localhost:6333")
    assert options.llm.base_url == "https://api.anthropic.com/v1"
    assert (options.embedder.model, options.embedder.dim) == ("text-embedding-3-small", 1536)
    assert options.embedder.api_key.get_secret_value() == KEY
    assert options.database.file == Path.home() / ".memory" / "history.db"
    assert options.graph.enabled
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith("graph_store: neo4j is not used")
    assert KEY not in caplog.text


def test_memories_without_a_database_end_and_that_is_told(caplog):
    """A server of vectors keeps no memories; a folder, or a database, does."""
    given = {"vector_store": {"provider": "qdrant", "config": {"host": "q", "port": 1}}}
    options_for_mem0(given, None)
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith("vector_store is an index")
    assert "history_db_path" in line
    caplog.clear()
    options_for_mem0(given, "folder")
    options_for_mem0({**given, "history_db_path": "sqlite.db"}, None)
    options_for_mem0({"version": "v1.1"}, None)
    assert caplog.records == []


def test_places_that_the_environment_names(monkeypatch):
    """Where the configuration names none; a key of the environment goes nowhere else."""
    environ = {"QDRANT_HOST": "q", "QDRANT_PORT": "1", "QDRANT_API_KEY": KEY, "CHROMA_HOST": "c",
               "DATABASE_URL": "postgresql://p/d", "REDIS_URL": "redis://r"}  # fmt: skip

    def store(provider, **config):
        said = {"vector_store": {"provider": provider, "config": config}}
        return translated(said, environ).options["index"]

    assert store("qdrant") == {"backend": "qdrant", "uri": "http://q:1", "token": KEY}
    assert store("qdrant", host="h") == {"backend": "qdrant", "uri": "http://h:6333"}
    assert store("chroma") == {"backend": "chroma", "uri": "http://c:8000"}
    assert store("pgvector") == {"backend": "pgvector", "uri": "postgresql://p/d"}
    assert store("redis") == {"backend": "redis", "uri": "redis://r"}
    assert store("redis", redis_url="redis://o") == {"backend": "redis", "uri": "redis://o"}
    monkeypatch.setenv("QDRANT_HOST", "from-the-process")
    found, _ = options_for_mem0({"vector_store": {"provider": "qdrant"}}, None)
    assert found["index"]["uri"] == "http://from-the-process:6333"


@rows("kind", ["qdrant", "chroma", "faiss"])
def test_a_store_in_a_folder_is_the_index_there(kind, tmp_path):
    """Never another one in its place; the database is in the folder too, unless the history is not."""
    folder = tmp_path / kind
    config = {"vector_store": {"provider": kind, "config": {"path": str(folder)}}}
    options = library_options(*options_for_mem0(config, None))
    assert (options.index.backend, options.index.folder.parent) == (kind, folder)
    assert options.database.file == folder / "recollect.db"
    options.database.file.touch()
    config["history_db_path"] = str(tmp_path / "h.db")
    again = library_options(*options_for_mem0(config, None))
    assert again.index.folder == options.index.folder
    assert again.database.file == tmp_path / "h.db"


def test_folders_and_files_of_others_are_not_touched(tmp_path):
    """A folder is new, empty or ours, and named once; so is the file of a history."""
    store = {"provider": "qdrant", "config": {"path": str(tmp_path / "q"), "on_disk": True}}
    config = {"vector_store": store}
    assert options_for_mem0(config, None) == ({"index": {"backend": "qdrant"}}, tmp_path / "q")
    with pytest.raises(ConfigError, match="beside path"):
        options_for_mem0(config, tmp_path)
    (tmp_path / "q" / "collection").mkdir(parents=True)
    with pytest.raises(ConfigError, match="has other data"):
        options_for_mem0(config, None)
    (tmp_path / "q" / "recollect.db").touch()
    assert options_for_mem0(config, None)[1] == tmp_path / "q"
    with contextlib.closing(sqlite3.connect(tmp_path / "theirs.db")) as theirs:
        theirs.execute("CREATE TABLE history (id TEXT)")
    with pytest.raises(ConfigError, match="another program's file"):
        options_for_mem0({"history_db_path": str(tmp_path / "theirs.db")}, None)


@rows("config, line", [
        ("llm", "config: expected a mapping"),
        ({"llms": {"provider": "openai"}}, "llms: has no equivalent here; did you mean llm?"),
        ({"recall": {"limit": 3}}, "recall: has no equivalent here; known: llm"),
        ({"graph_store": {"provider": "dgraph"}}, "graph_store.provider: expected one of neo4j"),
        ({"graph_store": {"provider": "neo4j", "llm": {"provider": "openai"}}}, "graph_store.llm: "),
        ({"custom_prompts": {"fact": "x"}}, "custom_prompts.fact: has no equivalent here"),
        ({"reranker": {"provider": "cohere"}}, "reranker: does not exist here"),
        ({"custom_instructions": "x"}, "custom_instructions: does not exist here; custom_fact"),
        ({"llm": "openai"}, "llm: expected provider and config"),
        ({"llm": {"provider": "openai", "config": "x"}}, "llm.config: expected keys"),
        ({"llm": {"provider": "litellm"}}, "llm.provider: expected one of openai, ollama"),
        ({"llm": {"provider": "ollama"}}, "llm.config.model: expected"),
        (
            {"llm": {"config": {"openai_base": "x"}}},
            "llm.config.openai_base: has no equivalent here; did you mean llm.config.openai_base_url?",
        ),
        ({"llm": {"config": {"azure_kwargs": {"api_key": KEY}}}}, "llm.config.azure_kwargs: "),
        ({"embedder": {"provider": "huggingface"}}, "embedder.config.huggingface_base_url: expected"),
        ({"embedder": {"provider": "azure_openai", "config": {"model": "e"}}}, "embedder.config.embedding_dims: "),
        ({"llm": {"provider": "azure_openai", "config": {"model": "m", "azure_kwargs": {"default_headers": {"a": KEY}}}}},
         "llm.config.azure_kwargs.default_headers: "),
        ({"embedder": {"provider": "ollama", "config": {"model": "e"}}}, "embedder.config.embedding_dims: "),
        ({"vector_store": {"provider": "pinecone"}}, "vector_store.provider: expected one of memory, qdrant"),
        ({"vector_store": {"provider": "qdrant", "config": {"host": "h", "port": "x"}}}, "vector_store.config.port: "),
        ({"vector_store": {"provider": "qdrant", "config": {"host": "h", "path": "p"}}}, "vector_store.config: expected one of path"),
        ({"vector_store": {"provider": "qdrant", "config": {"grpc_port": 1, "host": "h"}}}, "vector_store.config.grpc_port: "),
        ({"vector_store": {"provider": "chroma"}}, "vector_store.config: expected one of path, host (or CHROMA_HOST)"),
        ({"vector_store": {"provider": "redis"}}, "vector_store.config: expected one of redis_url (or REDIS_URL)"),
        ({"vector_store": {"provider": "faiss"}}, "vector_store.config: expected one of path"),
        ({"vector_store": {"provider": "pgvector"}}, "vector_store.config.connection_string: expected"),
        ({"vector_store": {"provider": "pgvector", "config": {"schema": "s", "host": "h"}}}, "vector_store.config.schema: "),
        ({"vector_store": {"provider": "milvus", "config": {"url": "./m.db"}}}, "vector_store.config.url: "),
    ])  # fmt: skip
def test_what_has_none_is_refused_by_name(config, line):
    """With the nearest key, and without a value, which may be a secret."""
    told = refused(config)
    assert len(refused({"a": 1, "graph_store": {"x": 1}}).splitlines()) == 2
    assert told.startswith(line)
    assert KEY not in told


@rows("key, where", [
        ("vector_store", "index.backend"),
        ("graph_store", "graph.enabled"),
        ("custom_prompts", "learn.templates"),
        ("custom_fact_extraction_prompt", "learn.templates"),
        ("custom_update_memory_prompt", "learn.templates"),
        ("custom_instructions", "learn.templates"),
        ("history_db_path", "database.url"),
        ("reranker", "every search"),
    ])  # fmt: skip
def test_among_our_options_they_are_refused_with_where_the_same_is_set(key, where):
    """`Memory({"vector_store": ...})` is one line that names our key, which exists, and no value."""
    with pytest.raises(ConfigError) as found:
        library_options({key: {"provider": KEY}}, None)
    [line] = str(found.value).splitlines()
    assert line.startswith(f"{key}: unknown key")
    assert where in line
    assert KEY not in line
    ours = {*keys_of(MemoryOptions)}
    for word in line.replace("(", " ").replace(",", " ").replace(")", " ").split():
        if word.startswith(("store.", "learn.", "database.")):
            assert word.strip(".;") in ours


async def test_both_classes_are_made_of_it(monkeypatch, tmp_path):
    """As their constructors make them, in the folder and for the tenant that are named."""
    monkeypatch.setattr("recollect.memory.api.library.translated", lambda *_: Translated(FAKE))
    async with await AsyncMemory.from_config({}, tenant="b") as memory:
        assert memory.tenant == "b"
        assert (await memory.add("tea", user_id="a", infer=False))["results"]

    def use():
        with Memory.from_config({}) as memory:
            return memory.add("tea", user_id="a", infer=False)["results"]

    assert use()
