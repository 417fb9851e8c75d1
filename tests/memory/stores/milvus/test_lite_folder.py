"""An embedded store's folder: damage is told from what a crash leaves, and it holds still while it is copied."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recollect.memory.model.errors import StoreDamagedError, StoreError
from recollect.memory.stores.milvus import lite_frozen
from recollect.memory.stores.milvus.lite import LiteProcess
from recollect.memory.stores.milvus.lite_damage import find_damage, sweep_unborn
from recollect.memory.stores.milvus.lite_frozen import frozen
from recollect.memory.stores.milvus.lite_repair import look, set_aside
from recollect.memory.stores.milvus.lite_snapshot import snapshot_of
from recollect.memory.util.locks import Ownership
from tests.support.budget import FACTOR, WHOLE, sampled
from tests.support.folding import rows

SCHEMA = pa.schema([("id", pa.string()), ("vector", pa.list_(pa.float32(), 4))])


def record(name: str) -> pa.RecordBatch:
    vectors = pa.array([[1.0, 2.0, 3.0, 4.0]], type=SCHEMA.field("vector").type)
    return pa.record_batch([pa.array([name]), vectors], schema=SCHEMA)


def a_log() -> tuple[bytes, list[int]]:
    """A log of three records, and where each ends."""
    sink = pa.BufferOutputStream()
    ends = []
    with pa.ipc.new_stream(sink, SCHEMA) as writer:
        for name in ("one", "two", "three"):
            writer.write_batch(record(name))
            ends.append(sink.tell())
    return sink.getvalue().to_pybytes(), ends


@pytest.fixture
def collection(tmp_path):
    """A sound collection with one data file and one log."""
    folder = tmp_path / "memories.db" / "collections" / "m"
    data = folder / "partitions" / "p" / "data"
    data.mkdir(parents=True)
    pq.write_table(pa.Table.from_batches([record("old")]), data / "data_1_1.parquet")
    (folder / "schema.json").write_text(json.dumps({"fields": []}))
    files = {"p": {"data_files": ["data/data_1_1.parquet"], "delta_files": []}}
    (folder / "manifest.json").write_text(json.dumps({"partitions": files}))
    (folder / "wal").mkdir()
    (folder / "wal" / "wal_data_000002.arrow").write_bytes(a_log()[0])
    return folder


def found(collection):
    return find_damage(collection.parents[1])


def write_log(collection, content):
    (collection / "wal" / "wal_data_000002.arrow").write_bytes(content)


def test_sound_folder_is_sound(collection):
    """Nothing is wrong with it, nor with one that is not there yet or still empty."""
    assert found(collection) is None
    assert find_damage(collection / "nowhere") is None
    (collection / "empty").mkdir()
    assert find_damage(collection / "empty") is None


def test_log_cut_off_anywhere_is_sound(collection):
    """Wherever a kill hits, what is left of the log is what a crash leaves, not damage."""
    content, _ = a_log()
    for length in sampled(range(0, len(content), 1 if FACTOR >= WHOLE else 7)):
        write_log(collection, content[:length])
        assert found(collection) is None, length


@rows("at", ["start", "length", "record", "its metadata"])
def test_log_with_something_else_in_it_is_damaged(collection, at):
    """Records that can be counted but not read are damage, wherever they are."""
    content, ends = a_log()
    place = {"start": 0, "length": 4, "record": ends[0], "its metadata": ends[0] + 8}[at]
    write_log(collection, content[:place] + b"\xaaGARBAGE" + content[place + 8 :])
    assert "wal_data_000002.arrow holds no log record" in found(collection)


def test_log_with_zeros_at_its_end_is_damaged(collection):
    """They look like an orderly end, but nothing follows one."""
    content, ends = a_log()
    write_log(collection, content[: ends[1]] + bytes(500))
    assert f"at byte {ends[1]}" in found(collection)


def test_log_of_somebody_else_is_damaged(collection):
    """A text file is no log."""
    write_log(collection, b"hello, I am not a log\n" * 9)
    assert "holds no log record at byte 0" in found(collection)


def test_record_that_contradicts_itself_is_damaged(collection):
    """A record that is whole and does not hold what it claims is not skipped."""
    content, _ = a_log()
    body = content.index(b"two")
    offsets = content.rindex(b"\x03\x00\x00\x00", 0, body)
    write_log(collection, content[:offsets] + b"\xff\xff\xff\x7f" + content[offsets + 4 :])
    assert "broken record" in found(collection)


@rows("name", ["schema.json", "manifest.json"])
@rows("content", [None, b"", b"{", b"[]", b"{}", b"\x00\xff"])
def test_unreadable_description_is_damaged(collection, name, content):
    """Without them Milvus Lite would take the data files for rubbish and delete them."""
    path = collection / name
    sound = path.read_bytes()
    path.unlink() if content is None else path.write_bytes(content)
    told = found(collection)
    path.write_bytes(sound)
    assert str(path) in told


def test_collection_without_a_manifest_or_data_is_young(collection):
    """Before its first flush a collection has no manifest."""
    (collection / "manifest.json").unlink()
    next(collection.glob("partitions/*/*/*")).unlink()
    assert found(collection) is None


@rows("content", [None, b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1"])
def test_unreadable_data_file_is_damaged(collection, content):
    """A data file the manifest names must be there and have its footer."""
    path = collection / "partitions" / "p" / "data" / "data_1_1.parquet"
    path.unlink(missing_ok=True) if content is None else path.write_bytes(content)
    assert str(path) in found(collection)


def test_half_made_collection_is_swept_and_a_real_one_is_not(collection):
    """Only folders that hold nothing are removed."""
    for name in ("empty", "begun"):
        (collection.parent / name).mkdir()
    (collection.parent / "begun" / "schema.json.tmp").write_text("{")
    assert found(collection) is None
    sweep_unborn(collection.parents[1])
    assert [path.name for path in collection.parent.iterdir()] == ["m"]


@pytest.fixture
def folder(tmp_path):
    """An empty store's folder that no process uses."""
    path = tmp_path / "memories.db"
    path.mkdir()
    return path


