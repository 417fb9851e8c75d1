"""Remove from an environment what the product never loads: for the image, a third of its size.

    PYTHON tools/slim.py

PYTHON is that of the environment. Dependencies bring these packages for uses that the product does
not have; `tests/tools/test_slim.py` runs the product without them. What is not there is an error:
a list that nobody corrects removes nothing some day. Only the standard library is used.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

PACKAGES = (
    "pandas",  # of pymilvus, for data frames
    "faiss-cpu",  # of milvus-lite, for kinds of indexes that are not used
    "huggingface-hub",  # of tokenizers, for downloads
    "hf-xet",  # of huggingface-hub
    "pip",  # nothing is installed into an image
    "setuptools",  # nor built
)
"""Distributions, and why they are there."""
FILES = (
    "numpy/tests",
    "numpy/*/tests",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "onnxruntime/transformers",
    "pyarrow/tests",
    "pyarrow/include",
    "pyarrow/*flight*",
    "pyarrow/*s3*",
    "pyarrow/*gcsfs*",
    "pyarrow/*azurefs*",
    "pyarrow/*hdfs*",
)
"""Tests of numpy, tools for making models, and the parts of pyarrow for other languages, protocols
and clouds; below the folder of packages."""


class MissingError(Exception):
    """Something is not there that should be removed."""


def main() -> int:
    """Remove it; 1 if something was not there."""
    folder = Path(sysconfig.get_path("purelib"))
    try:
        removed = [*remove_packages(), *remove_files(folder)]
    except MissingError as error:
        print(f"slim: {error}", file=sys.stderr)
        return 1
    print(f"slim: removed {', '.join(removed)}")
    return 0


def remove_packages(names: tuple[str, ...] = PACKAGES) -> Iterator[str]:
    """Remove every file that the records of these packages name, and empty folders."""
    for name in names:
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            raise MissingError(f"{name} is not installed: correct tools/slim.py") from None
        folders = set()
        for file in found.files or ():
            path = Path(str(found.locate_file(file)))
            path.unlink(missing_ok=True)
            folders.add(path.parent)
        for folder in sorted(folders, reverse=True):
            _remove_empty(folder)
        yield name


def remove_files(folder: Path, patterns: tuple[str, ...] = FILES) -> Iterator[str]:
    """Remove files and folders that match, below the folder of packages."""
    for pattern in patterns:
        matching = sorted(folder.glob(pattern))
        if not matching:
            raise MissingError(f"there is no {pattern}: correct tools/slim.py")
        for path in matching:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        yield pattern


def _remove_empty(folder: Path) -> None:
    """The folder and those above it, up to the first that holds anything but bytecode."""
    while folder.is_dir():
        kept = [path for path in folder.iterdir() if path.name != "__pycache__"]
        if kept:
            return
        shutil.rmtree(folder)
        folder = folder.parent


if __name__ == "__main__":
    sys.exit(main())
