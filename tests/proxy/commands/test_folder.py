"""What is wrong with `data_dir`, before anything is opened."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from recollect.config import load_settings
from recollect.memory.util.locks import Ownership
from recollect.proxy.cli import main
from recollect.proxy.commands import folder
from tests.support.folding import rows


def settings(data_dir, **more):
    return load_settings(
        environ={"RECOLLECT_DATA_DIR": str(data_dir), "RECOLLECT_EMBEDDER__BACKEND": "fake"}
        | {f"RECOLLECT_{name.upper()}": value for name, value in more.items()}
    )


def file(tmp_path):
    (tmp_path / "x").write_text("")
    return tmp_path / "x", "is not a folder"


def below_a_file(tmp_path):
    (tmp_path / "x").write_text("")
    return tmp_path / "x" / "y" / "z", f"{tmp_path / 'x'} is not a folder"


def dangling_link(tmp_path):
    (tmp_path / "x").symlink_to(tmp_path / "nowhere")
    return tmp_path / "x", "is a link to .*nowhere, which does not exist"


def device(_tmp_path):
    return Path("/dev/null"), "is not a folder"


@rows("kind", [file, below_a_file, dangling_link, device])
def test_what_is_no_folder_is_told_with_the_setting(tmp_path, capsys, environ, kind):
    """`serve` ends with status 1; the line names `data_dir`, the reason and what to do."""
    here = tmp_path / kind.__name__
    here.mkdir()
    data_dir, reason = kind(here)
    environ.setenv("RECOLLECT_DATA_DIR", str(data_dir))
    assert main(["serve"]) == 1
    shown = capsys.readouterr().err
    assert re.search(rf"cannot start: data_dir: .*{reason}", shown), shown
    assert "RECOLLECT_DATA_DIR" in shown
    assert "listen" not in shown


def test_a_missing_folder_is_created(tmp_path):
    """With the folders above it, for its user only; nothing is left of the write test."""
    data_dir = tmp_path / "a" / "b"
    assert folder.look(settings(data_dir)) is None
    assert data_dir.stat().st_mode & 0o777 == 0o700
    assert list(data_dir.iterdir()) == []


@rows("number", [errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC])
@rows("old", [True, False])
def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch, number, old):
    """A full or broken disk does not end the chats of an installation; anything else is fatal."""
    here = tmp_path / str(old)
    here.mkdir(exist_ok=True)
    if old:
        (here / "recollect.db").write_text("")

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    found = folder.look(settings(here))
    assert found is not None
    assert os.strerror(number) in str(found)
    assert str(found).startswith(f"data_dir: {here} cannot be written")
    assert found.fatal == (not old or number in {errno.EACCES, errno.EPERM})
    if number in {errno.EACCES, errno.EPERM}:
        assert f"this process runs as {os.geteuid()}" in str(found)


def test_a_folder_that_nothing_is_kept_in_is_not_looked_at(tmp_path):
    """Everything is on servers: the folder may be anything."""
    (tmp_path / "x").write_text("")
    elsewhere = settings(
        tmp_path / "x",
        index__uri="http://milvus:19530",
        database__url="postgresql://db/r",
    )
    assert folder.look(elsewhere) is None
    assert folder.in_use(elsewhere) is None
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_a_second_instance_is_told_at_once(tmp_path):
    """Before anything is loaded: the folder, the process, and what to do."""
    mine = settings(tmp_path)
    assert folder.in_use(mine) is None
    owner = Ownership.claim(tmp_path / "recollect.db")
    found = folder.in_use(mine)
    assert found is not None
    assert found.fatal
    assert f"data_dir: {tmp_path} is in use by another Recollect (process " in str(found)
    assert "stop it first" in str(found)
    owner.release()
    assert folder.in_use(mine) is None
