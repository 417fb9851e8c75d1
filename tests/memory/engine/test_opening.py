"""Opening the parts: all of them or none, and what a server goes on without."""

import asyncio
import stat
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from recollect.memory.database import DatabaseOptions, open_database
from recollect.memory.database.graph import SqlGraph
from recollect.memory.embedders import (
    FakeEmbedderOptions,
    LocalEmbedderOptions,
    open_embedder,
)
from recollect.memory.engine import opening
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.index import MilvusIndexOptions
from recollect.memory.language import from_packs, packs
from recollect.memory.memories import MemoryVectors
from recollect.memory.memories.script_runner import MemoryScripts
from recollect.memory.model.errors import (
    EmbeddingError,
    InvalidInputError,
    StateDamagedError,
    StateUnwritableError,
    StoreError,
    StoreMismatchError,
)
from recollect.memory.model.types import StoredMemory
from recollect.memory.state import RedisOptions
from recollect.memory.util import registry
from recollect.memory.util.locks import Ownership
from recollect.memory.util.registry import Registry
from recollect.proxy.commands.reindex import _reindex
from tests.memory.state.contracts.graph_samples import says, somebody
from tests.support.composing import ALICE, settings
from tests.support.composing import memory as said
from tests.support.folding import rows
from tests.support.memories import memories_in
from tests.support.postgres_server import empty_database
from tests.support.waiting import HANG_SECONDS, until

FAKE = FakeEmbedderOptions()


@pytest.fixture
async def opened():
    """Opens engines as a server does, and closes them in the end."""
    async with AsyncExitStack() as stack:

        async def open_with(chosen):
            return await stack.enter_async_context(Engine.open(chosen, serving=True))

        yield open_with


async def put(engine, item):
    [vector] = await engine.parts.embedder.embed([item.text])
    await engine.parts.store.put([StoredMemory(item, vector)])


async def recalled(engine, query):
    ranking = await engine.recaller.rank(ALICE, query, most=9)
    return [hit.item.text for hit in ranking.ranked]


async def test_the_parts_belong_together(opened, tmp_path):
    """What is written to the store is recalled, and no longer once it is changed or deleted.

    The folder is made if it is not there, and nobody else can look into it.
    """
    chosen = settings(tmp_path, database__url=None)
    engine = await opened(chosen)
    assert stat.S_IMODE(chosen.data_dir.stat().st_mode) == 0o700
    await put(engine, said("I like green tea"))
    assert await recalled(engine, "green tea") == ["I like green tea"]
    await put(engine, replace(said("I like green tea"), text="I like black tea"))
    assert await recalled(engine, "tea") == ["I like black tea"]
    await engine.parts.store.delete("local", ["I like green tea"])
    assert await recalled(engine, "tea") == []
    assert list(engine.registry.pings) == ["database", "index", "learning"]
    for ping in engine.registry.pings.values():
        await ping()
    assert engine.parts.state.refused == 0
    engine.parts.state.scripts.database.writes.refuse(StateUnwritableError("full"))
    assert engine.parts.state.refused == 1


async def test_no_graph_is_wanted(opened, tmp_path, caplog):
    """Then there is none, and nothing of it is left: what was forgotten would stay in it."""
    chosen = settings(tmp_path, database__url=None, graph__enabled=False)
    graph = SqlGraph(await open_database(chosen.database))
    await graph.link([says("m", "Anna")], [somebody("Anna")])
    await graph.scripts.close()
    engine = await opened(chosen)
    assert engine.parts.graph is None
    assert not any(b"Anna" in file.read_bytes() for file in chosen.data_dir.glob("recollect.db*"))
    assert "was removed" in caplog.text


async def test_thresholds(opened, tmp_path, caplog):
    """That nobody measured are guessed, and that is said; a damaged file is named, and no guess."""
    await opened(settings(tmp_path))
    assert any("recollect calibrate" in record.message for record in caplog.records)
    path = tmp_path / "calibration.json"
    path.write_text("{")
    with pytest.raises(InvalidInputError, match="calibration"):
        await opened(settings(tmp_path, recall__calibration=str(path)))


PACK = 'code = "{}"\nname = "Example"\nscript = "latin"\n[words]\nstop = "zzq"\n'


