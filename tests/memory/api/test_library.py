"""What a program that opens a memory may leave out, and what it may get wrong."""

import stat
from pathlib import Path

import pytest

from recollect.memory import (
    AsyncMemory,
    ConfigError,
    Memory,
    MemoryOptions,
    ModelError,
    RecollectError,
)
from recollect.memory.api.library import library_model, library_options
from recollect.memory.llms import OpenAIChatOptions
from tests.memory.api.client_parts import keep, texts
from tests.support.composing import settings
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel, facts

FAKE = {"backend": "fake"}
KEY = "sk-of-the-environment"


def refused(given=None, path=None):
    with pytest.raises(ConfigError) as caught:
        library_options(given, path)
    return str(caught.value)


def test_is_as_good_as_the_model():
    """Nested plain values give the same options as their classes."""
    plain = {
        "recall": {"limit": 3},
        "learn": {"unconfirmed": "keep"},
        "retention": {"ttl_days": {"episodic": 30}},
        "embedder": FAKE,
        "llm": {"model": "m"},
    }
    assert library_options(plain, None) == library_options(
        MemoryOptions.model_validate(plain), None
    )
    assert library_options(plain, None).retention.ttl_days.episodic == 30
    assert library_options({}, None) == library_options(None, None)


def test_is_not_changed():
    """The caller's mapping stays what it was, in all its depth."""
    given = {"embedder": {"model": "minilm"}}
    library_options(given, None)
    assert given == {"embedder": {"model": "minilm"}}


def test_a_part_without_its_backend():
    """As in a file, a part that names no backend has its default one."""
    options = library_options({"embedder": {"model": "minilm"}, "index": {"uri": "/tmp/x"}}, None)
    assert options.embedder.backend == "local"
    assert options.index.backend == "milvus"


def test_an_error_shows_no_value():
    """What was given in the wrong place may be a secret."""
    assert "sk-hidden" not in refused({"llm": "sk-hidden", "api_key": "sk-hidden"})


@rows("given", ["memories", Path("memories"), 3, [], ("a", 1)])
def test_anything_else(given):
    """A folder in the place of the options is a likely mistake, and the error says so."""
    assert "`path`" in refused(given)


def test_holds_every_part(tmp_path):
    """Laid out as the proxy lays out its `data_dir`; the weights stay where they are."""
    theirs = settings(tmp_path, index__backend="milvus", database__url=None)  # fmt: skip
    ours = library_options(None, theirs.data_dir)
    assert (ours.index, ours.database) == (theirs.index, theirs.database)
    assert ours.recall.calibration == theirs.recall.calibration
    assert ours.embedder == MemoryOptions().embedder


@rows("kind", [str, Path])
def test_is_made_for_its_owner(tmp_path, kind):
    """With the folders above it."""
    library_options(None, kind(tmp_path / "a" / "b"))
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_is_found_from_home_and_from_here(tmp_path, monkeypatch):
    """A tilde is the home folder, a relative path belongs to the working folder of now."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert library_options(None, "~/m").database.file == tmp_path / "home/m/recollect.db"
    assert library_options(None, "m").database.file == tmp_path / "m/recollect.db"


def test_keeps_the_other_options(tmp_path):
    """Options of the parts in it that name no other place hold."""
    options = library_options(
        {
            "index": {"collection": "mine"},
            "database": {"synchronous": "full"},
            "recall": {"limit": 3},
        },
        tmp_path,
    )
    assert options.index.collection == "mine"
    assert options.index.folder == tmp_path / "index.milvus"
    assert (options.database.synchronous, options.recall.limit) == ("full", 3)


@rows("kind", ["qdrant", "chroma", "faiss"])
def test_another_kind_of_index_has_its_own_folder_in_it(tmp_path, kind):
    """An index that can be a folder is one in the folder that was named; others hold nothing."""
    options = library_options({"index": {"backend": kind}}, tmp_path)
    assert options.index.folder == tmp_path / f"index.{kind}"
    server = library_options({"index": {"uri": "http://milvus:19530"}}, tmp_path)
    assert server.database.file == tmp_path / "recollect.db"


@rows(
    "given, key",
    [
        ({"database": {"url": ":memory:"}}, "database.url"),
        ({"database": {"url": "postgresql://x/d"}}, "database.url"),
        ({"database": {"url": "/elsewhere.db"}}, "database.url"),
    ],
)
def test_contradicts_another_place(tmp_path, given, key):
    """Whoever names two places is told, and nothing is made."""
    text = refused(given, tmp_path / "m")
    assert text.startswith(f"{key}: contradicts path")
    assert not (tmp_path / "m").exists()


def test_that_cannot_be(tmp_path):
    """A file, a folder below a file, no text: the error names `path`."""
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below", "", 3, b"x"):
        assert refused(None, path).startswith("path: ")


@pytest.mark.process
async def test_survives(tmp_path):
    """What was kept, and its history, are there when the folder is opened again."""
    async with await AsyncMemory.open({"embedder": FAKE}, path=tmp_path / "m") as memory:
        [name] = await keep(memory, "tea")
    async with await AsyncMemory.open({"embedder": FAKE}, path=tmp_path / "m") as memory:
        assert await texts(memory) == ["tea"]
        assert [row["event"] for row in await memory.history(name)] == ["ADD"]


@pytest.fixture
def environment(monkeypatch):
    """A key and an address that no test may call."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://named.invalid/v1")


