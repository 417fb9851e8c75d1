"""Error handling: behaviours 36 to 38."""

import pytest

from recollect.memory import AsyncMemory, EmbeddingError, ExtractionError, ModelError, ScopeError
from tests.support.parts import engine_of
from tests.support.scripted import facts

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (500, "model_busy"),
        (401, "model_unauthorized"),
        (404, "model_not_found"),
        ("no facts, only words", "model_unreadable"),
    ],
)
async def test_36_llm_failure_is_graceful(world, failure, code):
    """Without a working model nothing is learned, the error says so, and nothing breaks."""
    world.extractor.replies = [failure]
    with pytest.raises((ModelError, ExtractionError)) as failed:
        await world.memory.add("My name is Bob", user_id="bob")
    assert failed.value.code == code
    assert await world.texts(user_id="bob") == []
    assert await world.add("User's name is Bob", user_id="bob")


async def test_37_partial_failure_continues(world, core, embedder):
    """If one of three facts cannot be embedded, the other two are learned."""

    class Chokes:
        """The real embedder, but for texts with one word."""

        id, dim, close = embedder.id, embedder.dim, embedder.close

        async def embed(self, texts):
            if any("poison" in text for text in texts):
                raise EmbeddingError("choked")
            return await embedder.embed(texts)

    model = world.memory._engine.model_of(world.memory.tenant)
    engine = engine_of(model, core.options, embedder=Chokes(), state=core.state)
    memory = AsyncMemory(engine, tenant=world.memory.tenant)
    world.extractor.replies = [facts("User likes tea", "User fears poison", "User owns a boat")]
    added = await memory.add("I like tea, fear poison and own a boat", user_id="alice")
    assert [event["new_memory"] for event in added["results"]] == [
        "User likes tea",
        "User owns a boat",
    ]
    assert await world.texts() == ["User likes tea", "User owns a boat"]


@pytest.mark.parametrize("method", ["add", "search", "get_all", "delete_all"])
async def test_38_invalid_scope_is_rejected(world, method):
    """An empty scope is refused, in words that say what to do."""
    arguments = ["tea"] if method in {"add", "search"} else []
    with pytest.raises(ScopeError) as caught:
        await getattr(world.memory, method)(*arguments)
    assert str(caught.value) == "At least one of user_id, agent_id, or run_id must be provided"
