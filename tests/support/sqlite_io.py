"""SQLite's file operations, so that any of them can fail: a layer of its own below it, in ctypes.

SQLite reaches files through a table of functions (https://www.sqlite.org/vfs.html). The layer passes
everything on to the usual one and may refuse what writes, as a full or broken disk does.
"""

from __future__ import annotations

import _sqlite3
import contextlib
import ctypes
import os
import sqlite3
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, cast
from pathlib import Path

_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_DELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
_SHM_MAP = CFUNCTYPE(c_int, c_void_p, c_int, c_int, c_int, c_void_p)

_CREATE = 0x4
"""SQLITE_OPEN_CREATE."""
_METHODS = (
    *("close", "read", "write", "truncate", "sync", "size", "lock", "unlock", "reserved"),
    *("control", "sector", "device", "shm_map", "shm_lock", "shm_barrier", "shm_unmap"),
    *("fetch", "unfetch"),
)


class _Methods(Structure):
    _fields_ = (("version", c_int), *((name, c_void_p) for name in _METHODS))


class _File(Structure):
    _fields_ = (("methods", POINTER(_Methods)),)


class _Vfs(Structure):
    _fields_ = (
        *(("version", c_int), ("file_size", c_int), ("most_path", c_int), ("next", c_void_p)),
        *(("name", c_char_p), ("data", c_void_p), ("open", c_void_p), ("delete", c_void_p)),
        ("others", c_void_p * 14),
    )


Fail = Callable[[str], int]
"""Asked before each operation that writes, by its name: 0 lets it happen, a code of SQLite's fails it."""

CODES = {
    "full": dict.fromkeys(("write", "half a write"), sqlite3.SQLITE_FULL)
    | {"create": sqlite3.SQLITE_CANTOPEN, "shm_map": sqlite3.SQLITE_IOERR_SHMSIZE},
    "broken": {
        "write": sqlite3.SQLITE_IOERR_WRITE,
        "half a write": sqlite3.SQLITE_IOERR_WRITE,
        "truncate": sqlite3.SQLITE_IOERR_TRUNCATE,
        "sync": sqlite3.SQLITE_IOERR_FSYNC,
        "delete": sqlite3.SQLITE_IOERR_DELETE,
        "create": sqlite3.SQLITE_CANTOPEN,
        "shm_map": sqlite3.SQLITE_IOERR_SHMMAP,
    },
}
"""What the usual layer makes of ENOSPC and of EIO at each operation; one that is not named cannot."""


def library() -> ctypes.CDLL | None:
    """The very SQLite that Python uses, if its functions can be reached."""
    path = getattr(_sqlite3, "__file__", None)
    with contextlib.suppress(OSError, AttributeError):
        found = ctypes.CDLL(path)
        found.sqlite3_vfs_find.restype = POINTER(_Vfs)
        found.sqlite3_vfs_register.argtypes = (POINTER(_Vfs), c_int)
        found.sqlite3_vfs_unregister.argtypes = (POINTER(_Vfs),)
        return found
    return None


class Layer:
    """Between SQLite and its files. `fail` may be changed at any time."""

    def __init__(self, usual: _Vfs) -> None:
        self.fail: Fail = lambda _: 0
        self._usual = usual
        self._usual_open = cast(usual.open, _OPEN)
        self._usual_delete = cast(usual.delete, _DELETE)
        self._tables: dict[int, _Methods] = {}
        self._kept: list[object] = []
        """What C has pointers to."""
        self.vfs = _Vfs.from_buffer_copy(usual)
        self.vfs.name = b"failing"
        self.vfs.open = self._pointer(_OPEN(self._open))
        self.vfs.delete = self._pointer(_DELETE(self._delete))

    def _pointer(self, function: object) -> c_void_p:
        self._kept.append(function)
        return cast(function, c_void_p)  # type: ignore[arg-type]

    def _open(self, vfs: int, name: int, file: int, flags: int, out: int) -> int:
        creates = (
            flags & _CREATE and name and not Path(os.fsdecode(ctypes.string_at(name))).exists()
        )
        if creates and (code := self.fail("create")):
            cast(file, POINTER(_File)).contents.methods = POINTER(_Methods)()
            return code
        result = int(self._usual_open(vfs, name, file, flags, out))
        opened = cast(file, POINTER(_File)).contents
        if opened.methods:
            opened.methods = ctypes.pointer(self._table(opened.methods))
        return result

    def _delete(self, vfs: int, name: bytes, sync: int) -> int:
        return self.fail("delete") or int(self._usual_delete(vfs, name, sync))

    def _table(self, usual: ctypes._Pointer[_Methods]) -> _Methods:
        at = ctypes.addressof(usual.contents)
        if at not in self._tables:
            table = self._tables[at] = _Methods.from_buffer_copy(usual.contents)
            write = cast(table.write, _WRITE)

            def writing(file: int, data: int, amount: int, offset: int) -> int:
                if code := self.fail("write"):
                    return code
                half = amount // 2
                if code := self.fail("half a write"):
                    write(file, data, half, offset)
                    return code
                return int(write(file, data, amount, offset))

            table.write = self._pointer(_WRITE(writing))
            for name, kind in (("truncate", _TRUNCATE), ("sync", _SYNC), ("shm_map", _SHM_MAP)):
                setattr(table, name, self._guarded(name, kind, getattr(table, name)))
        return self._tables[at]

    def _guarded(self, name: str, kind: type, usual: int) -> c_void_p:
        real = cast(usual, kind)
        return self._pointer(kind(lambda *args: self.fail(name) or int(real(*args))))


_LAYERS: list[Layer] = []
"""Never forgotten: a connection that a failed test left open may still come by."""


@contextlib.contextmanager
def failing_files(sqlite: ctypes.CDLL) -> Iterator[Layer]:
    """Whatever is opened within goes through the layer; close it before this ends."""
    usual = sqlite.sqlite3_vfs_find(None)
    layer = Layer(usual.contents)
    _LAYERS.append(layer)
    sqlite.sqlite3_vfs_register(ctypes.byref(layer.vfs), 1)
    try:
        yield layer
    finally:
        layer.fail = lambda _: 0
        sqlite.sqlite3_vfs_unregister(ctypes.byref(layer.vfs))
        sqlite.sqlite3_vfs_register(usual, 1)