def test_a_folder_that_nobody_uses_is_read_in_place(folder):
    """And nobody can begin to use it meanwhile."""
    with frozen(folder) as still:
        assert still == folder
        assert Ownership.claim(folder).taken
    assert Ownership.claim(folder).sole


@pytest.mark.process
def test_the_process_that_serves_it_makes_a_snapshot(folder):
    """It goes on serving; the snapshot is removed, and a second one in between is refused."""
    server = LiteProcess(folder)
    server.start()
    try:
        with frozen(folder) as still:
            assert still == snapshot_of(folder)
            assert (still / "collections").is_dir()
            with pytest.raises(StoreError, match="being copied by another process"), frozen(folder):
                pass
        assert not still.exists()
        assert server.running
    finally:
        server.stop()


@pytest.mark.process
def test_what_a_killed_backup_left_is_removed_at_the_next_start(folder):
    """It would keep what is forgotten from then on."""
    snapshot_of(folder).mkdir()
    server = LiteProcess(folder)
    server.start()
    server.stop()
    assert not snapshot_of(folder).exists()


def test_who_uses_it_and_does_not_answer(folder, monkeypatch):
    """A process that is starting, and one in another container, whose socket is not here."""
    monkeypatch.setattr(lite_frozen, "ASK_SECONDS", 0.5)
    owner = Ownership.claim(folder)
    with pytest.raises(StoreError, match="is starting"), frozen(folder):
        pass
    owner.note(f"unix:{folder}/gone.sock")
    with pytest.raises(StoreError, match="does not answer: run this command"), frozen(folder):
        pass
    owner.release()


def test_a_damaged_folder_is_refused(folder):
    """A copy of it would be no backup."""
    schema = folder / "collections" / "c" / "schema.json"
    schema.parent.mkdir(parents=True)
    schema.write_text("{")
    with pytest.raises(StoreDamagedError, match=r"schema\.json"), frozen(folder):
        pass


@pytest.fixture
def damaged(tmp_path):
    """A folder with a collection whose schema cannot be read."""
    schema = tmp_path / "memories.db" / "collections" / "c" / "schema.json"
    schema.parent.mkdir(parents=True)
    schema.write_text("{")
    return tmp_path / "memories.db"


def test_a_damaged_folder_is_kept_under_another_name(damaged):
    """With everything in it; looking changes nothing."""
    found = look(damaged)
    assert found.damage is not None
    assert "schema.json" in found.damage
    kept = set_aside(damaged)
    assert kept.name.startswith("memories.db.corrupt-")
    assert (kept / "collections" / "c" / "schema.json").read_text() == "{"
    assert list(damaged.parent.iterdir()) == [kept]


def test_a_folder_in_use_is_left_alone(damaged):
    """What is being written to is not looked at."""
    with (damaged / "LOCK").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = look(damaged)
        assert (found.holder is None, found.damage) == (False, None)
        with pytest.raises(StoreError, match="in use"):
            set_aside(damaged)
    assert damaged.exists()


def test_a_sound_folder_is_not_moved(tmp_path):
    """Nor is one that is not there."""
    with pytest.raises(StoreError, match="sound"):
        set_aside(tmp_path / "memories.db")


def test_a_folder_that_cannot_be_renamed(damaged, monkeypatch):
    """It is ours that says so."""

    def refuse(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StoreError, match="cannot rename"):
        set_aside(damaged)
