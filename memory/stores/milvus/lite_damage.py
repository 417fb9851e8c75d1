"""Checks whether a Milvus Lite folder is sound. Reads only.

Milvus Lite 3.2.2 destroys data on damage: it deletes every data file that a missing or outdated
manifest does not name, and drops a log it cannot read. So it opens a folder only after this module
has found nothing wrong with it.
"""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .lite_disk import PROBE

_MESSAGE_START = b"\xff\xff\xff\xff"
"""First bytes of every message of an Arrow stream (Arrow IPC format, encapsulated messages)."""
_HEADER_BYTES = 8
"""`_MESSAGE_START` and the length of the metadata."""
_MOST_METADATA_BYTES = 1 << 20
"""No record of ours is longer: a larger length is damaged."""


def find_damage(data_dir: Path) -> str | None:
    """The damage of the folder, naming the file; None if it is sound.

    The end of a log may be cut off: a process that is killed while writing leaves it that way, and
    the missing part was never acknowledged.
    """
    if not data_dir.exists():
        return None
    if not data_dir.is_dir():
        return f"{data_dir} is a file; Milvus Lite 3 keeps a folder there"
    collections = data_dir / "collections"
    if not collections.is_dir():
        # A folder with other files is not ours: no database is created in it.
        strange = [entry.name for entry in data_dir.iterdir() if entry.name not in {"LOCK", PROBE}]
        return f"{data_dir} is no Milvus Lite database: it holds {strange[0]}" if strange else None
    problems = (problem for folder in _collections(data_dir) for problem in _problems(folder))
    return next(problems, None)


def sweep_unborn(data_dir: Path) -> None:
    """Remove collections without a schema, left by a process that died while creating them.

    Milvus Lite can neither open nor create a collection at such a folder.
    """
    for folder in _collections(data_dir):
        if {entry.name for entry in folder.iterdir()} <= {"schema.json.tmp"}:
            shutil.rmtree(folder)


def _collections(data_dir: Path) -> Iterator[Path]:
    root = data_dir / "collections"
    if root.is_dir():
        yield from sorted(entry for entry in root.iterdir() if entry.is_dir())


def _problems(folder: Path) -> Iterator[str]:
    if {entry.name for entry in folder.iterdir()} <= {"schema.json.tmp"}:
        return
    if _object(folder / "schema.json", "fields") is None:
        yield f"{folder / 'schema.json'} is missing or not readable"
    yield from _manifest_problems(folder)
    for log in sorted((folder / "wal").glob("wal_*.arrow")):
        if (problem := _log_problem(log)) is not None:
            yield f"{log} {problem}"


def _manifest_problems(folder: Path) -> Iterator[str]:
    path = folder / "manifest.json"
    data_files = list(folder.glob("partitions/*/*/*.parquet"))
    if not path.exists() and not data_files:
        return
    manifest = _object(path, "partitions")
    if manifest is None:
        yield f"{path} is missing or not readable"
        return
    for partition, files in manifest["partitions"].items():
        for name in [*files.get("data_files", []), *files.get("delta_files", [])]:
            data_file = folder / "partitions" / partition / name
            if (problem := _parquet_problem(data_file)) is not None:
                yield f"{data_file} {problem}"


def _object(path: Path, key: str) -> dict[str, Any] | None:
    """The JSON object in the file if it has this key, else None."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and key in value else None


def _parquet_problem(path: Path) -> str | None:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    try:
        pq.read_metadata(path)
    except (OSError, pa.ArrowException) as error:
        return f"is missing or not readable: {error}"
    return None


def _log_problem(path: Path) -> str | None:
    """None if the log is complete or only cut off at its end."""
    import pyarrow as pa

    with path.open("rb") as file:
        reader = pa.ipc.MessageReader.open_stream(file)
        good = 0
        while True:
            try:
                reader.read_next_message()
                good = file.tell()
            except StopIteration:
                cut_off = path.stat().st_size <= good + _HEADER_BYTES
                break
            except (OSError, pa.ArrowException) as error:
                cut_off = _is_cut_off(path, good, str(error))
                break
    return _content_problem(path) if cut_off else f"holds no log record at byte {good}"


def _is_cut_off(path: Path, good: int, reason: str) -> bool:
    """Whether the bytes after the last complete message are the beginning of another one."""
    with path.open("rb") as file:
        file.seek(good)
        rest = file.read(_HEADER_BYTES + _MOST_METADATA_BYTES)
    if len(rest) < _HEADER_BYTES:
        return rest.startswith(_MESSAGE_START[: len(rest)])
    (metadata_bytes,) = struct.unpack_from("<i", rest, len(_MESSAGE_START))
    if not rest.startswith(_MESSAGE_START) or not 0 < metadata_bytes <= _MOST_METADATA_BYTES:
        return False
    # If the metadata is complete, only a missing end of the body counts as cut off.
    return len(rest) < _HEADER_BYTES + metadata_bytes or "message body" in reason


def _content_problem(path: Path) -> str | None:
    """What is wrong with the content of the complete records; None if nothing is."""
    import pyarrow as pa

    try:
        with pa.OSFile(str(path), "rb") as source:
            for batch in pa.ipc.open_stream(source):
                try:
                    batch.validate(full=True)
                except pa.ArrowInvalid as error:
                    return f"holds a broken record: {error}"
    except (OSError, pa.ArrowException):
        return None
    return None
