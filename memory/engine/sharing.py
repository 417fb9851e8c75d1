"""Engines on folders, one for each folder of this process, shared by whoever opens it.

A folder belongs to one process at a time, and a program may open it twice: the cell of a notebook
that runs again. All that share an engine need the same options and the same event loop.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from pydantic import BaseModel

from ..model.errors import ConfigError, StoreError
from ..util.tasks import Tasks
from .engine import Engine
from .options import MemoryOptions

Opener = Callable[[AsyncExitStack], Awaitable[Engine]]
"""Opens an engine that the stack closes."""
MOST_NAMED = 5
"""Options that differ, in one error."""


class _Shared:
    """An engine with those who use it. Belongs to one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.claims = 0
        """Those who use it, or are opening or closing it; guarded by `_registry`."""
        self.users = 0
        self.lock = asyncio.Lock()
        self.options: MemoryOptions | None = None
        self.engine: Engine | None = None
        self.stack = AsyncExitStack()


class Lease:
    """One use of an engine. The engine is closed when the last of its leases is released."""

    def __init__(self, shared: _Shared, engine: Engine, folder: Path | None) -> None:
        self.engine = engine
        self.released = False
        self._shared = shared
        self._folder = folder

    async def release(self) -> None:
        """End this use. Safe to repeat."""
        if self.released:
            return
        self.released = True
        shared = self._shared
        try:
            async with shared.lock:
                shared.users -= 1
                if not shared.users:
                    shared.engine = None
                    await shared.stack.aclose()
        finally:
            _drop(self._folder, shared)

    def abandon(self) -> None:
        """The same, later, for one that was collected without being released. Takes no lock."""
        if not self.released:
            with suppress(RuntimeError):  # the loop has ended
                self._shared.loop.call_soon_threadsafe(
                    lambda: _abandoned.start(self.release(), name="release of a memory")
                )


_abandoned = Tasks()


async def lease(options: MemoryOptions, opener: Opener) -> Lease:
    """An engine with these options: the one of this process on their folder, else a new one.

    Raises:
        ConfigError: this process has the folder open with other options; names them.
        StoreError: this process has it open in another event loop.
        RecollectError: `opener` failed.
    """
    folder = options.database.file
    folder = folder and folder.resolve()
    shared = _claim(folder)
    try:
        # Whoever opens waits for whoever closes.
        async with shared.lock:
            if shared.engine is None:
                shared.engine = await _opened(opener, shared.stack)
                shared.options = options
            elif shared.options is not None and shared.options != options:
                raise ConfigError(_other_options(folder, shared.options, options))
            shared.users += 1
            return Lease(shared, shared.engine, folder)
    except BaseException:
        _drop(folder, shared)
        raise


async def _opened(opener: Opener, stack: AsyncExitStack) -> Engine:
    async with AsyncExitStack() as opening:
        engine = await opener(opening)
        stack.push_async_callback(opening.pop_all().aclose)
        return engine


_OPEN: dict[Path, _Shared] = {}
_registry = threading.Lock()


def _claim(folder: Path | None) -> _Shared:
    loop = asyncio.get_running_loop()
    with _registry:
        shared = None if folder is None else _OPEN.get(folder)
        if shared is None:
            shared = _Shared(loop)
            if folder is not None:
                _OPEN[folder] = shared
        elif shared.loop is not loop:
            raise StoreError(_other_loop(folder, ended=shared.loop.is_closed()))
        shared.claims += 1
        return shared


def _drop(folder: Path | None, shared: _Shared) -> None:
    with _registry:
        shared.claims -= 1
        if folder is not None and not shared.claims and _OPEN.get(folder) is shared:
            del _OPEN[folder]


def _forked() -> None:
    """A child has none of its parent's engines."""
    global _registry  # noqa: PLW0603 - another thread of the parent may have held it
    _registry = threading.Lock()
    _OPEN.clear()


with suppress(AttributeError):  # Windows does not fork
    os.register_at_fork(after_in_child=_forked)


def _other_options(folder: Path | None, known: MemoryOptions, wanted: MemoryOptions) -> str:
    differ = [key for key, _ in zip(_differences(known, wanted), range(MOST_NAMED), strict=False)]
    return (
        f"path: this process has {folder} open already, with other options ({', '.join(differ)}): "
        "close that memory first, or open this one with the same options"
    )


def _other_loop(folder: Path | None, *, ended: bool) -> str:
    if ended:
        return (
            f"{folder} was opened in this process by an event loop that has ended, and was not "
            "closed before: end the process, and close a memory in the loop that opened it"
        )
    return (
        f"{folder} is open in this process already, in another event loop: use that memory, or "
        "close it first; Memory and AsyncMemory cannot share a folder"
    )


def _differences(known: BaseModel, wanted: BaseModel, prefix: str = "") -> Iterator[str]:
    """The dotted keys of options that differ; no value, which may be a secret."""
    for name in type(known).model_fields:
        one, other = getattr(known, name), getattr(wanted, name)
        if one == other:
            continue
        both_sections = isinstance(one, BaseModel) and type(one) is type(other)
        if both_sections:
            yield from _differences(one, other, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"
