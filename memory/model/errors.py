"""Every error the engine raises on purpose.

Backends translate foreign exceptions into these at their boundary, so callers catch nothing else.
`code` is stable and machine-readable; the message is for people. Those about models stand in
`model_errors`, and are imported from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from .error_base import RecollectError as RecollectError  # noqa: PLC0414 - all errors are here
from .model_errors import *  # noqa: F403 - all errors are here

_CODED = re.compile(r"([a-z_]+): ")


class ScopeError(RecollectError):
    """No scope, or a malformed one."""

    code = "scope_required"


class InvalidInputError(RecollectError):
    """An argument is not what was expected. `field` names it."""

    code = "invalid_input"

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: {expected}")
        self.field = field
        self.expected = expected


class ConfigError(RecollectError):
    """The configuration is invalid; each line names a key and the expected value."""

    code = "invalid_configuration"


class NotFoundError(RecollectError):
    """The id names no memory this tenant can see."""

    code = "not_found"


class ForbiddenError(RecollectError):
    """The caller may not do this. `field` names what is somebody else's, or the missing right."""

    code = "forbidden"

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


class ConflictError(RecollectError):
    """Somebody else changes the memory at this moment. Nothing was changed; read it again."""

    code = "conflict"


class StretchOpenError(RecollectError):
    """A conversation may still go on: its episode is written when it is over, at `until`."""

    code = "stretch_open"

    def __init__(self, until: datetime) -> None:
        super().__init__("the conversation may still go on")
        self.until = until


class VersionError(ConflictError):
    """The memory is not at the version that was expected. Nothing was changed; read it again."""

    code = "version_conflict"


class StoreError(RecollectError):
    """The database failed or refused to read or write memories."""

    code = "store_unavailable"


class StoreUnwritableError(StoreError):
    """The database's disk is full or refuses writes; acknowledged data is kept and can be read.

    The state is in the same database, so the code is the same. Unlike other StoreErrors it ends
    when there is room, and the data is sound.
    """

    code = "state_unwritable"
    advice = "the disk under the memories is full: make room, it goes on by itself"


_GONE = (
    "its file or folder was moved, removed or unmounted while it was in use: put the same one back "
    "and it goes on by itself, or start Recollect again to go on with what is there now"
)


class StoreGoneError(StoreUnwritableError):
    """The database is no longer where it was opened. Nothing is written."""

    code = "state_gone"
    advice = _GONE


class StoreDamagedError(StoreError):
    """The database is damaged; nothing was changed. Neither waiting nor a restart helps."""

    code = "state_damaged"
    advice = "the memories' files are damaged and were left as they are: run `recollect repair`"


class StoreMismatchError(StoreError):
    """The store holds vectors of another embedder or data of another format, or is not ours."""

    code = "store_mismatch"


class StateError(RecollectError):
    """Durable state (conversations, jobs, history) failed or refused."""

    code = "state_unavailable"

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice


class StateUnwritableError(StateError):
    """The state can be read but not written: a full disk, or a server that refuses writes.

    The data is sound; `advice` says how to restore writes.
    """

    code = "state_unwritable"


class StateGoneError(StateUnwritableError):
    """The file is no longer where it was opened. Nothing is written into it until it is back."""

    code = "state_gone"

    def __init__(self, message: str, advice: str = _GONE) -> None:
        super().__init__(message, advice)


class StateDamagedError(StateError):
    """The file is damaged; nothing was changed. Neither waiting nor a restart helps.

    `advice` names the file without its folder.
    """

    code = "state_damaged"


class FormatError(StateError):
    """The state is of another format than this version reads; nothing was changed."""

    code = "other_format"


class EncryptionError(StateError):
    """What is sealed cannot be opened with these keys, or is not as configured; nothing changed."""

    code = "encryption"


GRAPH_OFF = "the graph is off: graph.enabled is false"


class GraphError(StateError):
    """Who and what memories speak of cannot be told: the graph is off, or does not answer."""

    code = "graph_unavailable"


class EmbeddingError(RecollectError):
    """The embedder failed, or returned vectors that cannot be used."""

    code = "embedding_failed"


class EmbeddingRefusedError(EmbeddingError):
    """The embedder works, and does not take one of these texts."""


def coded(error: RecollectError) -> str:
    """The error as one line that begins with its code."""
    return f"{error.code}: {error}"


def code_in(line: str | None) -> str:
    """The code of a line of `coded`; empty for another line."""
    found = _CODED.match(line or "")
    return found[1] if found else ""


def advice_about(code: str) -> str:
    """What to do about an error with this code; empty if nothing is known."""
    return next((kind.advice for kind in _kinds(RecollectError) if kind.code == code), "")


def _kinds(kind: type[RecollectError]) -> Iterator[type[RecollectError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)
