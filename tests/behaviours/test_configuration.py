"""Custom configuration: behaviours 39 to 42."""

import pytest

from recollect.memory import AsyncMemory, MemoryOptions
from recollect.memory.database import DatabaseOptions
from recollect.memory.embedders import LocalEmbedderOptions
from recollect.memory.index import MilvusIndexOptions
from recollect.memory.llms import OpenAIChatOptions
from tests.support.postgres_server import empty_database
from tests.support.redis_server import SearchingRedis
from tests.support.scripted import ScriptedModel, facts

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_39_custom_extraction_prompt(world):
    """A prompt of one's own reaches the model in place of ours, and changes what is learned.

    Only the form of the answer is added to it.
    """

    def extract(body):
        only_pets = body["messages"][0]["content"].startswith("Only pets.\n")
        return facts("User has a cat") if only_pets else facts("User likes tea", "User has a cat")

    world.extractor.replies = [extract]
    said = "I drink tea with my cat"
    await world.memory.add(said, user_id="bob", prompt="Only pets.")
    await world.memory.add(said, user_id="alice")
    assert await world.texts(user_id="bob") == ["User has a cat"]
    assert await world.texts() == ["User has a cat", "User likes tea"]


@pytest.mark.parametrize("known", ["json_schema", "json_object", "text"])
async def test_40_openai_compatible_llm(world, known):
    """Any server of that protocol will do (Ollama, vLLM, …), whatever of JSON modes it knows."""
    order = ["json_schema", "json_object", "text"]

    def like_that_server(body):
        asked = body.get("response_format", {}).get("type", "text")
        return facts("User likes tea") if order.index(asked) >= order.index(known) else 400

    world.extractor.replies = [like_that_server]
    added = await world.memory.add("I like tea", user_id="alice")
    assert [event["new_memory"] for event in added["results"]] == ["User likes tea"]


async def test_41_milvus_as_vector_index(models_dir, tmp_path):
    """A memory opened on a database and an index in files still knows everything when opened again."""
    async with ScriptedModel(facts("User likes Python")) as extractor:
        options = MemoryOptions(
            index=MilvusIndexOptions(uri=str(tmp_path / "memories.index")),
            database=DatabaseOptions.model_validate({"url": tmp_path / "recollect.db"}),
            embedder=LocalEmbedderOptions(model_dir=models_dir),
            llm=OpenAIChatOptions(base_url=extractor.base_url),
        )
        async with await AsyncMemory.open(options) as memory:
            [event] = (await memory.add("I like Python", user_id="alice"))["results"]
        async with await AsyncMemory.open(options) as memory:
            found = (await memory.search("programming languages", user_id="alice"))["results"]
            assert [item["id"] for item in found] == [event["id"]]
            assert [row["event"] for row in await memory.history(event["id"])] == ["ADD"]


@pytest.mark.parametrize("backend", ["qdrant", "pgvector", "chroma", "faiss"])
async def test_41_other_vector_indexes(backend, models_dir, tmp_path, postgres):
    """Other vector databases can be chosen by name, and what they hold outlives the memory."""
    uri = str(tmp_path / "memories")
    if backend == "pgvector":
        async with empty_database(postgres) as uri:
            await _remembers({"backend": backend, "uri": uri}, models_dir, tmp_path)
    else:
        await _remembers({"backend": backend, "uri": uri}, models_dir, tmp_path)


@pytest.mark.process
async def test_41_redis_with_its_search(models_dir, tmp_path):
    """As a vector index, beside a database that has everything."""
    if (absent := SearchingRedis.absent()) is not None:
        pytest.skip(absent)
    with SearchingRedis(tmp_path / "redis") as server:
        await _remembers({"backend": "redis", "uri": server.url}, models_dir, tmp_path)


async def _remembers(index, models_dir, tmp_path):
    options = MemoryOptions.model_validate({
        "index": index,
        "database": {"url": str(tmp_path / "recollect.db")},
        "embedder": {"backend": "local", "model_dir": str(models_dir)},
    })  # fmt: skip
    async with await AsyncMemory.open(options) as memory:
        await memory.add("User likes Python", user_id="alice", infer=False)
        await memory.add("User has a boat", user_id="bob", infer=False)
    async with await AsyncMemory.open(options) as memory:
        found = (await memory.search("programming languages", user_id="alice"))["results"]
        assert [item["memory"] for item in found] == ["User likes Python"]
        await memory.delete_all(user_id="alice")
        assert (await memory.get_all(user_id="alice"))["results"] == []
        assert len((await memory.get_all(user_id="bob"))["results"]) == 1


async def test_42_default_configuration_works(models_dir, tmp_path, monkeypatch):
    """Without any configuration memories are kept in the process and OpenAI is the extractor."""
    (tmp_path / ".recollect").mkdir()
    (tmp_path / ".recollect" / "models").symlink_to(models_dir, target_is_directory=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    async with await AsyncMemory.open() as memory:
        await memory.add("User likes Python", user_id="alice", infer=False)
        found = (await memory.search("programming languages", user_id="alice"))["results"]
        assert [item["memory"] for item in found] == ["User likes Python"]
        model = await memory._engine._models("local", "")
        assert (model.options.model, model.options.base_url) == ("gpt-4o-mini", None)
    async with await AsyncMemory.open() as memory:
        assert (await memory.get_all(user_id="alice"))["results"] == []
