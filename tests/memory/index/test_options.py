"""Options of the indexes: where each of them is."""

import pytest
from pydantic import TypeAdapter, ValidationError

from recollect.memory.index import IndexOptions, open_index
from recollect.memory.index import opening as module
from recollect.memory.model.errors import InvalidInputError, StoreError
from tests.support.ports import free_port

OPTIONS = TypeAdapter(IndexOptions)


def chosen(backend, **said):
    return OPTIONS.validate_python({"backend": backend, **said})


@pytest.mark.parametrize("backend", ["milvus", "qdrant", "chroma", "faiss"])
def test_a_folder_in_the_data_dir_is_the_default(backend, tmp_path):
    """And a named place stays what it is."""
    placed = chosen(backend).placed(tmp_path)
    assert (placed.folder, placed.remote) == (tmp_path / f"index.{backend}", False)
    if backend != "faiss":
        assert chosen(backend, uri="https://far:1").placed(tmp_path).remote
    assert chosen(backend, uri="near").placed(tmp_path).folder.name == "near"


@pytest.mark.parametrize(
    ("uri", "address"),
    [
        ("http://host:19530", "http://host:19530"),
        ("tcp://host:19530", "tcp://host:19530"),
        ("host:19530", "http://host:19530"),
        ("[::1]:19530", "http://[::1]:19530"),
    ],
)
def test_a_server_of_milvus_may_be_named_without_a_scheme(uri, address):
    """As its own documents name it."""
    options = chosen("milvus", uri=uri)
    assert (options.remote, options.folder, options.address) == (True, None, address)


@pytest.mark.parametrize(
    ("backend", "uri"),
    [
        ("milvus", "redis://host:6379"),
        ("qdrant", "host:6333"),
        ("chroma", "ftp://host"),
        ("faiss", "http://host"),
    ],
)
def test_an_address_of_something_else_is_refused(backend, uri):
    """It would become a folder of that name."""
    with pytest.raises(ValidationError):
        chosen(backend, uri=uri)


async def test_a_refused_database_is_not_shown():
    """Its address may hold a password."""
    for backend in ("pgvector", "redis", "elasticsearch", "opensearch"):
        with pytest.raises(InvalidInputError) as refused:
            await open_index(chosen(backend, uri="mysql://me:s3cret@host/db"), name="test", dim=8)
        assert "s3cret" not in str(refused.value)


def test_an_address_is_shown_without_its_secrets():
    """It is shown to people and in logs."""
    shown = chosen("pgvector", uri="postgresql://me:s3cret@host:5432/db?sslkey=x").shown
    assert shown == "host:5432/db"
    for backend in ("milvus", "qdrant", "chroma"):
        assert chosen(backend, uri="https://me:s3@cret@host:1").shown == "https://host:1"


@pytest.mark.parametrize(
    "backend", ["milvus", "qdrant", "chroma", "pgvector", "faiss", "redis", "opensearch"]
)
async def test_one_without_a_place_cannot_be_opened(backend):
    """The library places nothing by itself."""
    with pytest.raises(InvalidInputError, match=r"index\.uri"):
        await open_index(chosen(backend), name="test", dim=8)


@pytest.mark.parametrize("backend", ["qdrant", "chroma", "pgvector", "redis"])
async def test_a_missing_client_library_is_named_with_its_command(backend, monkeypatch):
    """Only the configured one is looked for."""
    monkeypatch.setattr(module, "missing_extra", lambda extra: f"needs {extra}")
    with pytest.raises(InvalidInputError, match=f"needs {backend}"):
        await open_index(chosen(backend), name="test", dim=8)


async def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    """It is the index that is down then, and nothing else."""
    (tmp_path / "file").write_text("")
    for backend in ("milvus", "qdrant", "chroma", "faiss"):
        options = chosen(backend, uri=str(tmp_path / "file" / "index"))
        with pytest.raises(StoreError):
            await open_index(options, name="test", dim=8)


async def test_a_folder_in_use_is_an_error(tmp_path):
    """Of all but Milvus: they are for one process; others compare exactly."""
    for backend in ("qdrant", "chroma", "faiss"):
        options = chosen(backend, uri=str(tmp_path / backend))
        first = await open_index(options, name="test", dim=8)
        with pytest.raises(StoreError, match="in use"):
            await open_index(options, name="test", dim=8)
        await first.close()
        await (await open_index(options, name="test", dim=8)).close()


@pytest.mark.parametrize(
    ("backend", "uri"),
    [
        ("milvus", "127.0.0.1:{port}"),
        ("qdrant", "http://127.0.0.1:{port}"),
        ("chroma", "http://127.0.0.1:{port}"),
        ("pgvector", "postgresql://nobody@127.0.0.1:{port}/none"),
        ("redis", "redis://nobody:s3cret@127.0.0.1:{port}/0"),
        ("opensearch", "http://nobody:s3cret@127.0.0.1:{port}"),
    ],
)
async def test_an_unreachable_server_is_an_error(opening, backend, uri, monkeypatch):
    """Searches are exact then, so nobody waits for it."""
    options = chosen(backend, uri=uri.format(port=free_port()))
    monkeypatch.setattr(type(options), "call_seconds", 1.0)

    async def use():
        await (await opening(options, dim=8)).ping()

    with pytest.raises(StoreError) as refused:
        await use()
    assert "s3cret" not in str(refused.value)
