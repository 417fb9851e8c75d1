"""Puts a backup into the places of a configuration in which nothing is yet."""

from __future__ import annotations

import contextlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ..engine.options import EngineOptions
from ..util.disk import force
from ..util.locks import Ownership, lock_of
from .backup_files import (
    DATABASE,
    BackupError,
    BackupNote,
    Told,
    opened,
    read_note,
    taken_back,
)

_NO_DATA = frozenset({"models", "lost+found", "identity.key"})
"""What a folder without memories may hold: weights, what a disk begins with, and the key that a
start in gateway mode generates, which is replaced."""
_HALF = ".restoring"


def restore(options: EngineOptions, data_dir: Path, backup: Path, told: Told) -> BackupNote:
    """Copy every file of the backup to its place, after its checksum was compared.

    A backup may come from anybody: nothing is written but its files, each in its place, and nothing
    is in its place before everything has been copied. Whatever fails leaves all as it was.

    Raises:
        BackupError: it is no complete backup, a file differs from what was backed up, this
            configuration keeps a part elsewhere, the disk is too small, or something is there
            already.
    """
    note = read_note(backup)
    roots = _roots(options, data_dir, note)
    _refuse_filled(options, data_dir, roots)
    for name, file in note.files.items():
        with opened(backup, name, file):
            pass
    try:
        _refuse_large(note, roots)
        with _nobody_starts(options, data_dir), _staged(roots) as halves:
            for name, file in note.files.items():
                taken_back(backup, name, file, halves[name], told)
            _put_in_place(halves, roots)
    except OSError as error:
        raise BackupError(f"the backup could not be restored: {error}") from error
    return note


def _roots(options: EngineOptions, data_dir: Path, note: BackupNote) -> dict[str, Path]:
    """Where each file belongs, by its name in the backup."""
    roots = {name: data_dir / name for name in note.files}
    if DATABASE in roots:
        if options.database.file is None:
            raise BackupError(
                f"the backup has {DATABASE}, and this configuration keeps it elsewhere: see "
                "`database` in the configuration"
            )
        roots[DATABASE] = options.database.file
    if twice := [place for place, times in Counter(roots.values()).items() if times > 1]:
        raise BackupError(f"the backup has two files that would both be {twice[0]}")
    return roots


def _refuse_filled(options: EngineOptions, data_dir: Path, roots: Mapping[str, Path]) -> None:
    here = data_dir.iterdir() if data_dir.is_dir() else ()
    found = [path for path in here if not _is_no_data(path)]
    places = [options.database.file, *roots.values()]
    found += [path for path in places if path is not None and path.exists()]
    for path in found:
        if not _is_no_data(path):
            raise BackupError(
                f"{path} is there already: restore into an empty folder (--data-dir), or move what "
                "is there out of the way"
            )


def _is_no_data(path: Path) -> bool:
    return path.name in _NO_DATA or path.name.endswith((".lock", ".keys", _HALF))


def _refuse_large(note: BackupNote, roots: Mapping[str, Path]) -> None:
    needed: Counter[int] = Counter()
    for name, file in note.files.items():
        above = next(each for each in roots[name].parents if each.exists())
        needed[above.stat().st_dev] += file.size
        if needed[above.stat().st_dev] > (free := shutil.disk_usage(above).free):
            raise BackupError(
                f"the backup has {note.bytes:,} bytes, and the disk of {above} has {free:,} left"
            )


@contextlib.contextmanager
def _nobody_starts(options: EngineOptions, data_dir: Path) -> Iterator[None]:
    """A start would see half of the files, or make others."""
    with contextlib.ExitStack() as stack:
        _make(data_dir, stack)
        if (path := options.database.file) is not None:
            _make(path.parent, stack)
            new = not lock_of(path).exists()
            owner = Ownership.claim(path)
            stack.callback(owner.release)
            if owner.taken:
                raise BackupError(f"{path} is in use by another process: stop it first")
            if new:
                _if_it_fails(stack, lock_of(path).unlink)
        yield


def _make(folder: Path, stack: contextlib.ExitStack) -> None:
    """Make a folder; if the block fails, what was made goes again."""
    for each in reversed((folder, *folder.parents)):
        if not each.exists():
            _if_it_fails(stack, each.rmdir)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def _if_it_fails(stack: contextlib.ExitStack, undo: Callable[[], None]) -> None:
    def undone(failure: type[BaseException] | None, *_rest: object) -> None:
        if failure is not None:
            with contextlib.suppress(OSError):
                undo()

    stack.push(undone)


@contextlib.contextmanager
def _staged(roots: Mapping[str, Path]) -> Iterator[dict[str, Path]]:
    """A place on the same disk for each; what is left there in the end is removed."""
    halves = {name: path.with_name(f"{path.name}{_HALF}") for name, path in roots.items()}
    passing = (*halves.values(), *map(_before, roots.values()))
    try:
        for path in passing:
            path.unlink(missing_ok=True)
        yield halves
    finally:
        for path in passing:
            path.unlink(missing_ok=True)


def _before(place: Path) -> Path:
    """Where the file that is replaced is meanwhile."""
    return place.with_name(f"{place.name}.before{_HALF}")


def _put_in_place(halves: Mapping[str, Path], roots: Mapping[str, Path]) -> None:
    """All of them, or none."""
    with contextlib.ExitStack() as stack:
        for root, half in halves.items():
            place = roots[root]
            if place.exists():
                place.replace(_before(place))
                stack.callback(_before(place).replace, place)
            half.replace(place)
            stack.callback(place.unlink)
            force(place.parent)
        stack.pop_all()