@pytest.mark.usefixtures("own_languages")
async def test_languages_of_ones_own(tmp_path):
    """Another engine of the process has the same ones; when all are closed, others can be used."""
    own, other = tmp_path / "own", tmp_path / "other"
    for folder, code in ((own, "xx"), (other, "yy")):
        folder.mkdir()
        (folder / f"{code}.toml").write_text(PACK.format(code), "utf-8")
    mine = settings(tmp_path, language__packs=str(own))
    async with Engine.open(mine), Engine.open(mine):
        assert packs()["xx"].words.stop == ("zzq",)
        for another in ({"language__packs": str(other)}, {}):
            with pytest.raises(InvalidInputError, match=r"^language\.packs: .*already uses.*own$"):
                await AsyncExitStack().enter_async_context(
                    Engine.open(settings(tmp_path, **another))
                )
    async with Engine.open(settings(tmp_path, language__packs=str(other))):
        assert set(packs()) >= {"yy", "en"}
        assert "xx" not in packs()
    async with Engine.open(settings(tmp_path)):
        assert "yy" not in packs()


@pytest.mark.usefixtures("own_languages")
async def test_bad_languages(tmp_path):
    """The setting, the file and the line are named, and nothing is opened."""
    for name, wrong in (("xx.toml", "xx.toml:6: [words] nonsense: "), ("absent", "no such folder")):
        (tmp_path / "xx.toml").write_text(PACK.format("xx") + "nonsense = 1\n", "utf-8")
        folder = tmp_path if name == "xx.toml" else tmp_path / name
        with pytest.raises(InvalidInputError) as error:
            async with Engine.open(settings(tmp_path, language__packs=str(folder))):
                pass
        assert str(error.value).startswith(f"language.packs: {tmp_path}/{name}:")
        assert wrong in str(error.value)
    assert "xx" not in packs()


async def test_no_request_waits_for_the_tables_of_languages(tmp_path):
    """They are built while the other parts are opened."""
    built = []

    @from_packs
    def table():
        built.append(1)

    async with Engine.open(settings(tmp_path)):
        assert built == [1]
        table()
        assert built == [1]


@rows(
    "part, setting, error",
    [
        ("embedder", "embedder.backend", EmbeddingError("no weights")),
        ("database", "database.url", StateDamagedError("torn")),
    ],
)
async def test_a_part_that_fails_is_named_with_its_setting(part, setting, error):
    """A second try works; what was opened before is closed by the registry."""
    options = EngineOptions(embedder=FAKE)

    async def fails(*_args, **_options):
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, f"open_{part}", fails)
        with pytest.raises(type(error)) as raised:
            await AsyncExitStack().enter_async_context(Engine.open(options))
    assert str(raised.value) == f"{part} ({setting}): {error.args[0]}"
    async with Engine.open(options):
        pass


async def test_options_that_contradict_each_other(tmp_path):
    """Nothing is opened or made; the error names one of the two and what was expected."""
    one = str(tmp_path / "one.db")
    database = DatabaseOptions.model_validate({"url": one})
    redis = RedisOptions.model_validate({"url": "redis://h"})
    for key, chosen in (
        ("index.uri", {"database": database, "index": MilvusIndexOptions(uri=one)}),
        ("redis.url", {"database": database, "redis": redis}),
    ):
        with pytest.raises(InvalidInputError) as raised:
            async with Engine.open(EngineOptions(embedder=FAKE, **chosen)):
                pytest.fail("it opened")
        assert raised.value.field == key
    assert not list(tmp_path.iterdir())


async def test_a_folder_in_use_is_told_before_anything_is_opened(tmp_path):
    """The library too: no model is loaded, no file is made."""
    chosen = EngineOptions(
        embedder=FAKE,
        database=DatabaseOptions(url=tmp_path / "recollect.db"),
    )
    owner = Ownership.claim(tmp_path / "recollect.db")
    async with AsyncExitStack() as stack:
        with pytest.raises(StoreError, match=r"memories \(database.url\): .* is in use by process"):
            await stack.enter_async_context(Engine.open(chosen))
    owner.release()
    assert [path.name for path in tmp_path.iterdir()] == ["recollect.db.lock"]


