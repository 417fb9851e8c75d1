"""Finds the files of an export in its zip archive, or takes the one that was unpacked.

Nothing is unpacked to a disk. An archive that could do harm to whoever unpacks it is refused as a
whole, by the name of what is wrong in it.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO

from ...model.errors import InvalidInputError

MOST_BYTES = 2 * 2**30
"""Of a file of conversations, unpacked. Years of chats have a tenth."""
MOST_ARCHIVE_BYTES = 4 * 2**30 - 1
MOST_MEMBERS = 200_000
_ZIP = b"PK"
_OUTSIDE = re.compile(r"^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)")
_DAMAGED = "is damaged, or not whole: fetch the export again"
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of conversations, open."""

    name: str
    file: IO[bytes]

    def read(self, size: int = -1, /) -> bytes:
        """Some bytes. Raises InvalidInputError, which names the file."""
        try:
            return self.file.read(size)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise InvalidInputError(self.name, _DAMAGED) from None


@dataclass(frozen=True, slots=True)
class Export:
    """What a service sent, open; it can be read from any place."""

    name: str
    file: IO[bytes]
    size: int
    """In bytes."""


def files_of(export: Export, is_one: Callable[[str], bool]) -> Iterator[ExportedFile]:
    """The files of an export, one at a time: those in an archive whose path `is_one`, if any.

    Raises:
        InvalidInputError: names the file, and what is wrong.
        OSError: it cannot be read.
    """
    file = export.file
    packed = file.read(len(_ZIP)) == _ZIP
    file.seek(0)
    if packed:
        yield from _unpacked(export, is_one)
        return
    if export.size > MOST_BYTES:
        raise _too_large(export.name, MOST_BYTES)
    yield ExportedFile(export.name, file)


def _unpacked(export: Export, is_one: Callable[[str], bool]) -> Iterator[ExportedFile]:
    if export.size > MOST_ARCHIVE_BYTES:
        raise _too_large(export.name, MOST_ARCHIVE_BYTES)
    with _archive(export.name, export.file) as archive:
        members = archive.infolist()
        if len(members) > MOST_MEMBERS:
            raise InvalidInputError(export.name, f"must have at most {MOST_MEMBERS} files")
        for each in members:
            _check(each)
        found = [each for each in members if is_one(each.filename)]
        for each in sorted(found, key=lambda one: one.filename):
            if each.file_size > MOST_BYTES:
                raise _too_large(_shown(each.filename), MOST_BYTES)
            if each.flag_bits & 1:
                raise InvalidInputError(_shown(each.filename), "is encrypted: unpack it first")
            with _member(archive, each) as member:
                yield ExportedFile(_shown(PurePosixPath(each.filename).name), member)


@contextmanager
def _archive(name: str, file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, EOFError):
        raise InvalidInputError(name, _DAMAGED) from None
    with archive:
        yield archive


def _member(archive: zipfile.ZipFile, each: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(each)
    except (zipfile.BadZipFile, NotImplementedError, EOFError):
        raise InvalidInputError(_shown(each.filename), _DAMAGED) from None


def _check(each: zipfile.ZipInfo) -> None:
    # `filename` is already tamed by the library; the other is what stands in the archive.
    if _OUTSIDE.search(each.orig_filename):
        raise InvalidInputError(_shown(each.orig_filename), "leads outside of the archive")


def _too_large(name: str, most: int) -> InvalidInputError:
    told = f"must have at most {most} bytes; of an archive, unpack the conversations alone"
    return InvalidInputError(name, told)


def _shown(name: str) -> str:
    """A path as a refusal shows it: it may command a terminal."""
    return name.encode("unicode_escape").decode()[:_SHOWN]
