"""What a worker is told, and what it does when its parent is gone."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.config import load_settings
from recollect.memory.util.siblings import Sibling
from recollect.proxy.workers.child import PARENT_DIED, Assignment, packed, received
from tests.support.waiting import HANG_SECONDS


def _assignment(folder: Path, **settings: str) -> Assignment:
    environ = {f"RECOLLECT_{name.upper()}": value for name, value in settings.items()}
    loaded = load_settings(environ={"RECOLLECT_DATA_DIR": str(folder), **environ})
    return Assignment(loaded, Sibling(folder, 1, 2))


def _child(stdin: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from recollect.proxy.workers.child import main; sys.exit(main())",
        ],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def test_what_a_worker_is_told_arrives(tmp_path: Path) -> None:
    """All settings, also what is made of them when they are read."""
    sent = _assignment(
        tmp_path, recall__ranking__dense="0.7", learn__templates='{"a": {"prompt": "Own."}}'
    )
    with io.FileIO(_filled(tmp_path / "pipe", packed(sent))) as stream:
        got = received(stream)
    assert got.settings == sent.settings
    assert got.settings.recall.tuning == sent.settings.recall.tuning
    assert got.settings.learn.templates["a"].prompt == "Own."


def _filled(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.process
def test_a_worker_that_cannot_serve_says_why(tmp_path: Path) -> None:
    """On its standard output, for the parent to tell; here the weights are missing."""
    child = _child(subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(packed(_assignment(tmp_path, index__uri="http://127.0.0.1:1")))
    child.stdin.flush()
    said = json.loads(child.stdout.readline())
    assert "embedder.model_dir" in said["cannot"]
    assert child.wait(HANG_SECONDS) == 1
    child.communicate()


@pytest.mark.process
def test_a_worker_without_its_parent_ends_at_once(tmp_path: Path) -> None:
    """Also in the middle of its start."""
    child = _child(subprocess.PIPE)
    assert child.stdin is not None
    child.stdin.write(packed(_assignment(tmp_path, index__uri="http://127.0.0.1:1")))
    child.stdin.close()
    assert child.wait(HANG_SECONDS) in (PARENT_DIED, 1)
    assert child.stdout is not None
    child.stdout.close()