@pytest.mark.usefixtures("environment")
@rows("section", ["llm", "learn.llm", "learn.vision", "embedder"])
def test_completes_each_server(section):
    """Extraction, pictures and embeddings: what the options leave out."""
    given = {"embedder": {"backend": "openai"}, "learn": {"llm": {}, "vision": {}}}
    found = library_options(given, None)
    for name in section.split("."):
        found = getattr(found, name)
    assert (found.base_url, found.api_key.get_secret_value()) == (
        "http://named.invalid/v1",
        KEY,
    )


@pytest.mark.usefixtures("environment")
def test_leaves_explicit_options():
    """Another server of one's own gets no key of the environment."""
    llm = OpenAIChatOptions(base_url="http://own.invalid/v1")
    assert library_options(MemoryOptions(llm=llm), None).llm == llm


@rows("section", ["llm", "learn.llm"])
async def test_without_a_key(section):
    """The error names the setting of the model that is asked, and the variable."""
    learn = {"llm": {}} if section == "learn.llm" else {}
    options = library_options({"learn": learn}, None)
    model = library_model(options)
    with pytest.raises(ConfigError) as caught:
        await model("local")
    assert str(caught.value).startswith(f"{section}.api_key: ")
    assert "OPENAI_API_KEY" in str(caught.value)
    await model.close()


def test_an_embedder_without_a_key():
    """Nothing works without it, so opening is refused at once."""
    assert refused({"embedder": {"backend": "openai"}}).startswith("embedder.api_key: ")


@rows("section", ["llm", "learn"])
async def test_is_asked_in_its_own_words(section, monkeypatch):
    """The environment's address and key, and the word that keeps a Recollect there out of it."""
    async with ScriptedModel(facts("User likes tea")) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        own = {"model": "own"}
        given = {"embedder": FAKE, section: own if section == "llm" else {"llm": own}}
        async with await AsyncMemory.open(given) as memory:
            added = await memory.add("I like tea", user_id="alice")
        assert [event["event"] for event in added["results"]] == ["ADD"]
        assert server.requests[0]["model"] == "own"
        assert {each["authorization"] for each in server.headers} == {f"Bearer {KEY}"}
        assert {each["x-recollect-memory"] for each in server.headers} == {"off"}


async def test_add_raises():
    """Where the model is first needed, with what to set; nothing is stored."""
    async with await AsyncMemory.open({"embedder": FAKE}) as memory:
        for _ in range(2):
            with pytest.raises(ConfigError, match=r"^llm\.api_key: .*OPENAI_API_KEY"):
                await memory.add("I like tea", user_id="alice")
        assert await texts(memory) == []


@rows(
    "status, named",
    [
        (401, "llm.api_key (or OPENAI_API_KEY)"),
        (404, "llm.base_url (or OPENAI_BASE_URL) and llm.model"),
    ],
)
async def test_a_server_that_refuses(status, named):
    """A wrong key or model is found by asking: the error says which setting to look at."""
    async with ScriptedModel(status) as server:
        llm = {"base_url": server.base_url, "api_key": "sk-wrong"}
        async with await AsyncMemory.open({"embedder": FAKE, "llm": llm}) as memory:
            with pytest.raises(ModelError) as failed:
                await memory.add("I like tea", user_id="alice")
    assert named in str(failed.value)
    assert "sk-wrong" not in str(failed.value)


def test_weights_that_are_missing(tmp_path):
    """The error names the setting, the folder and the command that fetches them."""
    with pytest.raises(RecollectError, match=r"embedder\.model_dir.*recollect models fetch"):
        Memory({"embedder": {"model_dir": tmp_path}})
