"""The library as a program uses it: a folder, a server of models, and `infer=True`.

Everything is real but the model's knowledge: the wire, the local embedder, Milvus Lite and SQLite.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from recollect.memory import AsyncMemory, ExtractionError, Memory, ModelError
from tests.support.budget import FACTOR, WHOLE
from tests.support.scripted import ScriptedModel, facts

KEY = "sk-of-the-environment"
MOVED = "User moved to San Francisco"


class Blocking:
    """A `Memory` under the methods of `AsyncMemory`: each call blocks a thread of its own."""

    def __init__(self, memory):
        self._memory = memory

    def __getattr__(self, name):
        method = getattr(self._memory, name)

        async def call(*args, **kwargs):
            return await asyncio.to_thread(method, *args, **kwargs)

        return call


@pytest.fixture(params=["async", "sync"])
def kind(request):
    """Both classes."""
    return request.param


@pytest.fixture
async def extractor(monkeypatch):
    """A scripted server, which the environment names as programs name OpenAI's."""
    async with ScriptedModel() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server


@pytest.fixture
async def opened(kind, models_dir):
    """Opens memories in folders; closes them in the end."""
    memories = []

    async def open_at(path=None, *, meaning=False, **options):
        real = {"embedder": {"model_dir": str(models_dir)}}
        given = {**(real if meaning else {"embedder": {"backend": "fake"}}), **options}
        if kind == "async":
            memories.append(await AsyncMemory.open(given, path=path))
        else:
            memories.append(Blocking(await asyncio.to_thread(Memory, given, path=path)))
        return memories[-1]

    yield open_at
    for memory in memories:
        await memory.close()


async def texts(memory, user="alice"):
    found = await memory.get_all(user_id=user)
    return sorted(item["memory"] for item in found["results"])


async def test_a_fact_is_learned_found_and_kept(opened, extractor, tmp_path):
    """Told in one program, found in another one that opens the same folder."""
    extractor.replies = [facts("User likes Python")]
    memory = await opened(tmp_path / "m", meaning=True)
    [event] = (await memory.add("I like Python", user_id="alice"))["results"]
    assert (event["event"], event["new_memory"]) == ("ADD", "User likes Python")
    await memory.close()
    again = await opened(tmp_path / "m", meaning=True)
    [hit] = (await again.search("programming languages", user_id="alice"))["results"]
    assert (hit["id"], hit["memory"]) == (event["id"], "User likes Python")
    [row] = await again.history(event["id"])
    assert row["event"] == "ADD"


async def test_a_model_that_fails_is_told(opened, extractor):
    """An error names the setting, nothing is stored, and the next call learns."""
    extractor.replies = [401]
    memory = await opened()
    with pytest.raises(ModelError, match=r"llm\.api_key"):
        await memory.add("I like Python", user_id="alice")
    assert await texts(memory) == []
    extractor.replies = [facts("User likes Python")]
    assert (await memory.add("I like Python", user_id="alice"))["results"]
    assert await texts(memory) == ["User likes Python"]


async def test_a_secret_reaches_neither_the_model_nor_the_folder(opened, extractor, tmp_path):
    """What is removed from turns is removed here as well, before the first call."""
    extractor.replies = [facts("User likes Python")]
    secret = "sk-" + "Ab3dEf7hIj" * 4
    memory = await opened(tmp_path / "m")
    await memory.add(f"I like Python, my key is {secret}", user_id="alice")
    await memory.close()
    assert secret not in extractor.said()
    kept = b"".join(p.read_bytes() for p in (tmp_path / "m").rglob("*") if p.is_file())
    assert secret.encode() not in kept


@pytest.mark.process
async def test_the_readmes_program(extractor, models_dir, tmp_path, monkeypatch, capsys):
    """Pasted as it stands: the variables of the environment, the default weights, a folder here."""
    page = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    program = page.partition("## As a library")[2].partition("```python\n")[2].partition("```")[0]
    (tmp_path / ".recollect").mkdir()
    (tmp_path / ".recollect" / "models").symlink_to(models_dir, target_is_directory=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    extractor.replies = [facts("User prefers tea")]
    await asyncio.to_thread(exec, compile(program, "README.md", "exec"), {})
    assert "User prefers tea" in capsys.readouterr().out
    assert extractor.headers[0]["authorization"] == f"Bearer {KEY}"
    assert (tmp_path / "memories" / "recollect.db").is_file()


@pytest.mark.process
@pytest.mark.skipif(FACTOR < WHOLE, reason="a minute of a small machine: `make soak`")
async def test_a_real_server_of_models(llama):
    """A model server nobody here wrote, without a key: it answers, or cannot be read.

    The model is far too small to extract facts; what is tested is the conversation with it. That it
    takes our schemas is shown by tests/e2e/test_real_model.py.
    """
    llm = {"base_url": llama.base_url, "model": "smollm2", "timeout_seconds": 900}
    learn = {"max_output_tokens": 100}
    given = {"embedder": {"backend": "fake"}, "llm": llm, "learn": learn}
    async with await AsyncMemory.open(given) as memory:
        said = "My name is Ada and I prefer tea"
        try:
            added = await memory.add(said, user_id="alice", timeout=900)
        except ExtractionError:
            added = {"results": []}
        assert len(await texts(memory)) <= len(added["results"])
