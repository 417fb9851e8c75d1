"""A configuration of mem0's library, in our options."""

import pytest

import recollect
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


@pytest.mark.parametrize(
    ("config", "options"),
    [
        ({}, {}),
        ({"version": "v1.1", "graph_store": None, "custom_instructions": ""}, {}),
        (
            {"llm": {"provider": "openai", "config": {"model": "m", "api_key": KEY, "temperature": 0.1,
             "openai_base_url": "http://x/v1", "max_tokens": 1500}}},
            {"llm": {"model": "m", "api_key": KEY, "base_url": "http://x/v1"},
             "learn": {"max_output_tokens": 1500}},
        ),
        ({"llm": {"config": {"model": "m"}}}, {"llm": {"model": "m"}}),
        (
            {"llm": {"provider": "ollama", "config": {"model": "qwen"}}},
            {"llm": {"model": "qwen", "base_url": "http://localhost:11434/v1"}},
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
             "store": {"backend": "milvus", "uri": "http://m:19530", "token": "t", "collection": "mine"}},
        ),
        (
            {"custom_fact_extraction_prompt": "Only pets.", "custom_update_memory_prompt": "Keep all."},
            {"learn": {"prompt": "Only pets.", "update_prompt": "Keep all."}},
        ),
    ],
)  # fmt: skip
def test_what_has_an_equivalent_is_read(config, options, monkeypatch):
    """Into options that the library takes."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert translated(config) == Translated(options)
    library_options(options, None)


def test_a_store_in_a_folder_names_the_folder(tmp_path):
    """If it is empty or ours; mem0's own data is not touched, and two folders are a contradiction."""
    store = {"provider": "qdrant", "config": {"path": str(tmp_path / "q"), "on_disk": True}}
    config = {"vector_store": store}
    assert options_for_mem0(config, None) == ({}, tmp_path / "q")
    with pytest.raises(ConfigError, match="beside path"):
        options_for_mem0(config, tmp_path)
    (tmp_path / "q" / "collection").mkdir(parents=True)
    with pytest.raises(ConfigError, match="has other data"):
        options_for_mem0(config, None)
    (tmp_path / "q" / "memories.db").mkdir()
    assert options_for_mem0(config, None)[1] == tmp_path / "q"


@rows("config, line", [
        ("llm", "config: expected a mapping"),
        ({"llms": {"provider": "openai"}}, "llms: has no equivalent here; did you mean llm?"),
        ({"recall": {"limit": 3}}, "recall: has no equivalent here; known: llm"),
        ({"graph_store": {"provider": "neo4j"}}, "graph_store: does not exist here"),
        ({"custom_prompts": {"fact": "x"}}, "custom_prompts: does not exist here; custom_fact_extraction_prompt is learn.prompt"),
        ({"reranker": {"provider": "cohere"}}, "reranker: does not exist here"),
        ({"history_db_path": "/tmp/h.db"}, "history_db_path: "),
        ({"custom_instructions": "x"}, "custom_instructions: does not exist here; custom_fact"),
        ({"llm": "openai"}, "llm: expected provider and config"),
        ({"llm": {"provider": "openai", "config": "x"}}, "llm.config: expected keys"),
        ({"llm": {"provider": "litellm"}}, "llm.provider: expected one of openai, ollama"),
        ({"llm": {"provider": "ollama"}}, "llm.config.model: expected"),
        ({"llm": {"providers": "x"}}, "llm.providers: has no equivalent here; did you mean llm.provider?"),
        (
            {"llm": {"config": {"openai_base": "x"}}},
            "llm.config.openai_base: has no equivalent here; did you mean llm.config.openai_base_url?",
        ),
        ({"llm": {"config": {"azure_kwargs": {"api_key": KEY}}}}, "llm.config.azure_kwargs: "),
        ({"embedder": {"provider": "huggingface"}}, "embedder.provider: expected one of openai"),
        ({"embedder": {"provider": "ollama", "config": {"model": "e"}}}, "embedder.config.embedding_dims: "),
        ({"vector_store": {"provider": "pinecone"}}, "vector_store.provider: expected one of milvus"),
        ({"vector_store": {"provider": "qdrant", "config": {"host": "h"}}}, "vector_store.config.host: "),
        ({"vector_store": {"provider": "milvus", "config": {"url": "./m.db"}}}, "vector_store.config.url: "),
    ])  # fmt: skip
def test_what_has_none_is_refused_by_name(config, line):
    """With the nearest key, and without a value, which may be a secret."""
    told = refused(config)
    assert told.startswith(line)
    assert KEY not in told


@rows("key, where", [
        ("vector_store", "store.backend"),
        ("graph_store", "graph.enabled"),
        ("custom_prompts", "learn.update_prompt"),
        ("custom_fact_extraction_prompt", "learn.prompt"),
        ("custom_update_memory_prompt", "learn.update_prompt"),
        ("custom_instructions", "learn.prompt"),
        ("history_db_path", "history.url"),
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
        if word.startswith(("store.", "learn.", "history.")):
            assert word.strip(".;") in ours


def test_every_problem_is_told():
    """One line for each key."""
    assert len(refused({"a": 1, "graph_store": {"x": 1}}).splitlines()) == 2


async def test_both_classes_are_made_of_it(monkeypatch, tmp_path):
    """As their constructors make them, in the folder and for the tenant that are named."""
    monkeypatch.setattr("recollect.memory.api.library.translated", lambda config: Translated(FAKE))
    async with await AsyncMemory.from_config({}, tenant="b") as memory:
        assert memory.tenant == "b"
        assert (await memory.add("tea", user_id="a", infer=False))["results"]

    def use():
        with Memory.from_config({}) as memory:
            return memory.add("tea", user_id="a", infer=False)["results"]

    assert use()


def test_the_version_is_known():
    """Where programs look for it."""
    assert recollect.__version__[0].isdigit()
    assert "__version__" in dir(recollect)
