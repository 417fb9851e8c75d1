"""Tenants whose credentials the model server has accepted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path

from recollect.memory.util.disk import MadeOnce, append_text, keep_private, replace_text
from recollect.memory.util.lru import Lru

log = logging.getLogger(__name__)

MAX_TENANTS = 100_000
FILE = "accepted-tenants"
REFUSED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
"""What a model server answers to credentials that it does not take."""


class Accepted:
    """Remembers them, also for the next start of a server with the same folder.

    The tenant of hashed credentials exists as soon as somebody makes credentials up. Only the
    model server knows which ones are real: it answers their chats, and refuses those of a
    credential that was taken back. The file has hashes of credentials, by `identity.hash_key`: of
    all that a chat presented, since which of them was judged nobody here knows. Nobody else on this
    machine can read it.
    """

    def __init__(self, folder: Path | None = None, *, shared: bool = False) -> None:
        """Without `folder`, the process remembers them only. `shared`: others write it too."""
        self._shared = shared
        self._seen: tuple[int, int, int] | None = None
        self._tenants: Lru[str, bool] = Lru(MAX_TENANTS)
        self._file = None if folder is None else folder / FILE
        made = None if folder is None else MadeOnce(folder)
        self._replace = partial(replace_text, folder=made)
        if self._file is not None:
            # Whoever restored it may have made it readable for everybody.
            self._try(keep_private, self._file)
        for name in self._read():
            self._tenants.put(name, True)  # noqa: FBT003 - a set with a bound
        self.on_change: Callable[[str, bool], None] = lambda _tenant, _accepted: None
        """Told a tenant, and whether it is accepted from now on."""

    def note(self, tenant: str, status: int) -> None:
        """The model server answered a chat of this tenant with this status."""
        known = tenant in self
        if status == HTTPStatus.OK and not known:
            self._tenants.put(tenant, True)  # noqa: FBT003 - a set with a bound
            self._write(append_text, [tenant])
            self.on_change(tenant, True)  # noqa: FBT003 - a callback
        elif status in REFUSED and known:
            self._tenants.drop(lambda name: name == tenant)
            self._write(self._replace, [name for name in self._read() if name != tenant])
            self.on_change(tenant, False)  # noqa: FBT003 - a callback

    def take_over(self, accepted: Sequence[str], refused: Collection[str]) -> None:
        """What other replicas saw. Not written down: they have it."""
        for name in accepted:
            self._tenants.put(name, True)  # noqa: FBT003 - a set with a bound
        if gone := frozenset(refused):
            self._tenants.drop(gone.__contains__)

    def __contains__(self, tenant: object) -> bool:
        if self._shared:
            self._read_again()
        return isinstance(tenant, str) and self._tenants.get(tenant) is not None

    def _read_again(self) -> None:
        """Take over what another process has written."""
        try:
            found = None if self._file is None else self._file.stat()
        except OSError:
            return
        seen = found and (found.st_ino, found.st_size, found.st_mtime_ns)
        if seen and seen != self._seen:
            self._seen = seen
            self._tenants.drop(lambda _: True)
            for name in self._read():
                self._tenants.put(name, True)  # noqa: FBT003 - a set with a bound

    def _read(self) -> list[str]:
        try:
            text = "" if self._file is None else self._file.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return []
        return [line for line in text.splitlines() if line][-MAX_TENANTS:]

    def _write(self, write: Callable[[Path, str], None], names: list[str]) -> None:
        if self._file is not None:
            self._try(write, self._file, "".join(f"{name}\n" for name in names))

    def _try(self, write: Callable[..., None], *what: object) -> None:
        """A failure costs a tenant one more chat after the next start."""
        try:
            write(*what)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, error.strerror)