async def test_a_part_that_takes_long_is_named(monkeypatch, caplog):
    """A person knows what is waited for; a quick start says nothing."""
    caplog.set_level("INFO")
    monkeypatch.setattr(registry, "SLOW_SECONDS", HANG_SECONDS)
    async with Engine.open(EngineOptions(embedder=FAKE)):
        assert "waiting for" not in caplog.text
    monkeypatch.setattr(registry, "SLOW_SECONDS", 0.0)

    async def slow(options, **how):
        await until(lambda: "waiting for the database (database.url)" in caplog.text)
        return await open_database(options, **how)

    monkeypatch.setattr(opening, "open_database", slow)
    async with Engine.open(EngineOptions(embedder=FAKE)):
        pass


async def test_the_embedder_of_stored_memories_is_followed_on_a_server_too(
    postgres, tmp_path, monkeypatch
):
    """By whoever opens the embedder alone, such as `calibrate`; one that is away is no error."""
    monkeypatch.setattr("recollect.memory.embedders.local.weights.DEFAULT", "pair")
    async with empty_database(postgres) as url:
        chosen = settings(tmp_path, database__url=url, embedder__backend="local")
        assert (await opening.the_embedder(chosen)).model == opening.embedder_for(
            chosen, None
        ).model
        async with Registry() as parts:
            scripts = await opening.open_the_database(parts, chosen)
            await MemoryVectors(MemoryScripts(scripts)).claim(("all-MiniLM-L6-v2", 384))
        assert await opening.recorded(chosen) == ("all-MiniLM-L6-v2", 384)
        assert (await opening.the_embedder(chosen)).model == "minilm"
    away = settings(tmp_path, database__url="postgresql://127.0.0.1:1/d", embedder__backend="local")
    assert (await opening.the_embedder(away)).model == "pair"


STORED = "User keeps bees behind the station in Ely"


@pytest.fixture
def of_minilm(models_dir, tmp_path, monkeypatch):
    """Settings without a model, for a folder with MiniLM's vectors; a new one would have the pair's."""
    monkeypatch.setattr("recollect.memory.embedders.local.weights.DEFAULT", "pair")
    chosen = {"embedder__backend": "local", "embedder__model_dir": models_dir}
    found = settings(tmp_path, database__url=None, **chosen)

    async def fill():
        options = LocalEmbedderOptions(model="minilm", model_dir=models_dir)
        embedder = await open_embedder(options)
        [vector] = await embedder.embed([STORED])
        async with memories_in(found.database.file, embedder) as store:
            await store.put([StoredMemory(replace(said(STORED), embedder_id=embedder.id), vector)])
        await embedder.close()

    asyncio.run(fill())
    return found


async def served(chosen, *questions):
    """What serving finds, and the ids of its embedder and of its one memory."""
    async with Engine.open(chosen, serving=True) as engine:
        for question in questions:
            assert await recalled(engine, question) == [STORED]
        [kept] = await engine.parts.store.scan(after=None, limit=9)
        return engine.parts.embedder.id, kept.item.embedder_id, kept.vector.shape


@pytest.mark.process
def test_an_existing_store_goes_on_with_its_embedder(of_minilm, caplog):
    """It is recalled from as before, nothing is mixed, and the start says how to move, at what price.

    A configured model decides, and another than the store's is refused. After `reindex` the store
    is of both models, and nothing more is said about it.
    """
    caplog.set_level("INFO")
    old, new = "all-MiniLM-L6-v2", "all-MiniLM-L6-v2+use-multilingual-v3"
    found = asyncio.run(served(of_minilm, "Where are the bees?"))
    assert found == (old, old, (384,))
    [told] = [line for line in caplog.messages if "a new store has" in line]
    assert new in told
    assert "MB for each thousand" in told
    wanted = of_minilm.embedder.model_copy(update={"model": "use"})
    with pytest.raises(StoreMismatchError, match="recollect reindex"):
        asyncio.run(served(of_minilm.model_copy(update={"embedder": wanted})))
    caplog.clear()
    assert asyncio.run(_reindex(of_minilm, yes=True, rebuild=False, beside=False)) == 0
    found = asyncio.run(served(of_minilm, "Where are the bees?", "蜜蜂在哪里?"))
    assert found == (new, new, (896,))
    assert not [line for line in caplog.messages if "a new store has" in line]
